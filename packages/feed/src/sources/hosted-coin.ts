import { type LiveState, SyncDriver, type SyncEvent, type SyncState, type UnconfirmedState } from '@l4desk/book';
import {
  type BookLossReason,
  type BookState,
  type CoinBatch,
  type DecodedSnapshot,
  UnreadStatuses,
} from '@l4desk/protocol';
import type { UpstreamBlock } from '../blocks/upstream-block.ts';
import type { HostedEntry } from './hosted-message.ts';

/** Dependencies of a followed coin. */
export interface HostedCoinDeps {
  readonly fetch: (signal: AbortSignal) => Promise<DecodedSnapshot>;
  /** Describes in one sentence why there is no snapshot. */
  readonly problemOf: (error: unknown) => string;
  /** The book is built: its snapshot, and the blocks after it that arrived meanwhile. */
  readonly joined: (snapshot: DecodedSnapshot, blocks: readonly UpstreamBlock[]) => void;
  /** The coin can no longer be followed and must be joined again. */
  readonly lost: (reason: BookLossReason, detail: string) => void;
  /** The state of the service's own book (D54), reported once there is a book here; null if the service does not report it. */
  readonly onState: (state: BookState | null) => void;
  /** The reason why the book may be outdated; null once there is none. */
  readonly doubted: (reason: BookLossReason | null) => void;
}

/** An entry that a snapshot already contains. Batches arrive whole and in order, so past its height the entry is missing. */
interface Expected {
  readonly seq: number;
  readonly height: number;
}

