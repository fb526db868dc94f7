import { L4Book } from '@l4desk/book';
import { History, orderLife } from '@l4desk/insight';
import { type BookChange, type BookLevels, decodeUpdates, type ReadCoinBatch } from '@l4desk/protocol';
import { packRecording, type RawFrame, Recorder } from '@l4desk/recording';
import { Chance, SourceBook, wallet } from '@l4desk/testkit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Past } from '../past/past.ts';
import { deflate } from './browser-codec.ts';
import { exportPast } from './export-past.ts';
import { RecordedView } from './recorded-view.ts';

const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';
const FIRST = 1_000;
const START = 1_790_000_000_000;
const BLOCKS = 3_000;

/** Blocks of a generated book at every second height, and its checksum after each. */
const chain: { levels: BookLevels; readonly batches: ReadCoinBatch[]; readonly sums: Map<number, string> } = {
  levels: [[], []],
  batches: [],
  sums: new Map(),
};

beforeAll(() => {
  const source = new SourceBook('BTC', new Chance(31), 60);
  chain.levels = source.levels();
  const { book } = L4Book.build('BTC', chain.levels);
  chain.sums.set(FIRST, book.rollingChecksum());
  for (let seq = 1; seq <= BLOCKS; seq += 1) {
    const { diffs, statuses } = source.block(2);
    const entry = { coin: 'BTC', seq, prev_seq: seq - 1, order_statuses: statuses, book_diffs: diffs };
    const block_height = FIRST + 2 * seq;
    const time = START + seq * 100;
    const [batch] = decodeUpdates({ time, block_height, epoch: EPOCH, book_diffs: [entry] }).coins;
    if (batch === undefined) throw new Error('no entry');
    chain.batches.push(batch);
    book.apply(batch.changes, batch.statuses, time);
    chain.sums.set(block_height, book.rollingChecksum());
  }
});

const unsaid: BookChange = {
  kind: 'insert',
  oid: 1,
  user: wallet(1),
  side: 'B',
  px: '1.0',
  sz: '1.0',
  insertBefore: null,
};

const absent: BookChange = { kind: 'remove', oid: 2, user: wallet(1), side: 'B', px: '1.0' };

let whole: Promise<Uint8Array> | undefined;

/** The chain without a gap, recorded once; each call returns its own copy. */
async function wholeRecording(): Promise<Uint8Array> {
  whole ??= recordingOf();
  return new Uint8Array(await whole);
}

interface Faults {
  /** From this block on, an order rests in the recorder's book of which no block says anything. */
  readonly wrongFrom?: number;
  /** This block removes an order that does not rest. */
  readonly unfit?: number;
}

/** A recording of the chain: a keyframe per minute, and a gap where blocks are left out. */
async function recordingOf(
  missed: readonly [from: number, to: number] = [0, 0],
  { wrongFrom, unfit }: Faults = {},
): Promise<Uint8Array> {
  const frames: RawFrame[] = [];
  const recorder = new Recorder(
    { coin: 'BTC', source: 'a test', statuses: 'book', keyframeMs: 60_000, checksumMs: 5_000 },
    (frame) => frames.push(frame),
    () => 0,
  );
  const { book } = L4Book.build('BTC', chain.levels);
  recorder.onBook(book, { epoch: EPOCH, height: FIRST, time: START, seq: 0 });
  for (const batch of chain.batches) {
    book.apply(batch.changes, batch.statuses, batch.time);
    if (batch.seq === wrongFrom) book.apply([unsaid], [], batch.time);
    if (batch.seq > missed[0] && batch.seq < missed[1]) recorder.onLost('missing-block');
    else if (batch.seq === missed[1]) recorder.onBook(book, batch);
    else recorder.onBlock(book, batch.seq === unfit ? { ...batch, changes: [...batch.changes, absent] } : batch);
  }
  recorder.end();
  return Buffer.concat(await packRecording(frames, deflate));
}

/** A view of recordings over a past that keeps nothing. */
function viewOf(coin = 'BTC') {
  const past = new Past({ live: () => undefined, reason: () => '', later: () => {}, onBegun: () => {} });
  const onMoved = vi.fn<() => void>();
  const followed = { coin };
  const view = new RecordedView({ past, coin: () => followed.coin, onMoved });
  /** Expects the recorded book at the shown height. */
  const expectBook = (height: number) => {
    expect(view.moment?.position.height).toBe(height);
    const place = view.moment && past.placeOf(view.moment);
    if (place === undefined) throw new Error('the shown block is not among those that are read');
    expect(past.bookAt(place).book.rollingChecksum()).toBe(chain.sums.get(height));
  };
  return { view, past, onMoved, followed, expectBook };
}

const open = (view: RecordedView, bytes: Uint8Array, name = 'btc.l4rec') =>
  view.open(new Blob([bytes as Uint8Array<ArrayBuffer>]), name);

