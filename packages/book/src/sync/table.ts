import type { BookLossReason, CoinBatch } from '@l4desk/protocol';
import { describeFinding } from '../finding.ts';
import { bufferedBatches, EMPTY_BUFFER, pushBatch } from './buffer.ts';
import {
  type BufferingState,
  type FailedState,
  type HeldBook,
  type IdleState,
  type LiveState,
  type ResumingState,
  SETTLED_BATCHES,
  type SyncEffect,
  type SyncEvent,
  type SyncState,
  type SyncStep,
  type UnconfirmedState,
} from './state.ts';

type StateOf<Kind extends SyncState['kind']> = Extract<SyncState, { kind: Kind }>;
type EventOf<Kind extends SyncEvent['kind']> = Extract<SyncEvent, { kind: Kind }>;

/** What an event does in a state. `outcome` describes it as SPEC.md prints it. */
interface Cell<State extends SyncState, Event extends SyncEvent> {
  readonly outcome: string;
  readonly step: (state: State, event: Event) => SyncStep;
}

type SyncTable = {
  readonly [State in SyncState['kind']]: {
    readonly [Event in SyncEvent['kind']]: Cell<StateOf<State>, EventOf<Event>>;
  };
};

const ignored = { outcome: '–', step: stay };
const started = { outcome: 'buffering: fetch', step: start };
const assumed = { outcome: 'buffering: fetch', step: assume };
const acknowledged = { outcome: 'buffering: fetch', step: acknowledge };
const forgotten = { outcome: 'idle: forget the book', step: forget };
const refused = { outcome: 'failed', step: fail };
const refusedWaiting = { outcome: 'failed: cancel', step: fail };

/**
 * Every state times every event (§4.7). The type requires every cell. SPEC.md holds the same table, and a test compares the
 * two.
 */
export const SYNC_TABLE: SyncTable = {
  idle: {
    subscribed: started,
    resumed: { outcome: 'resuming; or live; or buffering: fetch', step: resume },
    assumed,
    batch: ignored,
    snapshot: ignored,
    snapshotFailed: ignored,
    finding: forgotten,
    auditFailed: forgotten,
    refused,
    disconnected: ignored,
  },
  buffering: {
    subscribed: { outcome: 'buffering: cancel, fetch', step: acknowledge },
    resumed: { outcome: 'buffering: cancel, fetch', step: acknowledge },
    assumed: ignored,
    batch: { outcome: 'buffering: keep it', step: bufferBatch },
    snapshot: { outcome: 'live: build, apply; or unconfirmed: build; or buffering: fetch', step: joinSnapshot },
    snapshotFailed: { outcome: 'buffering: fetch; or failed', step: snapshotFailed },
    finding: ignored,
    auditFailed: ignored,
    refused: refusedWaiting,
    disconnected: { outcome: 'idle: cancel', step: disconnect },
  },
  unconfirmed: {
    subscribed: acknowledged,
    resumed: acknowledged,
    assumed: ignored,
    batch: { outcome: 'live: apply; or buffering: keep it, fetch', step: confirm },
    snapshot: ignored,
    snapshotFailed: ignored,
    finding: { outcome: 'buffering: fetch', step: foundWrong },
    auditFailed: { outcome: 'buffering: fetch', step: auditFailed },
    refused,
    disconnected: { outcome: 'idle', step: disconnect },
  },
  resuming: {
    subscribed: acknowledged,
    resumed: ignored,
    assumed: ignored,
    batch: { outcome: 'resuming: apply; or live: apply; or buffering: keep it, fetch', step: applyMissed },
    snapshot: ignored,
    snapshotFailed: ignored,
    finding: { outcome: 'buffering: fetch', step: foundWrong },
    auditFailed: { outcome: 'buffering: fetch', step: auditFailed },
    refused,
    disconnected: { outcome: 'idle', step: disconnect },
  },
  live: {
    subscribed: acknowledged,
    resumed: acknowledged,
    assumed: ignored,
    batch: { outcome: 'live: apply; or buffering: keep it, fetch', step: applyBatch },
    snapshot: ignored,
    snapshotFailed: ignored,
    finding: { outcome: 'buffering: fetch', step: foundWrong },
    auditFailed: { outcome: 'buffering: fetch', step: auditFailed },
    refused,
    disconnected: { outcome: 'idle', step: disconnect },
  },
  failed: {
    subscribed: started,
    resumed: started,
    assumed,
    batch: ignored,
    snapshot: ignored,
    snapshotFailed: ignored,
    finding: ignored,
    auditFailed: ignored,
    refused,
    disconnected: ignored,
  },
};

