import type { ClockOffset } from '../feed-times.ts';

/** Samples that are remembered: the service sends its time every second. */
const SAMPLES = 60;

/**
 * Offset between this machine's clock and the service's. The service's time takes time to arrive, so it is always somewhat old:
 * the fastest of many samples is the closest, and half the shortest round trip is added for the way.
 */
export class ServiceClock {
  readonly #ahead: number[] = [];
  readonly #roundTrips: number[] = [];
  #next = 0;

  /** The service's time `time` arrived at `receivedAt`, both ms since the Unix epoch, each by its own clock. */
  record(time: number, receivedAt: number, roundTripMs: number | undefined): void {
    if (roundTripMs === undefined) return;
    this.#ahead[this.#next] = time - receivedAt;
    this.#roundTrips[this.#next] = Math.max(0, roundTripMs);
    this.#next = (this.#next + 1) % SAMPLES;
  }

  /** Another connection may have another latency, and this machine's clock may have been set. */
  forget(): void {
    this.#ahead.length = 0;
    this.#roundTrips.length = 0;
    this.#next = 0;
  }

  /** Undefined before the first sample. */
  get offset(): ClockOffset | undefined {
    if (this.#ahead.length === 0) return undefined;
    const withinMs = Math.min(...this.#roundTrips) / 2;
    return { ms: Math.max(...this.#ahead) + withinMs, withinMs };
  }
}
