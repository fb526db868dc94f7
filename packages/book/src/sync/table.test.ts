import type { DecodedSnapshot } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { batch, smallLevels } from '../test-support/changes.ts';
import { bufferedBatches, EMPTY_BUFFER, pushBatch } from './buffer.ts';
import {
  type BufferingState,
  type FailedState,
  type IdleState,
  type LiveState,
  type ResumingState,
  SETTLED_BATCHES,
  SYNC_START,
  type SyncEffect,
  type SyncEvent,
  type SyncState,
  type SyncStep,
  type UnconfirmedState,
} from './state.ts';
import { SYNC_TABLE, syncStep } from './table.ts';

const EPOCH = 'epoch-1';

function snapshot(seq: number, fields: Partial<DecodedSnapshot> = {}): DecodedSnapshot {
  return { coin: 'BTC', time: 0, height: 1_000 + seq, epoch: EPOCH, seq, levels: smallLevels(), ...fields };
}

const idle: IdleState = { kind: 'idle', request: 3 };
const failed: FailedState = { kind: 'failed', request: 3, message: 'unknown coin' };
const unconfirmed: UnconfirmedState = {
  kind: 'unconfirmed',
  request: 3,
  attempt: 1,
  epoch: EPOCH,
  seq: 20,
  height: 1_020,
};
const live: LiveState = {
  kind: 'live',
  request: 3,
  attempt: 0,
  epoch: EPOCH,
  seq: 20,
  height: 1_020,
  applied: SETTLED_BATCHES,
};

const held = { epoch: EPOCH, seq: 20, height: 1_020, attempt: 0 };
const resuming: ResumingState = { kind: 'resuming', request: 3, ...held, until: 22 };

function buffering(seqs: readonly number[] = [], fields: Partial<BufferingState> = {}): BufferingState {
  const buffer = seqs.reduce((filled, seq) => pushBatch(filled, batch(seq)), EMPTY_BUFFER);
  const start = { attempt: 0, subscription: 'effective', reason: null, detail: 'subscribed' } as const;
  return { kind: 'buffering', request: 3, ...start, buffer, ...fields };
}

function bufferedSeqs(state: SyncState): readonly number[] {
  return state.kind === 'buffering' ? bufferedBatches(state.buffer).map(({ seq }) => seq) : [];
}

const cancelled: SyncEffect = { kind: 'cancelSnapshot', request: 3 };

function fetched(request: number, attempt: number): SyncEffect {
  return { kind: 'fetchSnapshot', request, attempt };
}

const EVENTS = {
  subscribed: { kind: 'subscribed' },
  resumed: { kind: 'resumed', until: 22 },
  assumed: { kind: 'assumed' },
  batch: { kind: 'batch', batch: batch(21) },
  snapshot: { kind: 'snapshot', request: 3, snapshot: snapshot(20) },
  snapshotFailed: { kind: 'snapshotFailed', request: 3, retryable: true, message: 'timed out' },
  finding: { kind: 'finding', findings: [{ kind: 'duplicate-oid', oid: 7 }] },
  auditFailed: { kind: 'auditFailed', message: 'bid 3: expected order 7, found none' },
  refused: { kind: 'refused', message: 'unknown coin XYZ' },
  disconnected: { kind: 'disconnected' },
} as const satisfies { [Kind in SyncEvent['kind']]: Extract<SyncEvent, { kind: Kind }> };

/** No change: the same state, no effects. */
function unchanged(state: SyncState): SyncStep {
  return { state, effects: [] };
}

/** A new subscription: an empty buffer and an immediate request. */
function started(fields: Partial<BufferingState> = {}): SyncStep {
  return { state: { ...buffering(), request: 4, ...fields }, effects: [fetched(4, 0)] };
}

/** The same, because the acknowledgement came late. */
function acknowledged(...effects: readonly SyncEffect[]): SyncStep {
  const detail = 'acknowledged after the snapshot was asked for';
  const { state } = started({ reason: 'unacknowledged', detail });
  return { state, effects: [...effects, fetched(4, 0)] };
}