/**
 * One step of one coin through §4.7: pure and total, and it never loops by itself. Both ways back, a rebuild from `live` and
 * another fetch from `buffering`, request a higher attempt, which the driver delays, until a book has been live for
 * SETTLED_BATCHES. They continue for as long as the subscription does.
 */
export function syncStep(state: SyncState, event: SyncEvent): SyncStep {
  // The table pairs each kind of state and event with its own step; the type checker cannot follow indexing by both.
  const cell = SYNC_TABLE[state.kind][event.kind] as unknown as Cell<SyncState, SyncEvent>;
  return cell.step(state, event);
}

function stay(state: SyncState): SyncStep {
  return { state, effects: [] };
}

function start(state: IdleState | FailedState): SyncStep {
  return fetchFor(state, { ...FRESH, subscription: 'effective', reason: null, detail: 'subscribed' });
}

function assume(state: IdleState | FailedState): SyncStep {
  return fetchFor(state, { ...FRESH, subscription: 'assumed', reason: null, detail: 'nothing acknowledged' });
}

/** L4-2: a snapshot that was requested before the subscription was effective may lack changes in between. */
function acknowledge(state: BufferingState | UnconfirmedState | ResumingState | LiveState): SyncStep {
  const detail = 'acknowledged after the snapshot was asked for';
  return fetchFor(state, { ...FRESH, subscription: 'effective', reason: 'unacknowledged', detail });
}

function fail(state: SyncState, { message }: EventOf<'refused'>): SyncStep {
  return { state: { kind: 'failed', request: state.request, message }, effects: cancelled(state) };
}

function disconnect(state: BufferingState | UnconfirmedState | ResumingState | LiveState): SyncStep {
  const idle: IdleState = { kind: 'idle', request: state.request };
  return { state: state.kind === 'buffering' ? idle : { ...idle, held: heldBook(state) }, effects: cancelled(state) };
}

/** The earlier book turned out to be wrong. */
function forget({ request }: IdleState): SyncStep {
  return { state: { kind: 'idle', request }, effects: [] };
}

/** Continues with the earlier book, if there is one and it is not ahead of what the source sends. */
function resume(state: IdleState, { until }: EventOf<'resumed'>): SyncStep {
  const { held, request } = state;
  if (held === undefined || until < held.seq) return start(state);
  if (until === held.seq) return { state: { kind: 'live', request, ...held, applied: 0 }, effects: [] };
  return { state: { kind: 'resuming', request, ...held, until }, effects: [] };
}

/** Applies one of the missed batches; after the last one the book is the source's again. */
function applyMissed(state: ResumingState, event: EventOf<'batch'>): SyncStep {
  const { request, until } = state;
  const { state: next, effects } = applyBatch({ kind: 'live', request, ...heldBook(state), applied: 0 }, event);
  if (next.kind !== 'live' || next.seq >= until) return { state: next, effects };
  return { state: { kind: 'resuming', request, ...heldBook(next), until }, effects };
}

function heldBook({ epoch, seq, height, attempt }: HeldBook): HeldBook {
  return { epoch, seq, height, attempt };
}

/** L4-1. A batch that arrives shows that the subscription is effective. */
function bufferBatch(state: BufferingState, { batch }: EventOf<'batch'>): SyncStep {
  return { state: { ...state, subscription: 'effective', buffer: pushBatch(state.buffer, batch) }, effects: [] };
}

/** L4-2 to L4-5: snapshot and buffered batches become the book, or the snapshot is fetched again. */
function joinSnapshot(state: BufferingState, { request, snapshot }: EventOf<'snapshot'>): SyncStep {
  if (request !== state.request) return stay(state);
  const { epoch, seq, height } = snapshot;
  // L4-3. Compare both: the height also removes batches of an older generation, whose seq says nothing about this one.
  const remaining = bufferedBatches(state.buffer).filter(
    (batch) => batch.height > height && (batch.epoch !== epoch || batch.seq > seq),
  );
  const first = remaining[0];
  if (first !== undefined && first.epoch !== epoch) {
    return fetchAgain(state, 'upstream-epoch', `the snapshot is of epoch ${epoch}, the stream of ${first.epoch}`);
  }
  if (first !== undefined && first.prevSeq !== seq) {
    return fetchAgain(
      state,
      'stale-snapshot',
      `the snapshot ends at seq ${seq}, the stream begins after ${first.prevSeq}`,
    );
  }
  const attempt = nextAttempt(state.attempt + 1, remaining.length);
  const build: SyncEffect = { kind: 'build', snapshot };
  if (state.subscription === 'assumed') {
    return { state: { kind: 'unconfirmed', request, attempt, epoch, seq, height }, effects: [build] };
  }
  const last = remaining.at(-1);
  const live: LiveState = {
    kind: 'live',
    request,
    attempt,
    epoch,
    seq: last?.seq ?? seq,
    height: last?.height ?? height,
    applied: remaining.length,
  };
  return { state: live, effects: [build, ...remaining.map(applied)] };
}

