import { type Finding, L4Book, SYNC_START, type SyncEvent, type SyncState, syncStep } from '@l4desk/book';
import { backoffMs } from '@l4desk/client/stream';
import type { BookLossReason, CoinBatch } from '@l4desk/protocol';
import type { CoinView } from '../blocks/coin-view.ts';
import type { Clock } from '../clock.ts';
import type { LeaderStatus } from './frame.ts';
import type { LeaderSnapshot } from './snapshot-exchange.ts';

export interface GatewayCoinDeps {
  readonly coin: string;
  readonly fetch: (signal: AbortSignal) => Promise<LeaderSnapshot>;
  /** The book is live and equals the sequencer's at its place in the stream. */
  readonly live: () => void;
  /** The book is no longer live. */
  readonly lost: (reason: BookLossReason, detail: string) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Height and time of a book. */
type Place = Pick<CoinView, 'height' | 'time'>;

/** Pauses after a snapshot that did not fit or did not arrive. */
const RETRY = { firstMs: 100, longestMs: 2_000 };

/**
 * A coin's book at a gateway: built from the leader's snapshot and the stream's entries after it, as any client of the service
 * does (§4.7). After each entry its checksum is compared with the leader's.
 */
export class GatewayCoin {
  readonly #deps: GatewayCoinDeps;
  #sync: SyncState = SYNC_START;
  #book: L4Book | null = null;
  #place: Place = { height: 0, time: 0 };
  #fetching = new AbortController();
  #cancelRetry: () => void = () => {};
  #rebuilds = 0;
  #lastLoss: BookLossReason | null = null;
  /** Generation of the leader's book that this one follows. `#leader` is the leader's last report on its book. */
  #generation = 0;
  #leader: LeaderStatus | null;

  constructor(deps: GatewayCoinDeps, leader: LeaderStatus | null) {
    this.#deps = deps;
    this.#leader = leader;
  }

  /** The leader's last report on its own book; null if there is none. */
  get leader(): LeaderStatus | null {
    return this.#leader;
  }

  /** Whether the book is live and follows the leader's current book. */
  get isLeaders(): boolean {
    return this.view() !== null && this.#leader?.generation === this.#generation;
  }

  get rebuilds(): number {
    return this.#rebuilds;
  }

  get lastLoss(): BookLossReason | null {
    return this.#lastLoss;
  }

  /** The book with its height, time, epoch and seq; null while there is none. */
  view(): CoinView | null {
    if (this.#sync.kind !== 'live' || this.#book === null) return null;
    return { book: this.#book, ...this.#place, epoch: this.#sync.epoch, seq: this.#sync.seq };
  }

  /** Starts building the book. Entries of the stream arrive from now on, and the leader has the coin or is about to join it. */
  begin(): void {
    if (this.#sync.kind === 'idle') this.#dispatch({ kind: 'subscribed' });
  }

  /** The coin's entry of a block. */
  onBatch(batch: CoinBatch): void {
    this.#dispatch({ kind: 'batch', batch });
  }

  /** The book no longer equals the leader's, or may not; `begin` rebuilds it. */
  lose(reason: BookLossReason, detail: string): void {
    const stood = this.#book !== null;
    this.#dispatch({ kind: 'disconnected' });
    if (stood) this.#onLost(reason, detail);
  }

  /**
   * The leader reports on its own book; null for another leader. If the leader has lost the book that this one follows, this book
   * is lost too and is rebuilt from the next one.
   */
  onLeader(leader: LeaderStatus | null): void {
    this.#leader = leader;
    if (leader === null || this.view() === null || leader.generation <= this.#generation) return;
    this.lose(leader.reason ?? 'disconnected', `the sequencer says that its book is ${leader.state}`);
    this.begin();
  }

  end(): void {
    this.#dispatch({ kind: 'disconnected' });
    this.#book = null;
  }

  #dispatch(event: SyncEvent): void {
    const { state, effects } = syncStep(this.#sync, event);
    this.#sync = state;
    const stood = this.#book !== null;
    if (state.kind === 'buffering' && stood) this.#onLost(state.reason ?? 'no-snapshot', state.detail);
    for (const effect of effects) {
      let findings: readonly Finding[] = [];
      switch (effect.kind) {
        case 'cancelSnapshot':
          this.#fetching.abort();
          this.#cancelRetry();
          continue;
        case 'fetchSnapshot':
          this.#fetchLater(effect.request, effect.attempt);
          continue;
        case 'build': {
          const { snapshot } = effect;
          const built = L4Book.build(this.#deps.coin, snapshot.levels);
          // The first checksum reads the whole book. Compute it now, so that the first block does not wait for it.
          built.book.rollingChecksum();
          this.#book = built.book;
          this.#place = { height: snapshot.height, time: snapshot.time };
          findings = built.findings;
          break;
        }
        case 'apply':
          findings = this.#apply(effect.batch);
      }
      if (findings.length > 0) return this.#dispatch({ kind: 'finding', findings });
      if (this.#sync !== state) return;
    }
    if (state.kind === 'live' && !stood && this.#book !== null) this.#deps.live();
  }

  #apply(batch: CoinBatch): readonly Finding[] {
    const book = this.#book;
    if (book === null) return [];
    const findings = book.apply(batch.changes, batch.statuses, batch.time);
    this.#place = { height: batch.height, time: batch.time };
    if (findings.length > 0 || batch.checksum === undefined) return findings;
    if (book.rollingChecksum() !== batch.checksum) {
      this.#dispatch({ kind: 'auditFailed', message: `block ${batch.height}: the checksum is not the sequencer's` });
    }
    return [];
  }

  #fetchLater(request: number, attempt: number): void {
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
    if (!fetching.signal.aborted) this.#dispatch(event);
  }

  #onLost(reason: BookLossReason, detail: string): void {
    this.#book = null;
    this.#rebuilds += 1;
    this.#lastLoss = reason;
    this.#deps.lost(reason, detail);
  }
}

function failed(request: number, message: string): SyncEvent {
  return { kind: 'snapshotFailed', request, retryable: true, message };
}