const assumed = { subscription: 'assumed', detail: 'nothing acknowledged' } as const;

function refused(...effects: readonly SyncEffect[]): SyncStep {
  return { state: { kind: 'failed', request: 3, message: 'unknown coin XYZ' }, effects };
}

describe('idle', () => {
  it('is the initial state of every coin', () => expect(SYNC_START).toEqual({ kind: 'idle', request: 0 }));
  it('[L4-1, L4-2] subscribed: buffers and fetches the snapshot', () =>
    expect(syncStep(idle, EVENTS.subscribed)).toEqual(started()));
  it('[L4-2] assumed: fetches the snapshot as well, but nothing shows yet that the subscription is effective', () =>
    expect(syncStep(idle, EVENTS.assumed)).toEqual(started(assumed)));
});

describe('idle with an earlier book', () => {
  const before: IdleState = { ...idle, held };

  it('resumed: continues with the book, live at once if nothing was missed', () => {
    expect(syncStep(before, EVENTS.resumed)).toEqual({ state: resuming, effects: [] });
    const nothing = { kind: 'resumed', until: 20 } as const;
    expect(syncStep(before, nothing)).toEqual({ state: { ...live, applied: 0 }, effects: [] });
  });

  it('resumed: without a book, or with one past what is sent, starts as usual', () => {
    expect(syncStep(idle, EVENTS.resumed)).toEqual(started());
    expect(syncStep(before, { kind: 'resumed', until: 19 })).toEqual(started());
  });

  it('[L4-15] subscribed: fetches the snapshot', () => expect(syncStep(before, EVENTS.subscribed)).toEqual(started()));
  it.each([EVENTS.finding, EVENTS.auditFailed])('$kind: discards the book', (event) =>
    expect(syncStep(before, event)).toEqual(unchanged(idle)),
  );
});

describe('resuming', () => {
  it('[L4-6] batch: applies each one, and the last one makes the coin live', () => {
    const one = syncStep(resuming, EVENTS.batch);
    expect(one).toEqual({
      state: { ...resuming, seq: 21, height: 1_021 },
      effects: [{ kind: 'apply', batch: batch(21) }],
    });
    expect(syncStep(one.state, { kind: 'batch', batch: batch(22) })).toEqual({
      state: { ...live, seq: 22, height: 1_022, applied: 1 },
      effects: [{ kind: 'apply', batch: batch(22) }],
    });
    expect(syncStep(resuming, { kind: 'batch', batch: batch(20) })).toEqual(unchanged(resuming));
  });

  it.each([
    ['upstream-gap', batch(22)],
    ['upstream-epoch', batch(1, { epoch: 'epoch-2' })],
  ])('[L4-4, L4-6] batch: fetches the snapshot after any other: %s', (reason, arrived) => {
    const step = syncStep(resuming, { kind: 'batch', batch: arrived });
    const state = { kind: 'buffering', subscription: 'effective', reason };
    expect(step).toMatchObject({ state, effects: [fetched(4, 0)] });
    expect(bufferedSeqs(step.state)).toEqual([arrived.seq]);
  });

  it('[L4-2] subscribed: another acknowledgement, so fetches another snapshot', () =>
    expect(syncStep(resuming, EVENTS.subscribed)).toEqual(acknowledged()));
  it.each([EVENTS.finding, EVENTS.auditFailed])('$kind: fetches the snapshot', (event) =>
    expect(syncStep(resuming, event)).toMatchObject({ state: { kind: 'buffering' }, effects: [fetched(4, 0)] }),
  );
  it('disconnected: keeps what was applied so far', () =>
    expect(syncStep(resuming, EVENTS.disconnected)).toEqual({ state: { ...idle, held }, effects: [] }));
});