/**
 * The first batch of an assumed subscription. If it follows the snapshot, or is at or below it, nothing in between was missed.
 */
function confirm(state: UnconfirmedState, event: EventOf<'batch'>): SyncStep {
  return applyBatch({ ...state, kind: 'live', applied: 0 }, event);
}

function snapshotFailed(state: BufferingState, event: EventOf<'snapshotFailed'>): SyncStep {
  const { request, retryable, message } = event;
  if (request !== state.request) return stay(state);
  if (retryable) return fetchAgain(state, 'no-snapshot', message);
  return { state: { kind: 'failed', request, message }, effects: [] };
}

/** L4-5, L4-6: applies the next batch in sequence, drops a late one, and rebuilds on anything else. */
function applyBatch(state: LiveState, { batch }: EventOf<'batch'>): SyncStep {
  const { epoch, seq } = state;
  // L4-4 before L4-3: a new generation starts at a low seq again; if seq were tested first, it would be dropped as late
  // forever.
  if (batch.epoch !== epoch) {
    return rebuild(state, 'upstream-epoch', `the epoch changed from ${epoch} to ${batch.epoch}`, batch);
  }
  if (batch.seq <= seq) return stay(state);
  if (batch.prevSeq !== seq) {
    return rebuild(state, 'upstream-gap', `prev_seq is ${batch.prevSeq} after seq ${seq}`, batch);
  }
  const applies = state.applied + 1;
  const attempt = nextAttempt(state.attempt, applies);
  const live = { ...state, attempt, seq: batch.seq, height: batch.height, applied: applies };
  return { state: live, effects: [applied(batch)] };
}

function foundWrong(state: UnconfirmedState | ResumingState | LiveState, { findings }: EventOf<'finding'>): SyncStep {
  return rebuild(state, 'finding', findings.map(describeFinding).join('; '));
}

function auditFailed(
  state: UnconfirmedState | ResumingState | LiveState,
  { message }: EventOf<'auditFailed'>,
): SyncStep {
  return rebuild(state, 'audit', message);
}

/** Way back 1: from an existing book to a new snapshot. */
function rebuild(
  state: UnconfirmedState | ResumingState | LiveState,
  reason: BookLossReason,
  detail: string,
  batch?: CoinBatch,
): SyncStep {
  const buffer = batch === undefined ? EMPTY_BUFFER : pushBatch(EMPTY_BUFFER, batch);
  const subscription = state.kind === 'unconfirmed' ? 'assumed' : 'effective';
  return fetchFor(state, { attempt: state.attempt, subscription, reason, detail, buffer });
}

/** Way back 2: from a snapshot that did not fit, or did not arrive, to another one. The buffer stays. */
function fetchAgain(state: BufferingState, reason: BookLossReason, detail: string): SyncStep {
  const next = state.request + 1;
  const attempt = state.attempt + 1;
  return {
    state: { ...state, request: next, attempt, reason, detail },
    effects: [{ kind: 'fetchSnapshot', request: next, attempt }],
  };
}

type Wanted = Pick<BufferingState, 'attempt' | 'subscription' | 'reason' | 'detail' | 'buffer'>;

const FRESH = { attempt: 0, buffer: EMPTY_BUFFER };

function fetchFor(state: SyncState, wanted: Wanted): SyncStep {
  const request = state.request + 1;
  return {
    state: { kind: 'buffering', request, ...wanted },
    effects: [...cancelled(state), { kind: 'fetchSnapshot', request, attempt: wanted.attempt }],
  };
}

/** Only a buffering coin awaits a response. */
function cancelled(state: SyncState): readonly SyncEffect[] {
  return state.kind === 'buffering' ? [{ kind: 'cancelSnapshot', request: state.request }] : [];
}

function applied(batch: CoinBatch): SyncEffect {
  return { kind: 'apply', batch };
}

function nextAttempt(attempt: number, appliedSinceSnapshot: number): number {
  return appliedSinceSnapshot >= SETTLED_BATCHES ? 0 : attempt;
}
