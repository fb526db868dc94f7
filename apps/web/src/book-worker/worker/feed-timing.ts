import type { UpstreamStatus } from '@l4desk/protocol';
import { Cadence } from '@l4desk/runtime';
import type { ClockOffset, FeedTimes } from '../feed-times.ts';

const BASE_STEP_MS = 60_000;
const BASE_STEPS = 10;

/**
 * The clocks of one followed coin: how often its blocks arrive, their delay behind their own time, the service's report on its
 * upstream, and the offset between the service's clock and this machine's.
 */
export class FeedTiming {
  readonly #clock = new ServiceClock();
  #cadence = new Cadence();
  /** The shortest delay in each of the last minutes, the newest last. */
  #delays: { readonly from: number; least: number }[] = [];
  #delayMs: number | undefined;
  #upstream: FeedTimes['upstream'];
  /** The offset between the clocks is that of the last connection; it holds until the next one has measured its own. */
  #isOffsetOld = false;
  #bookAt: number | undefined;
  #blockAt: number | undefined;

  follow(): void {
    this.#cadence = new Cadence();
    this.#delays = [];
    this.#delayMs = undefined;
    this.#bookAt = undefined;
    this.#blockAt = undefined;
  }

  /** The stream was interrupted: the interval until the next block is not measured. */
  interrupt(): void {
    this.#cadence.interrupt();
  }

  disconnected(): void {
    this.interrupt();
    this.#isOffsetOld = true;
    this.#upstream = undefined;
  }

  onBook(now: number): void {
    this.interrupt();
    this.#bookAt = now;
  }

  onBlock(blockTime: number, now: number): void {
    this.#cadence.record(now);
    this.#blockAt = now;
    this.#delayMs = now + (this.#clock.offset?.ms ?? 0) - blockTime;
    this.#recordDelay(this.#delayMs, now);
  }

  onUpstream(upstream: UpstreamStatus, now: number, roundTripMs: number | undefined): void {
    if (this.#isOffsetOld) this.#clock.forget();
    this.#isOffsetOld = false;
    this.#clock.record(upstream.time, now, roundTripMs);
    this.#upstream = { ...upstream, heardAt: now };
  }

  get times(): FeedTimes {
    const bookAt = this.#bookAt ?? Number.NEGATIVE_INFINITY;
    const knownAt = Math.max(bookAt, this.#blockAt ?? Number.NEGATIVE_INFINITY);
    const usualMs = this.#delays.length === 0 ? undefined : Math.min(...this.#delays.map(({ least }) => least));
    return {
      knownAt: Number.isFinite(knownAt) ? knownAt : undefined,
      blockAt: this.#blockAt,
      usual: this.#cadence.usual,
      delay: this.#delayMs === undefined || usualMs === undefined ? undefined : { ms: this.#delayMs, usualMs },
      upstream: this.#upstream,
      offset: this.#clock.offset,
    };
  }

  #recordDelay(delayMs: number, now: number): void {
    const newest = this.#delays.at(-1);
    if (newest === undefined || now - newest.from >= BASE_STEP_MS) {
      this.#delays = [...this.#delays.slice(1 - BASE_STEPS), { from: now, least: delayMs }];
    } else {
      newest.least = Math.min(newest.least, delayMs);
    }
  }
}

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

  get offset(): ClockOffset | undefined {
    if (this.#ahead.length === 0) return undefined;
    const withinMs = Math.min(...this.#roundTrips) / 2;
    return { ms: Math.max(...this.#ahead) + withinMs, withinMs };
  }
}