describe('buffering', () => {
  it('[L4-2] subscribed: acknowledged late, so the snapshot requested before may lack blocks: fetches another one', () => {
    expect(syncStep(buffering([], assumed), EVENTS.subscribed)).toEqual(acknowledged(cancelled));
    expect(syncStep(buffering([5]), EVENTS.subscribed)).toEqual(acknowledged(cancelled));
  });

  it('resumed: the earlier book was already given up, so acts as for any acknowledgement', () =>
    expect(syncStep(buffering([5]), EVENTS.resumed)).toEqual(acknowledged(cancelled)));

  it('[L4-1] batch: shows that an assumed subscription is effective', () => {
    const step = syncStep(buffering([], assumed), EVENTS.batch);
    expect(step.state).toMatchObject({ kind: 'buffering', subscription: 'effective' });
    expect(bufferedSeqs(step.state)).toEqual([21]);
  });

  it('[L4-2] snapshot: for an assumed subscription without any batch makes an unconfirmed book', () => {
    const seen = snapshot(20);
    expect(syncStep(buffering([], assumed), { kind: 'snapshot', request: 3, snapshot: seen })).toEqual({
      state: unconfirmed,
      effects: [{ kind: 'build', snapshot: seen }],
    });
  });

  it('[L4-2] snapshotFailed: an assumed subscription stays assumed', () =>
    expect(syncStep(buffering([], assumed), EVENTS.snapshotFailed).state).toMatchObject({ subscription: 'assumed' }));

  it('[L4-1] batch: is buffered', () => {
    const step = syncStep(buffering([19, 20]), EVENTS.batch);
    expect(bufferedSeqs(step.state)).toEqual([19, 20, 21]);
    expect(step.effects).toEqual([]);
  });

  it('[L4-4] batch: of a new epoch replaces the buffer, and the request stays in flight', () => {
    const step = syncStep(buffering([19, 20]), { kind: 'batch', batch: batch(1, { epoch: 'epoch-2' }) });
    expect(bufferedSeqs(step.state)).toEqual([1]);
    expect(step.effects).toEqual([]);
  });

  it('[L4-3, L4-5] snapshot: builds the book and applies the batches after it', () => {
    const seen = snapshot(20);
    const step = syncStep(buffering([18, 19, 20, 21, 22]), { kind: 'snapshot', request: 3, snapshot: seen });
    expect(step).toEqual({
      state: { kind: 'live', request: 3, attempt: 1, epoch: EPOCH, seq: 22, height: 1_022, applied: 2 },
      effects: [
        { kind: 'build', snapshot: seen },
        { kind: 'apply', batch: batch(21) },
        { kind: 'apply', batch: batch(22) },
      ],
    });
  });

  it('[L4-3] snapshot: newer than the whole buffer makes the book by itself', () => {
    const seen = snapshot(20);
    expect(syncStep(buffering([18, 19]), { kind: 'snapshot', request: 3, snapshot: seen })).toEqual({
      state: { kind: 'live', request: 3, attempt: 1, epoch: EPOCH, seq: 20, height: 1_020, applied: 0 },
      effects: [{ kind: 'build', snapshot: seen }],
    });
  });

  it('[L4-3] snapshot: drops by height as well as by seq', () => {
    const bySeq = buffering([]);
    const state = { ...bySeq, buffer: pushBatch(EMPTY_BUFFER, batch(19, { height: 9_999 })) };
    expect(syncStep(state, EVENTS.snapshot)).toMatchObject({ state: { kind: 'live', seq: 20, applied: 0 } });
    const older = { ...bySeq, buffer: pushBatch(EMPTY_BUFFER, batch(900, { epoch: 'epoch-0', height: 1_020 })) };
    expect(syncStep(older, EVENTS.snapshot)).toMatchObject({ state: { kind: 'live', seq: 20, applied: 0 } });
  });

  it('[L4-4] snapshot: of another epoch than the stream is fetched again, the buffer stays', () => {
    const step = syncStep(buffering([21, 22]), {
      kind: 'snapshot',
      request: 3,
      snapshot: snapshot(20, { epoch: 'epoch-0' }),
    });
    expect(step).toMatchObject({ state: { kind: 'buffering', request: 4, attempt: 1, reason: 'upstream-epoch' } });
    expect(bufferedSeqs(step.state)).toEqual([21, 22]);
    expect(step.effects).toEqual([fetched(4, 1)]);
  });

  it('[L4-5] snapshot: older than the buffer is fetched again, the buffer stays', () => {
    const step = syncStep(buffering([21, 22]), { kind: 'snapshot', request: 3, snapshot: snapshot(18) });
    expect(step).toMatchObject({
      state: { reason: 'stale-snapshot', detail: 'the snapshot ends at seq 18, the stream begins after 20' },
    });
    expect(bufferedSeqs(step.state)).toEqual([21, 22]);
    expect(step.effects).toEqual([fetched(4, 1)]);
  });

  it('[L4-5] snapshot: that ends inside the first batch after it is fetched again', () => {
    const state = { ...buffering(), buffer: pushBatch(EMPTY_BUFFER, batch(22, { prevSeq: 18 })) };
    const step = syncStep(state, EVENTS.snapshot);
    expect(step).toMatchObject({ state: { kind: 'buffering', reason: 'stale-snapshot' }, effects: [fetched(4, 1)] });
    expect(bufferedSeqs(step.state)).toEqual([22]);
  });

  it('[L4-2] snapshot: a response to an earlier request is ignored', () =>
    expect(syncStep(buffering([21]), { ...EVENTS.snapshot, request: 2 })).toEqual(unchanged(buffering([21]))));

  it('snapshot: a book that took many batches to join counts as settled', () => {
    const seqs = Array.from({ length: SETTLED_BATCHES }, (_, index) => 21 + index);
    expect(syncStep(buffering(seqs, { attempt: 4 }), EVENTS.snapshot)).toMatchObject({ state: { attempt: 0 } });
  });

  it('[L4-2] snapshotFailed: is fetched again after a growing wait, the buffer stays', () => {
    const step = syncStep(buffering([21], { attempt: 4 }), EVENTS.snapshotFailed);
    expect(step).toMatchObject({ state: { request: 4, attempt: 5, reason: 'no-snapshot', detail: 'timed out' } });
    expect(bufferedSeqs(step.state)).toEqual([21]);
    expect(step.effects).toEqual([fetched(4, 5)]);
  });

  it('snapshotFailed: fails the coin if it is not retryable', () => {
    expect(syncStep(buffering(), { ...EVENTS.snapshotFailed, retryable: false })).toEqual({
      state: { kind: 'failed', request: 3, message: 'timed out' },
      effects: [],
    });
  });

  it('snapshotFailed: of an earlier request is ignored', () =>
    expect(syncStep(buffering(), { ...EVENTS.snapshotFailed, request: 2, retryable: false })).toEqual(
      unchanged(buffering()),
    ));
  it('refused: fails and cancels the snapshot request', () =>
    expect(syncStep(buffering(), EVENTS.refused)).toEqual(refused(cancelled)));

  it('[L4-15] disconnected: discards the buffer and cancels the snapshot request', () => {
    expect(syncStep(buffering([21]), EVENTS.disconnected)).toEqual({
      state: { kind: 'idle', request: 3 },
      effects: [cancelled],
    });
  });
});

