import { SyncDriver, type SyncEvent, SyncedBook, type SyncState } from '@l4desk/book';
import type { CoinView } from '@l4desk/feed/core';
import type { BookLossReason, CoinBatch } from '@l4desk/protocol';
import { backoffMs } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import type { LeaderStatus } from './frame.ts';
import type { LeaderSnapshot } from './snapshot-exchange.ts';

export interface GatewayCoinDeps {
  readonly coin: string;
  readonly fetch: (signal: AbortSignal) => Promise<LeaderSnapshot>;
  readonly live: () => void;
  readonly lost: (reason: BookLossReason, detail: string) => void;
  readonly clock: SystemClock;
  readonly random: () => number;
}

/** Pauses after a snapshot that did not fit or did not arrive. */
const RETRY = { firstMs: 100, longestMs: 2_000 };

/** A coin's book at a gateway, followed as by any client (§4.7), its checksum compared with the leader's. */
export class GatewayCoin {
  readonly #deps: GatewayCoinDeps;
  readonly #driver: SyncDriver;
  readonly #synced: SyncedBook;
  #fetching = new AbortController();
  #cancelRetry: () => void = () => {};
  #rebuilds = 0;
  #lastLoss: BookLossReason | null = null;
  /** Generation of the leader's book that this one follows. */
  #generation = 0;
  /** The leader's last report on its own book. */
  #leader: LeaderStatus | null;

  constructor(deps: GatewayCoinDeps, leader: LeaderStatus | null) {
    this.#deps = deps;
    this.#leader = leader;
    this.#synced = new SyncedBook(deps.coin);
    this.#driver = new SyncDriver({
      fetch: (request, attempt) => this.#scheduleFetch(request, attempt),
      cancel: () => {
        this.#fetching.abort();
        this.#cancelRetry();
      },
      build: (snapshot) => {
        const wrong = this.#synced.build(snapshot);
        // The first checksum reads the whole book. Compute it now, so that the first block does not wait for it.
        this.#synced.book?.rollingChecksum();
        return wrong;
      },
      apply: (batch) => this.#synced.apply(batch),
      stepped: (before, after) => this.#onStep(before, after),
      performed: (isBuilt) => {
        if (isBuilt) deps.live();
      },
    });
  }

  /** The leader's last report on its own book; null if there is none. */
  get leader(): LeaderStatus | null {
    return this.#leader;
  }

  /** Whether the book is live and follows the leader's current book. */
  get followsLeader(): boolean {
    return this.view() !== null && this.#leader?.generation === this.#generation;
  }

  get rebuilds(): number {
    return this.#rebuilds;
  }

  get lastLoss(): BookLossReason | null {
    return this.#lastLoss;
  }

  view(): CoinView | null {
    const { book, position } = this.#synced;
    return this.#driver.state.kind !== 'live' || book === undefined || position === undefined
      ? null
      : { book, ...position };
  }

  /** Starts building the book. Entries of the stream arrive from now on, and the leader has the coin or is about to join it. */
  begin(): void {
    if (this.#driver.state.kind === 'idle') this.#driver.dispatch({ kind: 'subscribed' });
  }

  /** The coin's entry of a block. */
  onBatch(batch: CoinBatch): void {
    this.#driver.dispatch({ kind: 'batch', batch });
  }

  /** The book differs from the leader's, or may differ; `begin` rebuilds it. */
  lose(reason: BookLossReason, detail: string): void {
    const wasLive = this.#driver.state.kind === 'live';
    this.#driver.dispatch({ kind: 'disconnected' });
    if (wasLive) this.#onLost(reason, detail);
  }

  /** The leader reports on its own book. If it has lost the book that this one follows, this one is lost too. */
  onLeader(leader: LeaderStatus | null): void {
    this.#leader = leader;
    if (leader === null || this.view() === null || leader.generation <= this.#generation) return;
    this.lose(leader.reason ?? 'disconnected', `the sequencer says that its book is ${leader.state}`);
    this.begin();
  }

  end(): void {
    this.#driver.dispatch({ kind: 'disconnected' });
  }

  #onStep(before: SyncState, after: SyncState): void {
    if (before.kind === 'live' && after.kind === 'buffering') this.#onLost(after.reason ?? 'no-snapshot', after.detail);
  }

  #scheduleFetch(request: number, attempt: number): void {
    this.#cancelRetry();
    const waitMs = attempt === 0 ? 0 : backoffMs(attempt, RETRY, this.#deps.random);
    if (waitMs === 0) void this.#fetch(request);
    else this.#cancelRetry = this.#deps.clock.after(waitMs, () => void this.#fetch(request));
  }

  async #fetch(request: number): Promise<void> {
    const fetching = new AbortController();
    this.#fetching = fetching;
    let event: SyncEvent;
    try {
      const { snapshot, generation } = await this.#deps.fetch(fetching.signal);
      const isOld = this.#leader !== null && generation < this.#leader.generation;
      if (!isOld) this.#generation = generation;
      event = isOld
        ? failed(request, 'the snapshot is of a book that was lost since')
        : { kind: 'snapshot', request, snapshot };
    } catch (error) {
      event = failed(request, error instanceof Error ? error.message : String(error));
    }
    if (!fetching.signal.aborted) this.#driver.dispatch(event);
  }

  #onLost(reason: BookLossReason, detail: string): void {
    this.#rebuilds += 1;
    this.#lastLoss = reason;
    this.#deps.lost(reason, detail);
  }
}

function failed(request: number, message: string): SyncEvent {
  return { kind: 'snapshotFailed', request, retryable: true, message };
}
