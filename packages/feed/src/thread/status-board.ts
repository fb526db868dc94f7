import type { CoinStatus, FeedBookStatus } from '../api.ts';

/** The last state of each coin's book as reported by the feed's thread, kept on the HTTP thread. */
export class StatusBoard {
  readonly #statuses = new Map<string, CoinStatus>();
  readonly #changed: (status: FeedBookStatus) => void;
  /** When the upstream last gave a sign of life, on this thread's clock; null if it never did. */
  #upstreamHeardAt: number | null = null;

  constructor(changed: (status: FeedBookStatus) => void) {
    this.#changed = changed;
  }

  of(coin: string): FeedBookStatus {
    const status = this.#statuses.get(coin) ?? waiting();
    const age = this.#upstreamHeardAt === null ? null : Math.round(performance.now() - this.#upstreamHeardAt);
    return { coin, ...status, upstreamAgeMs: age };
  }

  setUpstreamAge(ageMs: number | null): void {
    this.#upstreamHeardAt = ageMs === null ? null : performance.now() - ageMs;
  }

  /** Sets the worker's report on a coin; null if the coin was left. */
  set(coin: string, status: CoinStatus | null): void {
    if (status === null) {
      this.#statuses.delete(coin);
      return;
    }
    const before = this.#statuses.get(coin) ?? waiting();
    this.#statuses.set(coin, status);
    if (before.state === status.state && before.reason === status.reason) return;
    this.#changed(this.of(coin));
  }

  /** The worker has stopped reporting: its live books may be outdated. */
  silent(): void {
    for (const [coin, { state }] of this.#statuses)
      if (state === 'live') this.set(coin, { state: 'stale', since: Date.now(), reason: 'feed-silent' });
  }

  /** The worker has exited, and all its books are lost. */
  ended(): void {
    for (const [coin, { state }] of this.#statuses)
      if (state === 'live' || state === 'stale')
        this.set(coin, { state: 'rebuilding', since: Date.now(), reason: 'feed-restarted' });
  }
}

function waiting(): CoinStatus {
  return { state: 'waiting', since: Date.now(), reason: null };
}