describe('unconfirmed', () => {
  it('[L4-2] subscribed: acknowledged late, so the snapshot may lack blocks: fetches another one', () =>
    expect(syncStep(unconfirmed, EVENTS.subscribed)).toEqual(acknowledged()));
  it('resumed: acts as a late acknowledgement', () =>
    expect(syncStep(unconfirmed, EVENTS.resumed)).toEqual(acknowledged()));

  it('[L4-5] batch: applies the next in sequence, which confirms the book', () => {
    expect(syncStep(unconfirmed, EVENTS.batch)).toEqual({
      state: { ...live, attempt: 1, seq: 21, height: 1_021, applied: 1 },
      effects: [{ kind: 'apply', batch: batch(21) }],
    });
  });

  it.each([20, 19])('[L4-3] batch: one that the snapshot already contains, seq %i of 20, confirms the book', (seq) =>
    expect(syncStep(unconfirmed, { kind: 'batch', batch: batch(seq) })).toEqual({
      state: { ...live, attempt: 1, applied: 0 },
      effects: [],
    }),
  );

  it.each([
    ['upstream-gap', batch(22)],
    ['upstream-gap', batch(22, { prevSeq: 19 })],
    ['upstream-epoch', batch(1, { epoch: 'epoch-2' })],
  ])('[L4-4, L4-6] batch: buffers any other one and fetches the snapshot: %s', (reason, arrived) => {
    const step = syncStep(unconfirmed, { kind: 'batch', batch: arrived });
    expect(step).toMatchObject({
      state: { kind: 'buffering', subscription: 'effective', reason },
      effects: [fetched(4, 1)],
    });
    expect(bufferedSeqs(step.state)).toEqual([arrived.seq]);
  });

  it('finding: fetches the snapshot, and the subscription is still only assumed', () =>
    expect(syncStep(unconfirmed, EVENTS.finding)).toEqual({
      state: buffering([], { ...assumed, request: 4, attempt: 1, reason: 'finding', detail: 'order 7 already rests' }),
      effects: [fetched(4, 1)],
    }));
  it('[UP-10] auditFailed: fetches the snapshot', () =>
    expect(syncStep(unconfirmed, EVENTS.auditFailed)).toMatchObject({
      state: { kind: 'buffering', subscription: 'assumed', reason: 'audit' },
    }));
  it('[L4-15] disconnected: the book is no longer the source’s, but keeps its seq', () =>
    expect(syncStep(unconfirmed, EVENTS.disconnected)).toEqual({
      state: { ...idle, held: { ...held, attempt: 1 } },
      effects: [],
    }));
});

