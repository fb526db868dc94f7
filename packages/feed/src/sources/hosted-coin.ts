import { type LiveState, SyncDriver, type SyncEvent, type SyncState, type UnconfirmedState } from '@l4desk/book';
import {
  type BookLossReason,
  type BookState,
  type CoinBatch,
  type DecodedSnapshot,
  UnreadStatuses,
} from '@l4desk/protocol';
import type { RawObject, UpstreamBlock } from '../blocks/upstream-block.ts';
import type { HostedEntry } from './hosted-message.ts';
import type { SourceEvents } from './source.ts';

export interface HostedCoinDeps {
  readonly coin: string;
  readonly fetch: (signal: AbortSignal) => Promise<DecodedSnapshot>;
  /** Describes in one sentence why there is no snapshot. */
  readonly problemOf: (error: unknown) => string;
  readonly events: Pick<
    SourceEvents,
    'blocks' | 'snapshot' | 'completeThrough' | 'silenceIsQuiet' | 'unchanged' | 'doubted'
  >;
  /** The coin can no longer be followed and must be joined again. */
  readonly lost: (reason: BookLossReason, detail: string) => void;
  /** Height of the last batch of this connection, about any coins. */
  readonly stream: { readonly height: number };
}

/** One coin followed at a hosted service, through bootstrap and stream (§4.7), until its first loss. */
export class HostedCoin {
  readonly #deps: HostedCoinDeps;
  readonly #driver: SyncDriver;
  /** The snapshot and the batches of the step that is carried out. */
  #built: DecodedSnapshot | null = null;
  #applied: CoinBatch[] = [];
  /** Whether the subscription was acknowledged or assumed; null while neither. */
  #beginning: 'subscribed' | 'assumed' | null = null;
  /** State of the service's own book; null until it is reported. */
  #serviceState: BookState | null = null;
  #ending = new AbortController();
  /** Whether a fresh snapshot matched the book; matters if the subscription was only assumed. */
  #isChecked = false;
  #doubt: BookLossReason | null = null;

