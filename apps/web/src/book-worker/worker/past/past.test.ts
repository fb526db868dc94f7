import { sum } from '@l4desk/decimal';
import { FLOW_KINDS } from '@l4desk/insight';
import { beforeEach, describe, expect, it } from 'vitest';
import { must } from '../../../test-support/must.ts';
import { FakeWorker } from '../../test-support/fake-worker.ts';

let worker: FakeWorker;

beforeEach(() => {
  worker = FakeWorker.live();
});

const blocks = (count: number) => worker.blocks(count, 67);
const frame: FakeWorker['frame'] = (panes) => worker.frame(panes);
const step = (count: number) => worker.travel({ kind: 'step', blocks: count });
const lived = () => must(worker.follower.coin('BTC')?.book, 'book');
const time = (bars = 10) => ({ bars });
const tape = { kinds: [], side: null, level: null, user: null, leastSz: null, limit: 500 } as const;

describe('the kept minutes', () => {
  it('show every pane at the block travelled to, and forward to live, while blocks arrive', () => {
    blocks(5);
    const counts = lived().orderCount;
    blocks(5);
    step(-5);
    const there = frame({ time: time(), tape });
    expect(there).toMatchObject({ height: 105, frozen: true, time: { height: 105 }, tape: { height: 105 } });
    expect(there.counts.bids + there.counts.asks).toBe(counts);
    expect(there.tape?.rows.every((row) => 'height' in row && row.height <= 105)).toBe(true);
    blocks(3);
    step(7);
    expect(frame()).toMatchObject({ height: 112, frozen: true });
    step(2);
    expect(frame()).toMatchObject({ height: 113, frozen: false });
    blocks(1);
    expect(frame()).toMatchObject({ height: 114, frozen: false });
  });

  it('can be travelled by height and by time, no further back than what is kept; steps start at the held block', () => {
    blocks(9);
    worker.travel({ kind: 'height', height: 103 });
    expect(frame().height).toBe(103);
    worker.travel({ kind: 'time', time: worker.follower.now - 2 * 67 });
    expect(frame().height).toBe(107);
    step(-999);
    expect(frame()).toMatchObject({ height: 100, frozen: true });
    worker.pause(false);
    worker.pause(true);
    blocks(1);
    step(-1);
    expect(frame().height).toBe(108);
  });

  it('can be travelled block by block where a rebuilt book begins at the height of the last block', () => {
    blocks(5);
    const again = must(worker.follower.coin('BTC'), 'view');
    const rebuild = (at: Parameters<typeof worker.follower.goLive>[1]) => {
      worker.follower.goLive('BTC', at);
      worker.runTimers();
    };
    // The service was restarted, then only the connection: that is the same block of the same epoch.
    rebuild({ height: 105, seq: 1, epoch: 'restarted' });
    rebuild({ height: 105, seq: 1, epoch: 'restarted' });
    const panes = { tape, flow: { level: { side: 'B', px: '1', tick: '1' } } } as const;
    const gapsOf = ({ tape: changes }: ReturnType<typeof frame>) => changes?.rows.filter((row) => 'gap' in row).length;
    const seen = [-1, -1, -1, 1, 1, 1].map((count) => {
      step(count);
      const there = frame(panes);
      expect([there.frozen, there.tape?.back === undefined, there.flow?.windows.length]).toEqual([true, false, 3]);
      return [there.height, there.epoch === again.epoch ? 'first' : there.epoch, gapsOf(there)];
    });
    expect(seen).toEqual([
      [105, 'restarted', 1],
      [105, 'first', 0],
      [104, 'first', 0],
      [105, 'first', 0],
      [105, 'restarted', 1],
      [105, 'restarted', 2],
    ]);
    // A height names the newest of its places.
    worker.travel({ kind: 'height', height: 105 });
    expect(gapsOf(frame({ tape }))).toBe(2);
  });

  it('keep every pane of the live block after a rebuild further back in the chain', () => {
    const users = [...lived().orders('B')].map(({ user }) => must(user, 'user'));
    worker.postMessage({ kind: 'wallets', wallets: users });
    blocks(8);
    worker.follower.goLive('BTC', { height: 103, seq: 1, epoch: 'back' });
    worker.runTimers();
    blocks(1);
    const ask = { tape, queues: { limit: 500 } };
    frame(ask);
    blocks(2);
    worker.follower.now += 1_000;
    const { height, tape: told, queues } = frame(ask);
    expect(height).toBe(106);
    expect([told?.height, told?.rows.some((row) => 'height' in row && row.height === 106)]).toEqual([106, true]);
    // Nobody's queue began anew with a later block.
    const lives = queues?.orders.map(({ oid }) => frame({ queue: { oid } }).queue?.order?.life) ?? [];
    const since = new Set(lives.flatMap((life) => (life?.joined === false ? [life.since.height] : [])));
    expect([...since]).toEqual([104]);
    const steps = [-3, -1, -1].map((count) => {
      step(count);
      return frame().height;
    });
    expect(steps).toEqual([103, 108, 107]);
  });

  it('are summarised by the strip: what is kept, the limits, the activity and the gaps', () => {
    blocks(8);
    const before = must(frame({ time: time() }).time, 'time');
    const kept = { first: { height: 100 }, last: { height: 108 }, blocks: 8, blocksMax: 9_000, gaps: [] };
    expect(before).toMatchObject(kept);
    expect(before.activity.reduce((sum, count) => sum + count, 0)).toBe(before.changes);
    // A new book is built: the time between is a gap.
    worker.follower.goLive('BTC');
    worker.runTimers();
    const after = must(frame({ time: time() }).time, 'time');
    expect(after.gaps).toMatchObject([{ from: { height: 108 }, reason: 'a new connection' }]);
  });

  it('list the changes of each block in the tape, newest first, by kind, side, size, wallet and row', () => {
    blocks(30);
    worker.pause(true);
    const all = must(frame({ tape }).tape, 'tape').rows.flatMap((row) => ('oid' in row ? [row] : []));
    expect(all.map(({ height }) => height)).toEqual(all.map(({ height }) => height).toSorted((a, b) => b - a));
    const only = (change: object) => {
      const { rows } = must(frame({ tape: { ...tape, ...change } }).tape, 'tape');
      return rows.map(({ id }) => id);
    };
    const ids = (isListed: (row: (typeof all)[number]) => boolean) => all.filter(isListed).map(({ id }) => id);
    expect(only({ kinds: ['canceled'] })).toEqual(ids(({ kind }) => kind === 'canceled'));
    expect(only({ side: 'A' })).toEqual(ids(({ side }) => side === 'A'));
    const user = must(all[0], 'row').user;
    expect(only({ user })).toEqual(ids((row) => row.user === user));
    expect(only({ leastSz: '20' })).toEqual(ids(({ sz }) => Number(sz) >= 20));
    expect(only({ limit: 3 })).toEqual(ids(() => true).slice(0, 3));
    expect(all.length).toBeGreaterThan(40);
  });

  it('list a block as one line in the tape while single ones are too many to read, with exact sums, and single ones once held', () => {
    blocks(60);
    const grouped = must(frame({ tape }).tape, 'tape');
    const prints = must(frame({ tape: { ...tape, prints: true } }).tape, 'prints');
    worker.pause(true);
    const single = must(frame({ tape }).tape, 'tape').rows.flatMap((row) => ('oid' in row ? [row] : []));
    expect([grouped.isGrouped, prints.isGrouped]).toEqual([true, false]);
    expect(Math.round(grouped.rowsPerSecond * 5)).toBe(single.length);
    expect(grouped.rows.length).toBeGreaterThan(40);
    for (const row of grouped.rows) {
      if (!('lines' in row)) throw new Error(`${row.id} is no block`);
      const own = single.filter(({ place }) => place === row.place);
      expect(row).toMatchObject({ lines: own.length, height: own[0]?.height });
      for (const kind of FLOW_KINDS) {
        const sizes = own.filter((one) => one.kind === kind && Number(one.sz) > 0).map(({ sz }) => sz);
        expect([kind, row.sums[kind]]).toMatchObject([kind, { count: sizes.length }]);
        expect(Number(row.sums[kind]?.sz)).toBeCloseTo(Number(sum(sizes)), 9);
      }
    }
    expect(grouped.rows.reduce((count, row) => count + ('lines' in row ? row.lines : 0), 0)).toBe(single.length);
  });

  it('group the tape from 20 lines a second on, until no more than ten remain', () => {
    const seen = new Set<string>();
    let was = false;
    for (const ms of [67, 250, 400, 600, 900, 1_500, 900, 600, 400, 250, 67]) {
      for (let block = 0; block < 40; block += 1) {
        worker.blocks(1, ms);
        const { isGrouped, rowsPerSecond } = must(worker.frame({ tape }).tape, 'tape');
        expect([ms, rowsPerSecond, isGrouped]).toEqual([ms, rowsPerSecond, rowsPerSecond > (was ? 10 : 20)]);
        seen.add(`${isGrouped} ${rowsPerSecond > 20 ? 'over' : rowsPerSecond > 10 ? 'between' : 'under'}`);
        was = isGrouped;
      }
    }
    expect([...seen].sort()).toEqual(['false between', 'false under', 'true between', 'true over']);
  });

  it('yield the same tape as it grows as from a new request, however long the page waits', () => {
    const asked = { ...tape, limit: 60 };
    for (const count of [20, 1, 3, 40, 2]) {
      blocks(count);
      worker.follower.now += 1_000;
      const { rows } = must(frame({ tape: asked }).tape, 'tape');
      frame();
      expect(rows).toEqual(must(frame({ tape: asked }).tape, 'whole tape').rows);
    }
    expect(frame({ tape: asked }).tape?.rows).toHaveLength(60);
  });

  it('return the life of an order, and the difference between two blocks, with the frame', () => {
    blocks(30);
    worker.pause(true);
    const changes = must(frame({ tape }).tape, 'tape').rows.flatMap((one) => ('kind' in one ? [one] : []));
    const isResting = ({ kind, oid }: (typeof changes)[number]) =>
      kind === 'added' && lived().sideOf(oid) !== undefined;
    const { oid, height: born } = must(changes.find(isResting), 'an order that still rests');
    worker.pause(false);
    const { life, difference } = frame({ life: { oid }, difference: { since: 110, limit: 1_000 } });
    expect(life).toMatchObject({ oid, life: { birth: { mark: { height: born } }, end: null } });
    expect(difference).toMatchObject({ from: { height: 110 }, to: { height: 130 }, blocks: 20, gaps: [] });
    expect(difference?.orders.length).toBe(difference?.orderCount);
    const between = (since: number, height: number) => {
      worker.travel({ kind: 'height', height });
      const { from, to, flow, levels } = must(frame({ difference: { since, limit: 1_000 } }).difference, 'difference');
      return { from: from.height, to: to.height, flow, levels };
    };
    const forward = between(110, 125);
    expect(forward).toMatchObject({ from: 110, to: 125 });
    expect(between(125, 110), 'whichever is the shown one').toEqual(forward);
    expect(frame({ life: { oid: 4 } }).life).toMatchObject({ life: null, now: null });
  });
});