describe('a recording in the page', () => {
  it('can be travelled from end to end, and is read only around the shown moment', async () => {
    const { view, past, expectBook } = viewOf();
    expect(await open(view, await wholeRecording())).toEqual({ kind: 'opened', coin: 'BTC' });
    const last = FIRST + 2 * BLOCKS;
    expect(view.shown).toMatchObject({
      from: { height: FIRST, time: START },
      to: { height: last, time: START + BLOCKS * 100 },
      gaps: [],
      isCut: false,
    });
    expectBook(FIRST);
    expect(past.line.size.blocks).toBeLessThan(BLOCKS);
    await view.travel({ kind: 'height', height: last });
    expectBook(last);
    expect(past.line.markAt(past.line.first).height).toBeGreaterThan(FIRST);
    // Between two blocks of the book the earlier one is shown; outside the range, the nearest end.
    await view.travel({ kind: 'height', height: 4_001 });
    expectBook(4_000);
    await view.travel({ kind: 'time', time: START + 250_049 });
    expectBook(FIRST + 5_000);
    await view.travel({ kind: 'height', height: 0 });
    expectBook(FIRST);
    await view.travel({ kind: 'height', height: 9e9 });
    expectBook(last);
  });

  it('can be stepped through beyond the part that is read, forward and back', async () => {
    const { view, past, expectBook } = viewOf();
    await open(view, await wholeRecording());
    const { height: edge } = past.line.markAt(past.line.last);
    await view.travel({ kind: 'height', height: edge });
    for (let step = 1; step <= 5; step += 1) {
      await view.travel({ kind: 'step', blocks: 1 });
      expectBook(edge + 2 * step);
    }
    await view.travel({ kind: 'height', height: FIRST + 4_000 });
    const { height: begin } = past.line.markAt(past.line.first);
    expect(begin).toBeGreaterThan(FIRST);
    await view.travel({ kind: 'height', height: begin });
    await view.travel({ kind: 'step', blocks: -1 });
    expectBook(begin - 2);
    await view.travel({ kind: 'step', blocks: -9_999 });
    expectBook(FIRST);
  });

  it.each([
    [
      'whose book is not the recorded one',
      { wrongFrom: 1_000 },
      /^The recording is damaged at block 30\d\d: its book is not the one that was recorded\.$/,
    ],
    [
      'that contradicts the one before it',
      { unfit: 1_000 },
      /^The recording is damaged at block 3000: it contradicts the book before it\.$/,
    ],
  ] as const)(
    'shows what precedes a block %s, also while it is stepped through, and reports the block to who goes there',
    async (_, faults, problem) => {
      const { view, expectBook } = viewOf();
      await open(view, await recordingOf([0, 0], faults));
      await view.travel({ kind: 'height', height: FIRST + 1_600 });
      for (let step = 0; step < 20; step += 1) await view.travel({ kind: 'step', blocks: step % 2 === 0 ? -1 : 1 });
      expectBook(FIRST + 1_600);
      expect(view.shown?.problem).toBeUndefined();
      for (const height of [FIRST + 2_600, FIRST + 2_400]) {
        await view.travel({ kind: 'height', height });
        expect(view.shown?.problem).toMatch(problem);
        expectBook(FIRST + 1_600);
      }
      await view.travel({ kind: 'step', blocks: -1 });
      expect(view.shown?.problem).toBeUndefined();
      expectBook(FIRST + 1_598);
      // What the next keyframe leads to can be read, whatever is wrong with it.
      await view.travel({ kind: 'height', height: FIRST + 3_600 });
      expect(view.moment?.position.height).toBe(FIRST + 3_600);
    },
  );

  it('shows the gaps in its list, and the book after one', async () => {
    const { view, expectBook } = viewOf();
    await open(view, await recordingOf([1_000, 1_200]));
    const gap = { from: { height: FIRST + 2_000 }, to: { height: FIRST + 2_400 }, reason: 'missing-block' };
    expect(view.shown?.gaps).toMatchObject([gap]);
    await view.travel({ kind: 'height', height: FIRST + 2_000 });
    expectBook(FIRST + 2_000);
    await view.travel({ kind: 'step', blocks: 1 });
    expectBook(FIRST + 2_400);
  });

  it('reports an invalid, truncated or damaged file as a readable problem, and keeps what is shown', async () => {
    const { view, expectBook, onMoved } = viewOf();
    const bytes = await wholeRecording();
    await open(view, bytes);
    await view.travel({ kind: 'step', blocks: 3 });
    onMoved.mockClear();
    for (const [content, problem] of [
      [new Uint8Array(0), 'The file is not a .l4rec recording.'],
      [Buffer.from('{"a":1}, which is text'), 'The file is not a .l4rec recording.'],
      [bytes.slice(0, 20), 'The recording ends before its header: nothing was recorded.'],
    ] as const) {
      const outcome = await open(view, content);
      expect(outcome).toEqual({ kind: 'refused', problem: expect.stringMatching(problem) });
    }
    expectBook(FIRST + 6);
    expect(onMoved).not.toHaveBeenCalled();
    // Without its first keyframe it starts at the next one, and lists the missing part as a gap.
    const bad = bytes.slice();
    bad.fill(0xff, 300, 340);
    expect(await open(view, bad)).toMatchObject({ kind: 'opened' });
    expect(view.shown).toMatchObject({ from: { height: 2_200 }, gaps: [{ to: { height: 2_200 }, reason: 'damaged' }] });
    // A truncated one opens up to its last complete frame, and says so.
    expect(await open(view, bytes.slice(0, bytes.length - 5_000), 'cut.l4rec')).toMatchObject({ kind: 'opened' });
    expect(view.shown).toMatchObject({ name: 'cut.l4rec', isCut: true });
  });

  it('adds damage further on to the gaps once someone travels past it', async () => {
    const { view, expectBook } = viewOf();
    const bytes = await wholeRecording();
    bytes.fill(0, bytes.length / 2, bytes.length / 2 + 2_000);
    await open(view, bytes);
    await view.travel({ kind: 'height', height: FIRST + 2_400 });
    expect(view.shown?.gaps).toEqual([]);
    while (view.shown?.gaps.length === 0) await view.travel({ kind: 'step', blocks: 100 });
    const [gap] = view.shown?.gaps ?? [];
    expect(gap?.reason).toBe('damaged');
    expect(gap?.from.height).toBeGreaterThan(FIRST + 2_400);
    await view.travel({ kind: 'height', height: gap?.from.height ?? 0 });
    expectBook(gap?.from.height ?? 0);
    await view.travel({ kind: 'step', blocks: 1 });
    expectBook(gap?.to.height ?? 0);
  });

  it('of another coin waits until that coin is followed', async () => {
    const { view, past, followed, onMoved } = viewOf('ETH');
    expect(await open(view, await wholeRecording())).toEqual({ kind: 'opened', coin: 'BTC' });
    expect([view.shown, past.recorded, onMoved.mock.calls.length]).toEqual([undefined, undefined, 0]);
    followed.coin = 'BTC';
    view.show();
    expect(view.shown?.coin).toBe('BTC');
    expect(onMoved).toHaveBeenCalledOnce();
    view.close();
    expect([view.shown, past.recorded]).toEqual([undefined, undefined]);
  });

  it('finds an order anywhere in the whole recording, and reports its life there', async () => {
    const { view, past } = viewOf();
    await open(view, await wholeRecording());
    const late = chain.batches.slice(-20).flatMap(({ changes, height }) => {
      return changes.flatMap(({ kind, oid }) => (kind === 'insert' ? [{ oid, height }] : []));
    });
    const [born] = late;
    if (born === undefined) throw new Error('nothing was born');
    expect(orderLife(past.line, past.line.newestBook(), born.oid)).toBeUndefined();
    expect(await view.seek(born.oid)).toBe(true);
    expect(view.moment?.position.height).toBe(born.height);
    const life = orderLife(past.line, past.line.newestBook(), born.oid);
    expect(life?.birth?.mark.height).toBe(born.height);
    const [first] = chain.levels[0];
    expect(await view.seek(first?.oid ?? 0)).toBe(true);
    expect(view.moment?.position.height).toBe(FIRST);
    expect(await view.seek(1)).toBe(false);
    expect(view.moment?.position.height).toBe(FIRST);
    view.close();
    expect(await view.seek(born.oid)).toBe(false);
  });

  it('saves the kept minutes with their gaps, and reopens them with the same books, owners and reasons', async () => {
    const history = new History('BTC');
    const { book } = L4Book.build('BTC', chain.levels);
    history.begin(book, { epoch: EPOCH, height: FIRST, time: START, seq: 0 }, '');
    for (const batch of chain.batches.slice(0, 700)) {
      book.apply(batch.changes, batch.statuses, batch.time);
      if (batch.seq === 300) history.begin(book, batch, 'a lost connection');
      else if (batch.seq < 290 || batch.seq > 300) history.add(batch);
    }
    const before = history.bookAt(history.last - 5);
    const shown = before.checksum();
    const outcome = await exportPast({ line: history, source: 'a page', now: 7, deflate });
    if (outcome.kind === 'refused') throw new Error(outcome.problem);
    // Saving does not change the book shown on time travel.
    expect(before.checksum()).toBe(shown);
    const { view, past, expectBook } = viewOf();
    expect(await view.open(outcome.file, outcome.name)).toEqual({ kind: 'opened', coin: 'BTC' });
    expect(view.shown?.gaps).toMatchObject([
      { from: { height: FIRST + 578 }, to: { height: FIRST + 600 }, reason: 'a lost connection' },
    ]);
    for (const height of [FIRST + 100, FIRST + 578, FIRST + 600, FIRST + 1_400, FIRST]) {
      await view.travel({ kind: 'height', height });
      expectBook(height);
    }
    for (let place = history.first; place <= history.last; place += 1) {
      const told = history
        .blockAt(place)
        ?.events()
        .map(({ kind, inferred, reason, oid, user, from, to }) => {
          return { kind, inferred, reason, oid, user, from, to };
        });
      const again = past.line.blockAt(place - history.first + past.line.first)?.events();
      expect(again ?? []).toMatchObject(told ?? []);
    }
  });
});
