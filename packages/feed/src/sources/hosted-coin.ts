import { SYNC_START, type SyncEvent, type SyncState, syncStep } from '@l4desk/book';
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
  #sync: SyncState = SYNC_START;
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
  }

  /** Whether there is a book that can be lost. */
  get stands(): boolean {
    return this.#sync.kind === 'live' || this.#sync.kind === 'unconfirmed';
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
    const applied = this.#dispatch({ kind: 'batch', batch: entry.batch });
    this.#isUnchecked = false;
    this.#tellDoubt();
    return applied?.includes(entry.batch) === true ? wholeBlock(entry) : null;
  }

  /** A batch arrived on the connection, about any coins. */
  onHeight(epoch: string, height: number): void {
    if (this.#sync.kind !== 'live' && this.#sync.kind !== 'unconfirmed') return;
    // The service restarted, which also invalidates coins without an entry in this batch (L4-4).
    if (this.#sync.epoch !== epoch) {
      this.#deps.lost('upstream-epoch', `the epoch changed from ${this.#sync.epoch} to ${epoch}`);
    } else if (this.#expected !== null && height >= this.#expected.height) {
      this.#missing(this.#expected);
    }
  }

  /** The service reports the state of its own book (D54). */
  onStatus(state: BookState): void {
    const wasAway = isAway(this.#serviceState);
    this.#serviceState = state;
    if (!isAway(state)) {
      if (wasAway && this.#beginning !== null) this.#dispatch({ kind: this.#beginning });
      if (this.stands) this.#tell();
    } else if (this.stands) {
      this.#deps.lost('upstream-rebuild', `the hosted service says that its book is ${state}`);
    } else {
      // A snapshot from before the rebuild would show the old book.
      this.#dispatch({ kind: 'disconnected' });
    }
  }

  /**
   * Compares a separately fetched snapshot with the book. If both have the same seq, nothing was lost, not even silently: returns
   * true, and the book equals the service's at the snapshot's height. `height` is that of the stream's last batch.
   */
  compare(snapshot: DecodedSnapshot, height: number): boolean {
    if (this.#sync.kind !== 'live' && this.#sync.kind !== 'unconfirmed') return false;
    const { epoch, seq } = this.#sync;
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
    this.#sync = SYNC_START;
    this.#expected = null;
  }

  #begin(beginning: 'subscribed' | 'assumed'): void {
    this.#beginning = beginning;
    // While the service itself has no book, a snapshot would have to wait as well.
    if (!isAway(this.#serviceState)) this.#dispatch({ kind: beginning });
  }

  /** Runs one step. Returns the batches that were applied to the live book; null if the book was built or lost. */
  #dispatch(event: SyncEvent): readonly CoinBatch[] | null {
    const stood = this.stands;
    const { state, effects } = syncStep(this.#sync, event);
    this.#sync = state;
    const fetches = effects.some(({ kind }) => kind === 'fetchSnapshot');
    // The state machine would retry here. The feed does that for every source, and informs its clients first.
    if (state.kind === 'buffering' && fetches && (stood || state.attempt > 0)) {
      this.#deps.lost(state.reason ?? 'no-snapshot', state.detail);
      return null;
    }
    let built: DecodedSnapshot | null = null;
    const applied: CoinBatch[] = [];
    for (const effect of effects) {
      if (effect.kind === 'cancelSnapshot') this.#ending.abort();
      else if (effect.kind === 'fetchSnapshot') void this.#fetch(effect.request);
      else if (effect.kind === 'build') built = effect.snapshot;
      else applied.push(effect.batch);
    }
    if (state.kind === 'live' && this.#expected !== null && state.seq >= this.#expected.seq) this.#expected = null;
    if (built === null) return applied;
    this.#tell();
    this.#deps.joined(built, applied.map(heldBlock));
    return null;
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
    if (!ending.signal.aborted) this.#dispatch(event);
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
    if (this.#sync.kind === 'unconfirmed' && !this.#isChecked) return 'unacknowledged';
    if (this.#serviceState === 'stale') return 'upstream-stale';
    return this.#isUnchecked ? 'unchecked' : null;
  }
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