describe('live', () => {
  it('[L4-2] subscribed: acknowledged late, so the book may lack blocks: fetches another snapshot', () =>
    expect(syncStep(live, EVENTS.subscribed)).toEqual(acknowledged()));
  it('resumed: acts as a late acknowledgement', () => expect(syncStep(live, EVENTS.resumed)).toEqual(acknowledged()));

  it('[L4-5, L4-6] batch: applies the next in sequence', () => {
    expect(syncStep(live, EVENTS.batch)).toEqual({
      state: { ...live, seq: 21, height: 1_021, applied: SETTLED_BATCHES + 1 },
      effects: [{ kind: 'apply', batch: batch(21) }],
    });
  });

  it.each([20, 19, 1])('[L4-3] batch: a late or repeated one, seq %i after 20, is ignored', (seq) =>
    expect(syncStep(live, { kind: 'batch', batch: batch(seq) })).toEqual(unchanged(live)),
  );

  it('[L4-6] batch: after a gap is buffered, and the snapshot is fetched', () => {
    const step = syncStep(live, { kind: 'batch', batch: batch(23) });
    expect(step).toMatchObject({
      state: {
        kind: 'buffering',
        request: 4,
        attempt: 0,
        reason: 'upstream-gap',
        detail: 'prev_seq is 22 after seq 20',
      },
      effects: [fetched(4, 0)],
    });
    expect(bufferedSeqs(step.state)).toEqual([23]);
  });

  it('[L4-26, L4-27] batch: one that skips a number is a gap', () => {
    const step = syncStep(live, { kind: 'batch', batch: batch(22, { prevSeq: 21 }) });
    expect(step).toMatchObject({ state: { reason: 'upstream-gap' } });
  });

  it.each([
    [19, 22],
    [0, 21],
  ])(
    '[L4-6] batch: from %i to %i, which begins before the last seq and ends after it, is not applied',
    (prevSeq, seq) => {
      const step = syncStep(live, { kind: 'batch', batch: batch(seq, { prevSeq }) });
      expect(step).toMatchObject({ state: { kind: 'buffering', reason: 'upstream-gap' }, effects: [fetched(4, 0)] });
      expect(bufferedSeqs(step.state)).toEqual([seq]);
    },
  );

  it('[L4-4] batch: of a new epoch is buffered and the snapshot fetched, although its seq is low', () => {
    const step = syncStep(live, { kind: 'batch', batch: batch(1, { epoch: 'epoch-2' }) });
    expect(step).toMatchObject({ state: { kind: 'buffering', reason: 'upstream-epoch' }, effects: [fetched(4, 0)] });
    expect(bufferedSeqs(step.state)).toEqual([1]);
  });

  it('finding: fetches the snapshot, with the finding as the reason', () => {
    expect(syncStep(live, EVENTS.finding)).toEqual({
      state: buffering([], { request: 4, reason: 'finding', detail: 'order 7 already rests' }),
      effects: [fetched(4, 0)],
    });
  });

  it('[UP-10] auditFailed: fetches the snapshot, with the difference as the reason', () => {
    expect(syncStep(live, EVENTS.auditFailed)).toEqual({
      state: buffering([], { request: 4, reason: 'audit', detail: 'bid 3: expected order 7, found none' }),
      effects: [fetched(4, 0)],
    });
  });

  it('[L4-15] disconnected: the book is no longer the source’s, but keeps its seq', () => {
    expect(syncStep(live, EVENTS.disconnected)).toEqual({ state: { ...idle, held }, effects: [] });
  });

  it('a book that fails again before it has settled waits longer for its next snapshot', () => {
    let state: SyncState = buffering([], { attempt: 2 });
    state = syncStep(state, EVENTS.snapshot).state;
    expect(state).toMatchObject({ kind: 'live', attempt: 3 });
    for (let seq = 21; seq < 20 + SETTLED_BATCHES; seq += 1) {
      state = syncStep(state, { kind: 'batch', batch: batch(seq) }).state;
      expect(state).toMatchObject({ kind: 'live', attempt: 3 });
    }
    expect(syncStep(state, EVENTS.finding).effects).toEqual([fetched(4, 3)]);
    state = syncStep(state, { kind: 'batch', batch: batch(20 + SETTLED_BATCHES) }).state;
    expect(state).toMatchObject({ kind: 'live', attempt: 0 });
    expect(syncStep(state, EVENTS.finding).effects).toEqual([fetched(4, 0)]);
  });
});

