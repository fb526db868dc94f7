import { SYNC_START, type SyncEvent, type SyncState, syncStep } from '@l4desk/book';
import {
  type BookLossReason,
  type BookState,
  type CoinBatch,
  type DecodedSnapshot,
  UnreadStatuses,
} from '@l4desk/protocol';
import type { UpstreamBlock } from '../sequencer/upstream-block.ts';
import type { HostedEntry } from './hosted-message.ts';

/** Dependencies of a followed coin. */
export interface HostedCoinDeps {
  readonly fetch: (signal: AbortSignal) => Promise<DecodedSnapshot>;
  /** Why a snapshot did not come, in one sentence. */
  readonly problemOf: (error: unknown) => string;
  /** The book is there: the snapshot, and the blocks after it that came meanwhile. */
  readonly joined: (snapshot: DecodedSnapshot, blocks: readonly UpstreamBlock[]) => void;
  /** The coin cannot be followed from here and is to be joined again. */
  readonly lost: (reason: BookLossReason, detail: string) => void;
  /** The state of the service's own book (D54) once there is one here: null if the service does not report it. */
  readonly onState: (state: BookState | null) => void;
  /** The book may be old, and why; null when nothing speaks for it any more. */
  readonly doubted: (reason: BookLossReason | null) => void;
}

/** An entry that a snapshot has already. A batch is sent whole and in order: past its height the entry does not come. */
interface Expected {
  readonly seq: number;
  readonly height: number;
}

/**
 * One coin that is followed at a hosted service: drives the sync machine of `@l4desk/book` through bootstrap and stream (§4.7).
 * It ends with the first loss; the feed joins the coin again, as with any source.
 */
export class HostedCoin {
  readonly #deps: HostedCoinDeps;
  #sync: SyncState = SYNC_START;
  /** How the coin's subscription began; null while that is not known. */
  #beginning: 'subscribed' | 'assumed' | null = null;
  /** How the service's own book is, null while it has not said. */
  #serviceState: BookState | null = null;
  #ending = new AbortController();
  #expected: Expected | null = null;
  /** A fresh snapshot was found to be the book, after the subscription was only assumed. */
  #isChecked = false;
  /** The last check got no response. */
  #isUnchecked = false;
  #doubt: BookLossReason | null = null;

  constructor(deps: HostedCoinDeps) {
    this.#deps = deps;
  }

  /** Whether there is a book, and so something to lose. */
  get stands(): boolean {
    return this.#sync.kind === 'live' || this.#sync.kind === 'unconfirmed';
  }

  /** Whether the subscription is still without a response. */
  get awaitsResponse(): boolean {
    return this.#beginning === null;
  }

  onSubscribed(): void {
    this.#begin('subscribed');
  }

  onAssumed(): void {
    this.#begin('assumed');
  }

  /** Takes in the coin's entry of a batch; a block to pass on when the book is live and it follows. */
  onEntry(entry: HostedEntry): UpstreamBlock | null {
    const applied = this.#dispatch({ kind: 'batch', batch: entry.batch });
    this.#isUnchecked = false;
    this.#tellDoubt();
    return applied?.includes(entry.batch) === true ? wholeBlock(entry) : null;
  }

  /** A batch of the connection was taken in, whatever coins it was about. */
  onHeight(epoch: string, height: number): void {
    if (this.#sync.kind !== 'live' && this.#sync.kind !== 'unconfirmed') return;
    // The service restarted: its reports on coins that have no entry yet are void as well (L4-4).
    if (this.#sync.epoch !== epoch) {
      this.#deps.lost('upstream-epoch', `the epoch changed from ${this.#sync.epoch} to ${epoch}`);
    } else if (this.#expected !== null && height >= this.#expected.height) {
      this.#missing(this.#expected);
    }
  }

  /** The service says how its own book is (D54). */
  onStatus(state: BookState): void {
    const wasAway = isAway(this.#serviceState);
    this.#serviceState = state;
    if (!isAway(state)) {
      if (wasAway && this.#beginning !== null) this.#dispatch({ kind: this.#beginning });
      if (this.stands) this.#tell();
    } else if (this.stands) {
      this.#deps.lost('upstream-rebuild', `the hosted service says that its book is ${state}`);
    } else {
      // A snapshot from before its book is there again would be of the old one.
      this.#dispatch({ kind: 'disconnected' });
    }
  }

  /**
   * A snapshot that was fetched besides: at the book's own place nothing was lost, not even silently. True when it is
   * the book, and the book is the service's at its height. The stream has come to `height`.
   */
  compare(snapshot: DecodedSnapshot, height: number): boolean {
    if (this.#sync.kind !== 'live' && this.#sync.kind !== 'unconfirmed') return false;
    const { epoch, seq } = this.#sync;
    if (snapshot.epoch !== epoch) {
      this.#deps.lost('upstream-epoch', `a snapshot is of epoch ${snapshot.epoch}, the stream of ${epoch}`);
      return false;
    }
    // Behind the stream it says nothing; ahead of it the entries in between are on their way, or were never sent.
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

  /** The service has not said for too long whether its book is still this one. */
  onUnchecked(): void {
    this.#isUnchecked = true;
    this.#tellDoubt();
  }

  /** Whether an entry is missing that a snapshot had. */
  get isBehind(): boolean {
    return this.#expected !== null;
  }

  /** Nothing comes over the connection any more that could be the missing entry. */
  onSilence(): void {
    if (this.#expected !== null) this.#missing(this.#expected);
  }

  /** The coin is released. Nothing is reported from here on. */
  end(): void {
    this.#ending.abort();
    this.#sync = SYNC_START;
    this.#expected = null;
  }

  #begin(beginning: 'subscribed' | 'assumed'): void {
    this.#beginning = beginning;
    // The service waits for its own book: a snapshot would have to wait as well.
    if (!isAway(this.#serviceState)) this.#dispatch({ kind: beginning });
  }

  /** One step; returns the batches that were applied to the live book, null where the book was built or lost. */
  #dispatch(event: SyncEvent): readonly CoinBatch[] | null {
    const stood = this.stands;
    const { state, effects } = syncStep(this.#sync, event);
    this.#sync = state;
    const fetches = effects.some(({ kind }) => kind === 'fetchSnapshot');
    // The state machine would retry by itself here. The feed does that for every source: it informs its clients first.
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

/** Whether the service says that it has no book of the coin for now. */
function isAway(state: BookState | null): boolean {
  return state !== null && state !== 'live' && state !== 'stale';
}

function wholeBlock({ batch, diffs, statusesText }: HostedEntry): UpstreamBlock {
  const { coin, height, time, changes } = batch;
  return { coin, height, time, changes, diffs, statuses: statusesOf(batch), statusesText };
}

/** A block that is part of the book when it is first shown: it is not published. */
function heldBlock(batch: CoinBatch): UpstreamBlock {
  const { coin, height, time, changes } = batch;
  return { coin, height, time, changes, diffs: [], statuses: statusesOf(batch), statusesText: null };
}

function statusesOf({ statuses }: CoinBatch) {
  return statuses instanceof UnreadStatuses ? statuses.read() : statuses;
}