  constructor(deps: HostedCoinDeps) {
    this.#deps = deps;
    this.#driver = new SyncDriver({
      fetch: (request) => void this.#fetch(request),
      cancel: () => this.#ending.abort(),
      build: (snapshot) => {
        this.#built = snapshot;
        return undefined;
      },
      apply: (batch) => {
        this.#applied.push(batch);
        return undefined;
      },
      stepped: (before, after) => this.#onStep(before, after),
      performed: (isBuilt) => this.#onPerformed(isBuilt),
    });
  }

  get awaitsResponse(): boolean {
    return this.#beginning === null;
  }

  onSubscribed(): void {
    this.#begin('subscribed');
  }

  onAssumed(): void {
    this.#begin('assumed');
  }

  /** Processes the coin's entry of a batch. Returns a block to pass on if the book is live and the entry continues it. */
  onEntry({ batch, diffs }: HostedEntry): UpstreamBlock | null {
    this.#applied = [];
    this.#driver.dispatch({ kind: 'batch', batch });
    this.#reportDoubt();
    return this.#applied.includes(batch) ? blockOf(batch, diffs) : null;
  }

  /** A batch arrived on the connection. A restart of the service also invalidates coins without an entry in it (L4-4). */
  onEpoch(epoch: string): void {
    const { state } = this.#driver;
    if (hasBook(state) && state.epoch !== epoch)
      this.#deps.lost('upstream-epoch', `the epoch changed from ${state.epoch} to ${epoch}`);
  }

  /** The service reports the state of its own book (D54). */
  onStatus(state: BookState): void {
    const hadNoBook = lacksBook(this.#serviceState);
    this.#serviceState = state;
    if (!lacksBook(state)) {
      if (hadNoBook && this.#beginning !== null) this.#driver.dispatch({ kind: this.#beginning });
      if (hasBook(this.#driver.state)) this.#reportState();
    } else if (hasBook(this.#driver.state)) {
      this.#deps.lost('upstream-rebuild', `the hosted service says that its book is ${state}`);
    } else {
      // A snapshot from before the rebuild would show the old book.
      this.#driver.dispatch({ kind: 'disconnected' });
    }
  }

  /** Compares a fetched snapshot with the book: an equal seq shows that nothing was lost. */
  compare(snapshot: DecodedSnapshot): void {
    const { coin, events, lost } = this.#deps;
    const { state } = this.#driver;
    if (!hasBook(state)) return;
    const { epoch, seq } = state;
    if (snapshot.epoch !== epoch) {
      lost('upstream-epoch', `a snapshot is of epoch ${snapshot.epoch}, the stream of ${epoch}`);
      return;
    }
    if (snapshot.seq !== seq) return;
    this.#isChecked = true;
    this.#reportDoubt();
    events.unchanged(coin, snapshot.height, snapshot.time);
  }

  /** The coin is released; nothing is reported from now on. */
  end(): void {
    this.#ending.abort();
    this.#driver.reset();
  }

  #begin(beginning: 'subscribed' | 'assumed'): void {
    this.#beginning = beginning;
    // While the service itself has no book, a snapshot would have to wait as well.
    if (!lacksBook(this.#serviceState)) this.#driver.dispatch({ kind: beginning });
  }

  #onStep(before: SyncState, after: SyncState): void {
    // The state machine would retry here. The feed does that for every source, and informs its clients first.
    if (after.kind === 'buffering' && (hasBook(before) || after.attempt > 0))
      this.#deps.lost(after.reason ?? 'no-snapshot', after.detail);
  }

  #onPerformed(isBuilt: boolean): void {
    if (!isBuilt || this.#built === null) return;
    const { coin, events, stream } = this.#deps;
    const blocks = this.#applied.splice(0).map((batch) => blockOf(batch, []));
    const snapshot = this.#built;
    this.#built = null;
    this.#reportState();
    // Blocks first: those after the snapshot are part of the first book and are not published.
    if (blocks.length > 0) events.blocks(blocks);
    events.snapshot(coin, snapshot);
    events.completeThrough(stream.height);
  }

  async #fetch(request: number): Promise<void> {
    const ending = new AbortController();
    this.#ending = ending;
    let event: SyncEvent;
    try {
      event = { kind: 'snapshot', request, snapshot: await this.#deps.fetch(ending.signal) };
    } catch (error) {
      if (ending.signal.aborted) return;
      event = { kind: 'snapshotFailed', request, retryable: true, message: this.#deps.problemOf(error) };
    }
    if (!ending.signal.aborted) this.#driver.dispatch(event);
  }

  #reportState(): void {
    const { coin, events } = this.#deps;
    events.silenceIsQuiet(coin, this.#serviceState === 'live');
    this.#reportDoubt();
  }

  #reportDoubt(): void {
    const doubt = this.#doubtNow();
    if (doubt === this.#doubt) return;
    this.#doubt = doubt;
    this.#deps.events.doubted(this.#deps.coin, doubt);
  }

  #doubtNow(): BookLossReason | null {
    if (this.#driver.state.kind === 'unconfirmed' && !this.#isChecked) return 'unacknowledged';
    return this.#serviceState === 'stale' ? 'upstream-stale' : null;
  }
}

function hasBook(state: SyncState): state is LiveState | UnconfirmedState {
  return state.kind === 'live' || state.kind === 'unconfirmed';
}

/** Whether the service reports that it currently has no book of the coin. */
function lacksBook(state: BookState | null): boolean {
  return state !== null && state !== 'live' && state !== 'stale';
}

function blockOf({ coin, height, time, changes, statuses }: CoinBatch, diffs: readonly RawObject[]): UpstreamBlock {
  const read = statuses instanceof UnreadStatuses ? statuses.read() : statuses;
  return { coin, height, time, changes, diffs, statuses: read, statusesText: null };
}
