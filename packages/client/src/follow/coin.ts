import { type BookPosition, type HeldBook, SyncDriver, type SyncEvent, SyncedBook, type SyncState } from '@l4desk/book';
import type { BookLossReason, CoinBatch, DecodedSnapshot } from '@l4desk/protocol';
import { backoffMs } from '@l4desk/runtime';
import type { Client } from '../client.ts';
import { ServiceError } from '../errors.ts';
import { l4BookSnapshot } from '../info/l4BookSnapshot.ts';
import type { Platform, Signal } from '../platform.ts';
import { type Away, coinStateOf } from './coin-state.ts';
import type { Slots } from './slots.ts';
import { fetchSnapshot } from './snapshot-fetch.ts';
import type { CoinState, CoinView, FollowEvent, FollowSettings, GapReason, Verification } from './types.ts';
import { Verifications } from './verifications.ts';

/** What one coin needs from its follower. */
export interface CoinDeps {
  readonly client: Client;
  readonly platform: Platform;
  readonly settings: FollowSettings;
  /** Limits the snapshots in flight over all coins. */
  readonly slots: Slots;
  /** Adds an event to the follower's outbox. */
  emit(event: FollowEvent): void;
  /** Delivers the events of the outbox. Called at the end of everything that starts here: timers and responses. */
  flush(): void;
  /** The service refused a snapshot for a reason that affects the whole stream. */
  onRefusedCredential(error: ServiceError): void;
}

/**
 * How long the statuses of blocks may stay unread: long enough not to delay a burst of blocks, short enough to free their text
 * soon.
 */
const SETTLE_MS = 100;

/**
 * One followed coin. Performs the effects of the sync state machine of `@l4desk/book` and reports the state of the book.
 *
 * Loop "rebuild": a gap, an epoch, a finding, a difference or a failed snapshot → fetch a snapshot → join. It continues as long
 * as the coin is followed and streamed. The machine counts the attempts, and every attempt doubles the wait.
 */
export class CoinFollower {
  readonly coin: string;
  readonly #deps: CoinDeps;
  readonly #verifications: Verifications;
  readonly #driver: SyncDriver;
  readonly #synced: SyncedBook;
  #away: Away = { reason: null, detail: 'waits for its subscription' };
  #state: CoinState;
  #gaps = 0;
  #lastGap: CoinView['lastGap'];
  #resumes = 0;
  #lastBlockAt: number | undefined;
  #verifiedAt: number | undefined;
  #provedHeight: number | undefined;
  /** The minimum wait that the service asked for in its last refusal. */
  #retryAfterMs = 0;
  #cancelFetch = () => {};
  #cancelSettling: (() => void) | undefined;

