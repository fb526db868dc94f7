import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FeedHealth } from '../api.ts';

const RESOLUTION_MS = 10;
const NS_PER_MS = 1e6;

/** Measures the delay of this thread's event loop. */
export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#histogram.enable();
  }

  /** Delays since the last reading, in ms. */
  read(): FeedHealth['loopDelayMs'] {
    const ms = (ns: number) => Math.max(0, Math.round(ns / NS_PER_MS) - RESOLUTION_MS);
    const histogram = this.#histogram;
    const delay = { p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(histogram.max) };
    histogram.reset();
    return delay;
  }

  close(): void {
    this.#histogram.disable();
  }
}