describe('failed', () => {
  it('resumed: a new subscription tries again', () => expect(syncStep(failed, EVENTS.resumed)).toEqual(started()));
  it('subscribed: a new subscription tries again', () =>
    expect(syncStep(failed, EVENTS.subscribed)).toEqual(started()));
  it('assumed: a new subscription tries again', () =>
    expect(syncStep(failed, EVENTS.assumed)).toEqual(started(assumed)));
});

describe('every cell', () => {
  const states = { idle, buffering: buffering([21]), unconfirmed, resuming, live, failed };
  const cells = Object.values(states).flatMap((state) =>
    Object.values(EVENTS).map((event) => {
      const { outcome } = SYNC_TABLE[state.kind][event.kind];
      return { state, event, outcome, cell: `${state.kind}, ${event.kind}` };
    }),
  );

  it.each(cells.filter(({ outcome }) => outcome === '–'))('$cell: changes nothing', ({ state, event }) => {
    expect(syncStep(state, event)).toEqual(unchanged(state));
  });

  it.each(cells.filter(({ outcome }) => outcome !== '–'))('$cell: $outcome', ({ state, event, outcome }) => {
    expect(outcome).toContain(syncStep(state, event).state.kind);
  });

  it.each(Object.values(states))('$kind, refused: fails with the message', (state) => {
    expect(syncStep(state, EVENTS.refused)).toEqual(refused(...(state.kind === 'buffering' ? [cancelled] : [])));
  });
});