/**
 * One coin followed at a hosted service. Drives the sync state machine of `@l4desk/book` through bootstrap and stream (§4.7). It
 * ends with the first loss; the feed then joins the coin again, as with any source.
 */
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
  #expected: Expected | null = null;
  /** Whether a fresh snapshot matched the book; matters if the subscription was only assumed. */
  #isChecked = false;
  /** Whether the last check got no response. */
  #isUnchecked = false;
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

  /** Whether there is a book that can be lost. */
  get stands(): boolean {
    return stands(this.#driver.state);
  }

  /** Whether the subscription has no response yet. */
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
  onEntry(entry: HostedEntry): UpstreamBlock | null {
    this.#applied = [];
    this.#driver.dispatch({ kind: 'batch', batch: entry.batch });
    this.#isUnchecked = false;
    this.#tellDoubt();
    return this.#applied.includes(entry.batch) ? wholeBlock(entry) : null;
  }

  /** A batch arrived on the connection, about any coins. */
  onHeight(epoch: string, height: number): void {
    const { state } = this.#driver;
    if (!stands(state)) return;
    // The service restarted, which also invalidates coins without an entry in this batch (L4-4).
    if (state.epoch !== epoch) {
      this.#deps.lost('upstream-epoch', `the epoch changed from ${state.epoch} to ${epoch}`);
    } else if (this.#expected !== null && height >= this.#expected.height) {
      this.#missing(this.#expected);
    }
  }

  /** The service reports the state of its own book (D54). */
  onStatus(state: BookState): void {
    const wasAway = isAway(this.#serviceState);
    this.#serviceState = state;
    if (!isAway(state)) {
      if (wasAway && this.#beginning !== null) this.#driver.dispatch({ kind: this.#beginning });
      if (this.stands) this.#tell();
    } else if (this.stands) {
      this.#deps.lost('upstream-rebuild', `the hosted service says that its book is ${state}`);
    } else {
      // A snapshot from before the rebuild would show the old book.
      this.#driver.dispatch({ kind: 'disconnected' });
    }
  }

  /**
   * Compares a separately fetched snapshot with the book. If both have the same seq, nothing was lost, not even silently: returns
   * true, and the book equals the service's at the snapshot's height. `height` is that of the stream's last batch.
   */
  compare(snapshot: DecodedSnapshot, height: number): boolean {
    const { state } = this.#driver;
    if (!stands(state)) return false;
    const { epoch, seq } = state;
    if (snapshot.epoch !== epoch) {
      this.#deps.lost('upstream-epoch', `a snapshot is of epoch ${snapshot.epoch}, the stream of ${epoch}`);
      return false;
    }
    // A snapshot behind the stream shows nothing. Ahead of it, the entries in between are in flight or were never sent.
    if (snapshot.seq > seq) {
      this.#expected = { seq: snapshot.seq, height: snapshot.height };
      this.onHeight(epoch, height);
    }
    if (snapshot.seq !== seq) return false;
    this.#isChecked = true;
    this.#isUnchecked = false;
    this.#tellDoubt();
    return true;
  }

  /** A check of whether the service still has this book got no response. */
  onUnchecked(): void {
    this.#isUnchecked = true;
    this.#tellDoubt();
  }

  /** Whether an entry is missing that a snapshot contains. */
  get isBehind(): boolean {
    return this.#expected !== null;
  }

  /** No batches have arrived for too long, so the missing entry will not arrive. */
  onSilence(): void {
    if (this.#expected !== null) this.#missing(this.#expected);
  }

  /** The coin is released; nothing is reported from now on. */
  end(): void {
    this.#ending.abort();
    this.#driver.reset();
    this.#expected = null;
  }

  #begin(beginning: 'subscribed' | 'assumed'): void {
    this.#beginning = beginning;
    // While the service itself has no book, a snapshot would have to wait as well.
    if (!isAway(this.#serviceState)) this.#driver.dispatch({ kind: beginning });
  }

  #onStep(before: SyncState, after: SyncState): void {
    // The state machine would retry here. The feed does that for every source, and informs its clients first.
    if (after.kind === 'buffering' && (stands(before) || after.attempt > 0))
      this.#deps.lost(after.reason ?? 'no-snapshot', after.detail);
  }

  #onPerformed(isBuilt: boolean): void {
    const { state } = this.#driver;
    if (state.kind === 'live' && this.#expected !== null && state.seq >= this.#expected.seq) this.#expected = null;
    if (!isBuilt || this.#built === null) return;
    const blocks = this.#applied.splice(0).map(heldBlock);
    const snapshot = this.#built;
    this.#built = null;
    this.#tell();
    this.#deps.joined(snapshot, blocks);
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

  #missing({ seq, height }: Expected): void {
    this.#deps.lost('upstream-gap', `the snapshot at ${height} has seq ${seq}, of which the stream said nothing`);
  }

  #tell(): void {
    this.#deps.onState(this.#serviceState);
    this.#tellDoubt();
  }

  #tellDoubt(): void {
    const doubt = this.#doubtNow();
    if (doubt === this.#doubt) return;
    this.#doubt = doubt;
    this.#deps.doubted(doubt);
  }

  #doubtNow(): BookLossReason | null {
    if (this.#driver.state.kind === 'unconfirmed' && !this.#isChecked) return 'unacknowledged';
    if (this.#serviceState === 'stale') return 'upstream-stale';
    return this.#isUnchecked ? 'unchecked' : null;
  }
}

/** Whether there is a book that can be lost. */
function stands(state: SyncState): state is LiveState | UnconfirmedState {
  return state.kind === 'live' || state.kind === 'unconfirmed';
}

/** Whether the service reports that it currently has no book of the coin. */
function isAway(state: BookState | null): boolean {
  return state !== null && state !== 'live' && state !== 'stale';
}

function wholeBlock({ batch, diffs, statusesText }: HostedEntry): UpstreamBlock {
  const { coin, height, time, changes } = batch;
  return { coin, height, time, changes, diffs, statuses: statusesOf(batch), statusesText };
}

/** A block that is part of the first book and is therefore not published. */
function heldBlock(batch: CoinBatch): UpstreamBlock {
  const { coin, height, time, changes } = batch;
  return { coin, height, time, changes, diffs: [], statuses: statusesOf(batch), statusesText: null };
}

function statusesOf({ statuses }: CoinBatch) {
  return statuses instanceof UnreadStatuses ? statuses.read() : statuses;
}
