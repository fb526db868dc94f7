import type { BookLossReason, BookState } from '@l4desk/protocol';
import { once } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import { type CoinLease, type CoinReader, type CoinStatus, NO_TEXTS_WANTED, type TextsWanted } from '../api.ts';

/** A coin that has a holder, or still lingers after its last one. */
export interface HeldCoin {
  readonly coin: string;
  /** The state of its book (L4-40). */
  status: CoinStatus;
  holders: number;
  readonly readers: Record<keyof TextsWanted, number>;
  cancelLinger: () => void;
  /** Cancels the timer after which a coin without a live book is `unavailable`; null while it is not running. */
  cancelOverdue: (() => void) | null;
}

/** `Own` is what the feed itself keeps of a coin. */
interface HeldCoinsDeps<Own> {
  /** How long a coin without holders is kept, and how long it may be without a live book until it is `unavailable`, in ms. */
  readonly lingerMs: number;
  readonly rebuildMaxMs: number;
  readonly clock: SystemClock;
  readonly isConnected: () => boolean;
  readonly create: (coin: string) => Own;
  /** The coin has its first holder. */
  readonly added: (coin: HeldCoin & Own) => void;
  readonly left: (coin: HeldCoin & Own) => void;
  /** Called with each new status, and with null for a coin that was left. */
  readonly changed: (coin: string, status: CoinStatus | null) => void;
  /** All statuses of the coin have their first reader, or none any more. */
  readonly allReadChanged: (coin: string) => void;
}

const NOTHING = () => {};

/** The coins of a feed: holders, what these read, and states, `unavailable` after `rebuildMaxMs` (D53). */
export class HeldCoins<Own extends object> {
  readonly #deps: HeldCoinsDeps<Own>;
  readonly #coins = new Map<string, HeldCoin & Own>();
  #closed = false;

  constructor(deps: HeldCoinsDeps<Own>) {
    this.#deps = deps;
  }

  get names(): readonly string[] {
    return [...this.#coins.keys()];
  }

  get all(): readonly (HeldCoin & Own)[] {
    return [...this.#coins.values()];
  }

  get(coin: string): (HeldCoin & Own) | undefined {
    return this.#coins.get(coin);
  }

  has(coin: string): boolean {
    return this.#coins.has(coin);
  }

  acquire(coin: string, reader: CoinReader): CoinLease {
    let held = this.#coins.get(coin);
    const isNew = held === undefined;
    held ??= this.#create(coin);
    held.holders += 1;
    held.cancelLinger();
    // Before the coin is joined, so that the first block has what is read.
    this.#count(held, reader, 1);
    if (isNew) this.#deps.added(held);
    return { release: once(() => this.#release(held, reader)) };
  }

  wanted(coin: string): TextsWanted {
    const readers = this.#coins.get(coin)?.readers;
    if (readers === undefined) return NO_TEXTS_WANTED;
    return { all: readers.all > 0, allDeflated: readers.allDeflated > 0, bookDeflated: readers.bookDeflated > 0 };
  }

  status(coin: string): CoinStatus {
    return this.#coins.get(coin)?.status ?? { state: 'waiting', since: this.#deps.clock.wallNow(), reason: null };
  }

  subscribed(coin: string): void {
    const held = this.#coins.get(coin);
    if (held === undefined) return;
    this.#expectBook(held);
    if (held.status.state === 'waiting') this.#enter(held, 'building', held.status.reason);
  }

  live(coin: string): void {
    this.#hasBook(coin, 'live', null);
  }

  stale(coin: string, reason: BookLossReason): void {
    this.#hasBook(coin, 'stale', reason);
  }

  lost(coin: string, reason: BookLossReason): void {
    const held = this.#coins.get(coin);
    if (held === undefined) return;
    this.#expectBook(held);
    this.#enter(held, afterLoss(held.status.state, reason), reason);
  }

  close(): void {
    this.#closed = true;
    for (const { cancelLinger, cancelOverdue } of this.#coins.values()) {
      cancelLinger();
      cancelOverdue?.();
    }
  }

  /** If the upstream is not connected, the timer for becoming live starts at once. */
  #create(coin: string): HeldCoin & Own {
    const { clock, create, changed, isConnected } = this.#deps;
    const reason = isConnected() ? null : 'disconnected';
    const held: HeldCoin & Own = {
      ...create(coin),
      coin,
      status: { state: 'waiting', since: clock.wallNow(), reason },
      holders: 0,
      readers: { all: 0, allDeflated: 0, bookDeflated: 0 },
      cancelLinger: NOTHING,
      cancelOverdue: null,
    };
    this.#coins.set(coin, held);
    if (reason !== null) this.#expectBook(held);
    changed(coin, held.status);
    return held;
  }

  #release(held: HeldCoin & Own, reader: CoinReader): void {
    this.#count(held, reader, -1);
    held.holders -= 1;
    if (held.holders > 0 || this.#closed) return;
    const { changed, clock, left, lingerMs } = this.#deps;
    held.cancelLinger = clock.after(lingerMs, () => {
      held.cancelOverdue?.();
      this.#coins.delete(held.coin);
      left(held);
      changed(held.coin, null);
    });
  }

  #count({ coin, readers }: HeldCoin, { statuses, deflate }: CoinReader, by: 1 | -1): void {
    const before = readers.all > 0;
    if (statuses === 'all') readers.all += by;
    if (deflate) readers[statuses === 'all' ? 'allDeflated' : 'bookDeflated'] += by;
    if (readers.all > 0 !== before) this.#deps.allReadChanged(coin);
  }

  #hasBook(coin: string, state: 'live' | 'stale', reason: BookLossReason | null): void {
    const held = this.#coins.get(coin);
    if (held === undefined) return;
    held.cancelOverdue?.();
    held.cancelOverdue = null;
    this.#enter(held, state, reason);
  }

  /** Starts the timer for becoming live, unless it is running already. */
  #expectBook(held: HeldCoin): void {
    held.cancelOverdue ??= this.#deps.clock.after(this.#deps.rebuildMaxMs, () => {
      this.#enter(held, 'unavailable', held.status.reason ?? 'no-snapshot');
    });
  }

  #enter(held: HeldCoin, state: BookState, reason: BookLossReason | null): void {
    const before = held.status;
    if (state === before.state && reason === before.reason) return;
    held.status = { state, since: state === before.state ? before.since : this.#deps.clock.wallNow(), reason };
    this.#deps.changed(held.coin, held.status);
  }
}

function afterLoss(state: BookState, reason: BookLossReason): BookState {
  if (state === 'unavailable' || reason === 'refused') return 'unavailable';
  if (state === 'live' || state === 'stale' || state === 'rebuilding') return 'rebuilding';
  return reason === 'disconnected' ? 'waiting' : 'building';
}
