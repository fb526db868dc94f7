import type { BookLossReason, BookState } from '@l4desk/protocol';
import type { SystemClock } from '@l4desk/runtime/node';
import type { CoinStatus } from '../api.ts';

interface Tracked {
  status: CoinStatus;
  /** Cancels the timer after which a coin without a live book is `unavailable`; null while it is not running. */
  cancelOverdue: (() => void) | null;
}

/**
 * The book state of each joined coin (L4-40), reported on each change. A coin that has no live book for `rebuildMaxMs`, or that
 * the upstream refuses, is `unavailable` until it is live, however many attempts are made meanwhile (D53).
 */
export class BookStatuses {
  readonly #rebuildMaxMs: number;
  readonly #clock: SystemClock;
  readonly #changed: (coin: string, status: CoinStatus | null) => void;
  readonly #tracked = new Map<string, Tracked>();

  /** `changed` is called with each new status, and with null for a coin that was left. */
  constructor(rebuildMaxMs: number, clock: SystemClock, changed: (coin: string, status: CoinStatus | null) => void) {
    this.#rebuildMaxMs = rebuildMaxMs;
    this.#clock = clock;
    this.#changed = changed;
  }

  of(coin: string): CoinStatus {
    return this.#tracked.get(coin)?.status ?? { state: 'waiting', since: this.#clock.wallNow(), reason: null };
  }

  /** The coin has its first holder. If the upstream is not connected, the timer for becoming live starts at once. */
  add(coin: string, isConnected: boolean): void {
    const status: CoinStatus = {
      state: 'waiting',
      since: this.#clock.wallNow(),
      reason: isConnected ? null : 'disconnected',
    };
    const tracked: Tracked = { status, cancelOverdue: null };
    this.#tracked.set(coin, tracked);
    if (!isConnected) this.#expect(coin, tracked);
    this.#changed(coin, status);
  }

  /** The coin was subscribed upstream. */
  asked(coin: string): void {
    const tracked = this.#tracked.get(coin);
    if (tracked === undefined) return;
    this.#expect(coin, tracked);
    if (tracked.status.state === 'waiting') this.#enter(coin, tracked, 'building', tracked.status.reason);
  }

  live(coin: string): void {
    this.#held(coin, 'live', null);
  }

  /** The coin has a book that may be outdated, for this reason. */
  stale(coin: string, reason: BookLossReason): void {
    this.#held(coin, 'stale', reason);
  }

  lost(coin: string, reason: BookLossReason): void {
    const tracked = this.#tracked.get(coin);
    if (tracked === undefined) return;
    this.#expect(coin, tracked);
    this.#enter(coin, tracked, afterLoss(tracked.status.state, reason), reason);
  }

  /** The coin no longer has a holder. */
  remove(coin: string): void {
    const tracked = this.#tracked.get(coin);
    tracked?.cancelOverdue?.();
    if (this.#tracked.delete(coin)) this.#changed(coin, null);
  }

  close(): void {
    for (const { cancelOverdue } of this.#tracked.values()) cancelOverdue?.();
  }

  #held(coin: string, state: 'live' | 'stale', reason: BookLossReason | null): void {
    const tracked = this.#tracked.get(coin);
    if (tracked === undefined) return;
    tracked.cancelOverdue?.();
    tracked.cancelOverdue = null;
    this.#enter(coin, tracked, state, reason);
  }

  /** Starts the timer for becoming live, unless it is running already. */
  #expect(coin: string, tracked: Tracked): void {
    tracked.cancelOverdue ??= this.#clock.after(this.#rebuildMaxMs, () => {
      this.#enter(coin, tracked, 'unavailable', tracked.status.reason ?? 'no-snapshot');
    });
  }

  #enter(coin: string, tracked: Tracked, state: BookState, reason: BookLossReason | null): void {
    const before = tracked.status;
    if (state === before.state && reason === before.reason) return;
    tracked.status = { state, since: state === before.state ? before.since : this.#clock.wallNow(), reason };
    this.#changed(coin, tracked.status);
  }
}

function afterLoss(state: BookState, reason: BookLossReason): BookState {
  if (state === 'unavailable' || reason === 'refused') return 'unavailable';
  if (state === 'live' || state === 'stale' || state === 'rebuilding') return 'rebuilding';
  return reason === 'disconnected' ? 'waiting' : 'building';
}
