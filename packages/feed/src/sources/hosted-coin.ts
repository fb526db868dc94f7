import { type LiveState, SyncDriver, type SyncEvent, type SyncState, type UnconfirmedState } from '@l4desk/book';
import {
  type BookLossReason,
  type BookState,
  type CoinBatch,
  type DecodedSnapshot,
  UnreadStatuses,
} from '@l4desk/protocol';
import { backoffMs, type Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import type { RawObject, UpstreamBlock } from '../blocks/upstream-block.ts';
import type { HostedEntry } from './hosted-message.ts';
import type { SourceEvents } from './source.ts';

/** Dependencies of a followed coin. */
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
  /** Height of the last batch of this connection, about any coins, and when it arrived. */
  readonly stream: { readonly height: number; readonly batchAt: number };
  /** How long the response to a check may take, in ms. */
  readonly quietCheckWithinMs: number;
  readonly clock: SystemClock;
  readonly random: () => number;
  readonly log: Log;
}

/** How long a service that does not report its losses may be silent about a coin before it is checked (UP-30). */
const QUIET_CHECK_MS = 60_000;

/** Random share by which that is shortened, so that coins that were joined together are not checked together. */
const SPREAD = 0.25;

/** The first pause before a failed check is repeated. */
const CHECK_AGAIN_MS = 1_000;

/** Time without any batch after which an entry that a snapshot contains and the stream lacks is considered lost. */
const BEHIND_MS = 5_000;

/** An entry that a snapshot already contains. Batches arrive whole and in order, so past its height the entry is missing. */
interface Expected {
  readonly seq: number;
  readonly height: number;
}

/**
 * One coin followed at a hosted service, through bootstrap and stream (§4.7), until its first loss. If the service does
 * not report its own losses (D54), a quiet coin is compared with a snapshot (UP-30).
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
  /** When the coin is compared with a snapshot unless it has a message before, and consecutive checks without a response. */
  #checkAt = 0;
  #failedChecks = 0;
  #cancelCheck = () => {};
  readonly #closing = new AbortController();
  #cancelBehind: (() => void) | null = null;

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
  onEntry({ batch, diffs }: HostedEntry): UpstreamBlock | null {
    this.#applied = [];
    this.#driver.dispatch({ kind: 'batch', batch });
    this.#confirmed();
    return this.#applied.includes(batch) ? blockOf(batch, diffs) : null;
  }

  /** A batch arrived on the connection, about any coins. */
  onHeight(epoch: string, height: number): void {
    const { state } = this.#driver;
    if (!hasBook(state)) return;
    // The service restarted, which also invalidates coins without an entry in this batch (L4-4).
    if (state.epoch !== epoch) {
      this.#deps.lost('upstream-epoch', `the epoch changed from ${state.epoch} to ${epoch}`);
    } else if (this.#expected !== null && height >= this.#expected.height) {
      this.#missing(this.#expected);
    }
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
    const { coin, events, lost, stream } = this.#deps;
    const { state } = this.#driver;
    if (!hasBook(state)) return;
    const { epoch, seq } = state;
    if (snapshot.epoch !== epoch) {
      lost('upstream-epoch', `a snapshot is of epoch ${snapshot.epoch}, the stream of ${epoch}`);
      return;
    }
    // A snapshot behind the stream shows nothing. Ahead of it, the entries in between are in flight or were never sent.
    if (snapshot.seq > seq) {
      this.#expected = { seq: snapshot.seq, height: snapshot.height };
      this.onHeight(epoch, stream.height);
      this.#watchBehind();
    }
    if (snapshot.seq !== seq) return;
    this.#isChecked = true;
    this.#confirmed();
    events.unchanged(coin, snapshot.height, snapshot.time);
  }

  /** The coin is released; nothing is reported from now on. */
  end(): void {
    this.#closing.abort();
    this.#ending.abort();
    this.#driver.reset();
    this.#expected = null;
    this.#cancelCheck();
    this.#cancelBehind?.();
  }

  /** The book equals the service's, as far as its last message or snapshot shows. */
  #confirmed(): void {
    this.#expectQuiet();
    this.#isUnchecked = false;
    this.#reportDoubt();
  }

  #expectQuiet(): void {
    const { clock, random } = this.#deps;
    this.#checkAt = clock.now() + QUIET_CHECK_MS * (1 - SPREAD * random());
  }

  #checkWhenDue(): void {
    const { clock } = this.#deps;
    this.#cancelCheck();
    this.#cancelCheck = clock.after(Math.max(0, this.#checkAt - clock.now()), () => {
      if (this.#checkAt > clock.now()) this.#checkWhenDue();
      else void this.#check();
    });
  }

  /** While there is no response, it is repeated with pauses that grow up to the period. */
  async #check(): Promise<void> {
    const { clock, coin, fetch, log, problemOf, quietCheckWithinMs, random } = this.#deps;
    const { signal } = this.#closing;
    const within = new AbortController();
    const cancel = clock.after(quietCheckWithinMs, () => within.abort(new Error('no response in time')));
    const dueAt = this.#checkAt;
    try {
      this.compare(await fetch(AbortSignal.any([signal, within.signal])));
      this.#failedChecks = 0;
      this.#expectQuiet();
    } catch (error) {
      // A message about the coin meanwhile counts as a response.
      if (!signal.aborted && this.#checkAt === dueAt) {
        this.#failedChecks += 1;
        const pause = { firstMs: CHECK_AGAIN_MS, longestMs: QUIET_CHECK_MS };
        this.#checkAt = clock.now() + backoffMs(this.#failedChecks, pause, random);
        this.#isUnchecked = true;
        log.warn({ coin, problem: problemOf(error) }, 'checking a quiet book failed');
        this.#reportDoubt();
      }
    }
    cancel();
    if (!signal.aborted) this.#checkWhenDue();
  }

  /** Loses a coin that is behind a snapshot once no batches arrive at all; while batches arrive, their height shows the loss. */
  #watchBehind(): void {
    const { clock, stream } = this.#deps;
    if (this.#cancelBehind !== null || this.#expected === null) return;
    const since = clock.now();
    this.#cancelBehind = clock.after(BEHIND_MS, () =>
      clock.afterInput(() => {
        this.#cancelBehind = null;
        if (this.#expected !== null && stream.batchAt <= since) this.#missing(this.#expected);
        this.#watchBehind();
      }),
    );
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
    const { state } = this.#driver;
    if (state.kind === 'live' && this.#expected !== null && state.seq >= this.#expected.seq) this.#expected = null;
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

  #missing({ seq, height }: Expected): void {
    this.#deps.lost('upstream-gap', `the snapshot at ${height} has seq ${seq}, but the stream never sent that entry`);
  }

  #reportState(): void {
    const { coin, events } = this.#deps;
    events.silenceIsQuiet(coin, this.#serviceState === 'live');
    if (this.#serviceState === null) {
      this.#expectQuiet();
      this.#checkWhenDue();
    } else this.#cancelCheck();
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
    if (this.#serviceState === 'stale') return 'upstream-stale';
    return this.#isUnchecked ? 'unchecked' : null;
  }
}

/** Whether there is a book that can be lost. */
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