  constructor(coin: string, deps: CoinDeps) {
    this.coin = coin;
    this.#deps = deps;
    this.#state = { kind: 'waiting', ...this.#away, since: deps.platform.clock.now() };
    this.#verifications = new Verifications(deps);
    this.#synced = new SyncedBook(coin);
    this.#driver = new SyncDriver({
      fetch: (request, attempt) => this.#fetch(request, attempt),
      cancel: () => this.#cancelFetch(),
      build: (snapshot) => this.#build(snapshot),
      apply: (batch, isHeld) => this.#apply(batch, isHeld),
      stepped: (before, after) => this.#onStep(before, after),
      performed: (isBuilt) => this.#onPerformed(isBuilt),
    });
  }

  get state(): CoinState {
    return this.#state;
  }

  view(lastMessageAt: number | undefined): CoinView {
    return {
      coin: this.coin,
      state: this.#state,
      book: this.#synced.book,
      height: this.#synced.position?.height,
      seq: this.#synced.position?.seq,
      epoch: this.#synced.position?.epoch,
      blockTime: this.#synced.position?.time,
      gaps: this.#gaps,
      lastGap: this.#lastGap,
      resumes: this.#resumes,
      lastBlockAt: this.#lastBlockAt,
      lastMessageAt,
      provedHeight: this.#provedHeight,
      verifiedAt: this.#verifiedAt,
    };
  }

  /** From here on no batch of the coin is missed (L4-1). */
  onSubscribed(): void {
    this.#dispatch({ kind: 'subscribed' });
  }

  /** Like `onSubscribed`, but the batches missed since the disconnect come first, up to `until`. */
  onResumed(until: number): void {
    const missed = until - (this.held?.seq ?? until);
    this.#dispatch({ kind: 'resumed', until });
    if (!this.#stands) return;
    this.#resumes += 1;
    this.#deps.emit({ kind: 'resumed', coin: this.coin, missed });
  }

  /** The position of the book from before the disconnect, if it can be resumed. */
  get held(): (HeldBook & { readonly coin: string }) | undefined {
    const { state } = this.#driver;
    if (state.kind !== 'idle' || state.held === undefined) return undefined;
    return { ...state.held, coin: this.coin };
  }

  /** The service has not acknowledged the coin, and may be one that never acknowledges. */
  onAssumed(): void {
    this.#dispatch({ kind: 'assumed' });
  }

  onBatch(batch: CoinBatch): void {
    this.#lastBlockAt = this.#deps.platform.clock.now();
    this.#dispatch({ kind: 'batch', batch });
  }

  onRefused(message: string): void {
    this.#dispatch({ kind: 'refused', message });
  }

  /** The coin is no longer streamed: the socket is gone, or the follower has stopped. */
  onDisconnected(away: Away): void {
    this.#away = away;
    this.#dispatch({ kind: 'disconnected' });
  }

  /** The book no longer matches the service's, although the stream has not shown it. */
  onMissed(reason: GapReason, detail: string): void {
    if (!this.#stands && this.held === undefined) return;
    this.#countGap(reason, detail);
    this.#dispatch({ kind: 'auditFailed', message: detail });
    this.#deps.flush();
  }

  /** The coin is no longer followed. Cancels everything in flight. */
  release(): void {
    this.#cancelFetch();
    this.#cancelSettling?.();
    this.#verifications.abandon();
  }

  /**
   * Compares the book with a fresh snapshot.
   *
   * Loop "verify again": a snapshot that cannot be compared is requested again, at most twice.
   */
  async verify(signal: Signal | undefined): Promise<Verification> {
    for (let tries = 0; tries < 3; tries += 1) {
      const live = this.#live();
      if (live === undefined) break;
      const fetch = (ending: Signal) => l4BookSnapshot(this.#deps.client, { coin: this.coin }, { signal: ending });
      const outcome = await this.#verifications.run(live, () => this.#live(), fetch, signal);
      const { position } = this.#synced;
      if (outcome.kind === 'abandoned' || position === undefined) break;
      if (outcome.kind === 'again') continue;
      return this.#verified(outcome, position);
    }
    return { kind: 'abandoned', state: this.#state };
  }

  #verified(outcome: { kind: 'equal' } | { kind: 'different'; detail: string }, position: BookPosition): Verification {
    const { height, seq } = position;
    const at = this.#deps.platform.clock.now();
    const verification: Verification =
      outcome.kind === 'equal'
        ? { kind: 'equal', height, seq, at }
        : { kind: 'different', height, seq, detail: outcome.detail };
    if (outcome.kind === 'equal') this.#verifiedAt = at;
    this.#deps.emit({ kind: 'verified', coin: this.coin, verification });
    if (outcome.kind === 'different') this.#dispatch({ kind: 'auditFailed', message: outcome.detail });
    this.#deps.flush();
    return verification;
  }

  get #stands(): boolean {
    return stands(this.#driver.state);
  }

  #live() {
    const { state } = this.#driver;
    const { book } = this.#synced;
    if (state.kind !== 'live' || book === undefined) return undefined;
    return { book, epoch: state.epoch, seq: state.seq };
  }

  #dispatch(event: SyncEvent): void {
    this.#driver.dispatch(event);
    this.#refreshState();
  }

  #onStep(before: SyncState, after: SyncState): void {
    const stood = stands(before);
    if (stood && !stands(after)) this.#verifications.abandon();
    if (stood && after.kind === 'buffering') this.#countGap(after.reason, after.detail);
    // A book is reported only after it is built and the buffered blocks are applied without a finding.
    if (!stands(after)) this.#refreshState();
  }

  #onPerformed(isBuilt: boolean): void {
    const { book } = this.#synced;
    if (isBuilt && book !== undefined) this.#deps.emit({ kind: 'book', coin: this.coin, book });
  }

  #countGap(reason: BookLossReason | null, detail: string): void {
    if (reason !== 'upstream-gap' && reason !== 'upstream-epoch') return;
    this.#gaps += 1;
    this.#lastGap = { at: this.#deps.platform.clock.now(), reason, detail };
  }

  #build(snapshot: DecodedSnapshot): SyncEvent | undefined {
    const wrong = this.#synced.build(snapshot);
    if (wrong === undefined) this.#provedHeight = undefined;
    else this.#reportWrong(wrong, undefined);
    return wrong;
  }

  #apply(batch: CoinBatch, isHeld: boolean): SyncEvent | undefined {
    const wrong = this.#synced.apply(batch);
    const { book } = this.#synced;
    if (book?.isSettled === false) this.#settleSoon();
    if (wrong !== undefined || book === undefined) {
      if (wrong !== undefined) this.#reportWrong(wrong, batch);
      return wrong;
    }
    if (batch.checksum !== undefined) this.#provedHeight = batch.height;
    if (!isHeld) this.#deps.emit({ kind: 'block', coin: this.coin, batch });
    this.#verifications.onApplied(batch, { book, epoch: batch.epoch, seq: batch.seq });
    return undefined;
  }

  /** Emits what contradicts the book: findings, or the checksum of the service. */
  #reportWrong(wrong: SyncEvent, batch: CoinBatch | undefined): void {
    const { coin } = this;
    if (wrong.kind === 'finding') this.#deps.emit({ kind: 'findings', coin, findings: wrong.findings });
    if (wrong.kind !== 'auditFailed' || batch?.checksum === undefined) return;
    const actual = this.#synced.book?.rollingChecksum() ?? '';
    this.#deps.emit({ kind: 'disproved', coin, height: batch.height, expected: batch.checksum, actual });
  }

  /** Reads the deferred statuses of new orders after their blocks are shown (BOOK-2), with one timer at a time. */
  #settleSoon(): void {
    this.#cancelSettling ??= this.#deps.platform.clock.after(SETTLE_MS, () => {
      this.#cancelSettling = undefined;
      const findings = this.#synced.book?.settle() ?? [];
      if (findings.length > 0 && (this.#stands || this.held !== undefined)) {
        this.#deps.emit({ kind: 'findings', coin: this.coin, findings });
        this.#dispatch({ kind: 'finding', findings });
      }
      this.#deps.flush();
    });
  }

  #fetch(request: number, attempt: number): void {
    const { platform, settings } = this.#deps;
    const backoff = attempt === 0 ? 0 : backoffMs(attempt, settings.rebuild, platform.random);
    const waitMs = attempt === 0 ? 0 : Math.max(backoff, this.#retryAfterMs);
    this.#retryAfterMs = 0;
    this.#cancelFetch();
    this.#cancelFetch = fetchSnapshot(this.#deps, {
      coin: this.coin,
      waitMs,
      onEnd: (outcome) => {
        if (outcome.kind === 'failed') this.#onSnapshotFailed(request, outcome.error);
        else this.#dispatch({ kind: 'snapshot', request, snapshot: outcome.snapshot });
      },
    });
  }

  #onSnapshotFailed(request: number, error: unknown): void {
    if (error instanceof ServiceError) {
      this.#retryAfterMs = error.retryAfterMs ?? 0;
      if (error.status === 401 || error.status === 402 || error.status === 403) {
        this.#deps.onRefusedCredential(error);
        return;
      }
    }
    // Only the service's own refusal of the coin is final. A malformed response may be correct the next time.
    const retryable = !(error instanceof ServiceError) || error.retryable;
    this.#dispatch({
      kind: 'snapshotFailed',
      request,
      retryable,
      message: error instanceof Error ? error.message : String(error),
    });
  }

  #refreshState(): void {
    const previous = this.#state;
    const circumstances = { previous: previous.kind, hasBook: this.#synced.book !== undefined, away: this.#away };
    const next = coinStateOf(this.#driver.state, circumstances);
    if (next.kind === previous.kind && next.reason === previous.reason && next.detail === previous.detail) return;
    const since = next.kind === previous.kind ? previous.since : this.#deps.platform.clock.now();
    this.#state = { ...next, since };
    this.#deps.emit({ kind: 'state', coin: this.coin, state: this.#state, previous });
  }
}

/** Whether there is a book from the last snapshot, confirmed or not, or missed blocks are still to come. */
function stands({ kind }: SyncState): boolean {
  return kind === 'live' || kind === 'unconfirmed' || kind === 'resuming';
}
