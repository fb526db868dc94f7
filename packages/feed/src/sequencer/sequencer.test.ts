import { type BookDifference, compareWithLevels, type Finding, L4Book } from '@l4desk/book';
import type { BookLevels } from '@l4desk/protocol';
import { Chance, diff, fuzzRuns, order, orderStatus, SourceBook } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import type { SequencedBlock, UpstreamBlock } from '../blocks/upstream-block.ts';
import { readServerMessage } from '../sources/server-message.ts';
import { Sequencer } from './sequencer.ts';

const settings = { reorderMs: 100, settleMs: 20 };

/** A miniature upstream: source books as the truth, and a sequencer that receives their blocks as the test decides. */
class Rig {
  readonly published: SequencedBlock[] = [];
  readonly events: string[] = [];
  readonly sequencer: Sequencer;
  readonly truth = new Map<string, SourceBook>();
  /** Each coin's true book at each height. */
  readonly history = new Map<string, Map<number, BookLevels>>();
  height = 1_000;
  /** Added to the time of every block. */
  timeShift = 0;
  now = 0;
  #epochs = 0;

  constructor(coins: readonly string[], seed = 7, others: Partial<typeof settings> = {}) {
    const chance = new Chance(seed);
    coins.forEach((coin, index) => {
      this.truth.set(coin, new SourceBook(coin, chance, 20, (index + 1) * 1_000_000));
      this.history.set(coin, new Map());
    });
    this.#remember();
    this.sequencer = new Sequencer(
      { ...settings, ...others },
      {
        published: (block) => this.published.push(block),
        live: (coin) => this.events.push(`live ${coin}`),
        caughtUp: (coin) => this.events.push(`caught up ${coin}`),
        lost: (coin, reason) => this.events.push(`lost ${coin} ${reason}`),
        applied: () => {},
        epochChanged: (epoch) => this.events.push(`epoch ${epoch}`),
      },
      () => {
        this.#epochs += 1;
        return `epoch-${this.#epochs}`;
      },
    );
    for (const coin of coins) this.sequencer.add(coin);
  }

  /** Makes a block that changes these coins, without sending it. */
  make(...coins: string[]): Map<string, UpstreamBlock> {
    this.height += 1;
    const blocks = new Map<string, UpstreamBlock>();
    for (const coin of coins) {
      const { diffs, statuses } = this.book(coin).block();
      blocks.set(coin, upstreamBlock(this.height, diffs, statuses, this.timeShift));
    }
    this.#remember();
    return blocks;
  }

  /** Sends a block to the sequencer, coin by coin. */
  emit(blocks: ReadonlyMap<string, UpstreamBlock>): void {
    for (const block of blocks.values()) {
      this.sequencer.onBlock(block, this.now);
      this.sequencer.settle(this.now);
    }
  }

  step(...coins: string[]): void {
    this.emit(this.make(...coins));
  }

  /** Advances time and settles the sequencer whenever `wakeAt` says so. */
  pass(ms: number): void {
    const until = this.now + ms;
    for (let at = this.sequencer.wakeAt(); at !== null && at <= until; at = this.sequencer.wakeAt()) {
      this.now = Math.max(this.now, at);
      this.sequencer.settle(this.now);
    }
    this.now = until;
  }

  snapshot(coin: string, height = this.height): void {
    const levels = this.history.get(coin)?.get(height);
    if (levels === undefined) throw new RangeError(`${coin} is not known at ${height}`);
    this.sequencer.onSnapshot(coin, height, height * 67, levels, this.now);
    this.sequencer.settle(this.now);
  }

  join(...coins: string[]): void {
    for (const coin of coins) {
      this.sequencer.subscribed(coin);
      this.snapshot(coin);
    }
  }

  book(coin: string): SourceBook {
    const book = this.truth.get(coin);
    if (book === undefined) throw new RangeError(`no such coin: ${coin}`);
    return book;
  }

  /** Published blocks as `height:coin prev>seq,…`. */
  get said(): string[] {
    return this.published.map(({ height, entries }) => {
      return `${height}:${entries.map(({ coin, prevSeq, seq }) => `${coin} ${prevSeq}>${seq}`).join()}`;
    });
  }

  /** The difference between the coin's served book and the truth at its height. */
  wrong(coin: string): BookDifference | undefined {
    const view = this.sequencer.view(coin);
    if (view === null) throw new Error(`${coin} is not live`);
    const levels = this.history.get(coin)?.get(view.height);
    if (levels === undefined) throw new Error(`${coin} is served at ${view.height}, which never was`);
    return compareWithLevels(levels, view.book);
  }

  #remember(): void {
    for (const [coin, book] of this.truth) this.history.get(coin)?.set(this.height, book.levels());
  }
}

function upstreamBlock(
  height: number,
  book_diffs: readonly unknown[],
  order_statuses: readonly unknown[],
  timeShift = 0,
): UpstreamBlock {
  const data = { Updates: { time: height * 67 + timeShift, height, order_statuses, book_diffs } };
  const message = readServerMessage(JSON.stringify({ channel: 'l4Book', data }), () => true);
  if (message.kind !== 'block') throw new Error(`read as ${message.kind}`);
  return message.block;
}

/** The part of a block that is about one coin. */
function only(blocks: ReadonlyMap<string, UpstreamBlock>, coin: string): Map<string, UpstreamBlock> {
  return new Map([...blocks].filter(([name]) => name === coin));
}

/** Seeds from 1: `quick` of them in a quick run, and more in `npm run soak -- fuzz`. */
function seeds(quick: number): readonly number[] {
  return Array.from({ length: fuzzRuns(quick).numRuns }, (_, index) => index + 1);
}

describe('joining', () => {
  test('[L4-26, SNAP-4, SNAP-6] starts a coin at seq 0 with its first snapshot, and gives its first block seq 1', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    expect(rig.sequencer.view('BTC')).toMatchObject({ height: 1_000, time: 67_000, epoch: 'epoch-1', seq: 0 });
    rig.step('BTC');
    rig.step('BTC');
    expect(rig.said).toEqual(['1001:BTC 0>1', '1002:BTC 1>2']);
    expect(rig.sequencer.view('BTC')).toMatchObject({ height: 1_002, seq: 2 });
    expect(rig.wrong('BTC')).toBeUndefined();
    // Nobody asked for these.
    rig.snapshot('BTC');
    rig.sequencer.onSnapshot('SOL', rig.height, 1, rig.book('BTC').levels(), rig.now);
    rig.step('BTC');
    expect(rig.said.at(-1)).toBe('1003:BTC 2>3');
    expect(rig.events).toEqual(['live BTC']);
  });

  test('drops blocks that the snapshot already contains', () => {
    const rig = new Rig(['BTC']);
    rig.sequencer.subscribed('BTC');
    const early = [rig.make('BTC'), rig.make('BTC')];
    rig.snapshot('BTC');
    for (const blocks of early) rig.emit(blocks);
    rig.step('BTC');
    expect(rig.said).toEqual(['1003:BTC 0>1']);
    expect(rig.events).toEqual(['live BTC']);
    expect(rig.wrong('BTC')).toBeUndefined();
  });

  test('[L4-16, L4-7] combines the coins of one height into one block, each with its own sequence', () => {
    const rig = new Rig(['BTC', 'ETH', 'SOL']);
    rig.join('BTC', 'ETH');
    rig.step('BTC');
    rig.pass(20);
    rig.step('BTC', 'ETH');
    rig.join('SOL');
    rig.step('SOL', 'BTC', 'ETH');
    expect(rig.said).toEqual(['1001:BTC 0>1', '1002:BTC 1>2,ETH 0>1', '1003:SOL 0>1,BTC 2>3,ETH 1>2']);
    for (const coin of ['BTC', 'ETH', 'SOL']) expect(rig.wrong(coin)).toBeUndefined();
  });

  test('[SNAP-19] serves a snapshot ahead of the published height at its own height', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('BTC');
    const first = rig.make('BTC', 'ETH');
    const second = rig.make('BTC', 'ETH');
    rig.sequencer.subscribed('ETH');
    rig.snapshot('ETH');
    expect(rig.sequencer.view('ETH')).toMatchObject({ height: 1_002, time: 1_002 * 67, seq: 0 });
    rig.emit(first);
    expect(rig.sequencer.view('BTC')?.height).toBe(1_001);
    rig.emit(second);
    rig.step('ETH', 'BTC');
    expect(rig.said).toEqual(['1001:BTC 0>1', '1002:BTC 1>2', '1003:ETH 0>1,BTC 2>3']);
    expect(rig.wrong('ETH')).toBeUndefined();
  });

  test('[SNAP-19, L4-12] serves a coin whose snapshot is behind the published height only once it has caught up', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('BTC');
    const blocks = [rig.make('BTC', 'ETH'), rig.make('BTC', 'ETH')];
    for (const block of blocks) rig.emit(only(block, 'BTC'));
    rig.pass(20);
    rig.sequencer.subscribed('ETH');
    rig.now += 1;
    rig.snapshot('ETH', 1_000);
    expect(rig.sequencer.state('ETH')).toBe('catching-up');
    expect(rig.sequencer.view('ETH')).toBeNull();
    rig.now += 1;
    for (const block of blocks) rig.emit(only(block, 'ETH'));
    rig.step('ETH', 'BTC');
    rig.pass(20);
    expect(rig.wrong('ETH')).toBeUndefined();
    rig.step('ETH', 'BTC');
    expect(rig.said.slice(2)).toEqual(['1003:BTC 2>3', '1004:ETH 0>1,BTC 3>4']);
  });

  test('[L4-12] drops blocks that the snapshot of a coin catching up already contains', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('BTC');
    const blocks = [rig.make('BTC', 'ETH'), rig.make('BTC', 'ETH')];
    for (const block of blocks) rig.emit(only(block, 'BTC'));
    rig.pass(20);
    rig.sequencer.subscribed('ETH');
    rig.now += 1;
    rig.snapshot('ETH', 1_001);
    expect(rig.sequencer.state('ETH')).toBe('catching-up');
    rig.now += 1;
    for (const block of blocks) rig.emit(only(block, 'ETH'));
    rig.step('ETH', 'BTC');
    rig.pass(20);
    expect(rig.events).toEqual(['live BTC', 'live ETH']);
    expect(rig.wrong('ETH')).toBeUndefined();
  });

  test('[SNAP-19] serves a coin that catches up once its source has reported everything up to the published height', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('BTC');
    rig.sequencer.subscribed('ETH');
    const blocks = [rig.make('BTC', 'ETH'), rig.make('BTC', 'ETH')];
    for (const block of blocks) rig.emit(only(block, 'BTC'));
    rig.pass(20);
    rig.snapshot('ETH', 1_001);
    rig.emit(only(blocks[1] ?? new Map(), 'ETH'));
    rig.sequencer.completeThrough(1_001);
    expect(rig.sequencer.view('ETH')).toBeNull();
    rig.sequencer.completeThrough(1_002);
    expect(rig.sequencer.view('ETH')?.height).toBe(1_002);
    expect(rig.wrong('ETH')).toBeUndefined();
  });

  test('[SNAP-19] gives a coin that caught up after all others were lost the time of the published height', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('ETH');
    rig.sequencer.subscribed('BTC');
    rig.step('ETH');
    rig.step('ETH');
    rig.pass(20);
    rig.sequencer.lose('ETH', 'disconnected', 'test');
    rig.snapshot('BTC', 1_001);
    rig.sequencer.completeThrough(1_002);
    expect(rig.sequencer.view('BTC')).toMatchObject({ height: 1_002, time: 1_002 * 67 });
  });

  test('[L4-8, UP-14] adds the first orders to an empty book, with or without their side', () => {
    const rig = new Rig(['BTC']);
    rig.sequencer.subscribed('BTC');
    rig.sequencer.onSnapshot('BTC', 1_000, 67_000, [[], []], rig.now);
    const [bid, ask] = [order({ oid: 1, limitPx: '9.0' }), order({ oid: 2, side: 'A', limitPx: '11.0' })];
    const { side: _, ...sideless } = diff.insert('1.0', { oid: 2, side: 'A', px: '11.0' });
    rig.sequencer.onBlock(upstreamBlock(1_001, [diff.insert('1.0', { oid: 1, px: '9.0' })], [orderStatus(bid)]), 0);
    rig.sequencer.onBlock(upstreamBlock(1_002, [sideless], [orderStatus(ask)]), 0);
    rig.sequencer.settle(0);
    expect(rig.events).toEqual(['live BTC']);
    expect(rig.said).toEqual(['1001:BTC 0>1', '1002:BTC 1>2']);
    expect(rig.sequencer.view('BTC')?.book.levels()).toEqual([[bid], [ask]]);
  });

  test('[UP-6] does not serve a snapshot that contradicts itself', () => {
    const rig = new Rig(['BTC']);
    rig.sequencer.subscribed('BTC');
    const [bids, asks] = rig.book('BTC').levels();
    rig.sequencer.onSnapshot('BTC', rig.height, 1, [[...bids, ...bids], asks], rig.now);
    // What has no book cannot lose it.
    for (const coin of ['BTC', 'SOL']) rig.sequencer.lose(coin, 'disconnected', 'test');
    expect(rig.events).toEqual(['lost BTC finding']);
    expect(rig.sequencer.state('BTC')).toBe('waiting');
  });
});

test('[UP-30] claims no height past the last known of a coin whose silence means nothing', () => {
  const rig = new Rig(['BTC', 'ETH']);
  rig.join('BTC', 'ETH');
  const claimed = () => rig.sequencer.completeView('BTC')?.height;
  rig.sequencer.silenceIsQuiet('BTC', false);
  rig.step('ETH');
  rig.pass(20);
  expect([rig.sequencer.view('BTC')?.height, claimed()]).toEqual([1_001, 1_000]);
  for (const height of [1_001, 999]) rig.sequencer.unchanged('BTC', height, height * 67);
  rig.sequencer.unchanged('SOL', 1_001, 1);
  expect([claimed(), rig.sequencer.state('SOL')]).toEqual([1_001, null]);
  rig.step('BTC', 'ETH');
  rig.pass(20);
  expect(claimed()).toBe(1_002);
  rig.step('ETH');
  rig.pass(20);
  expect(claimed()).toBe(1_002);
  rig.sequencer.silenceIsQuiet('BTC', true);
  expect(claimed()).toBe(1_003);
});

describe('blocks', () => {
  test('[L4-24, L4-25] with statuses only publish nothing and advance no sequence', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    rig.step('BTC');
    rig.height += 1;
    rig.sequencer.onBlock(upstreamBlock(rig.height, [], [orderStatus(order(), 'badAloPxRejected')]), rig.now);
    rig.sequencer.settle(rig.now);
    expect(rig.sequencer.view('BTC')).toMatchObject({ height: 1_002, seq: 1 });
    rig.step('BTC');
    expect(rig.said).toEqual(['1001:BTC 0>1', '1003:BTC 1>2']);
  });

  test('[UP-9, L4-12] that were swapped are published in order', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('BTC', 'ETH');
    const [one, two] = [rig.make('BTC', 'ETH'), rig.make('BTC', 'ETH')];
    rig.emit(two);
    rig.now += 30;
    rig.emit(one);
    expect(rig.said).toEqual(['1001:BTC 0>1,ETH 0>1', '1002:BTC 1>2,ETH 1>2']);
    for (const coin of ['BTC', 'ETH']) expect(rig.wrong(coin)).toBeUndefined();
  });

  test('that are repeated are published once and cause no loss', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    const block = rig.make('BTC');
    rig.emit(block);
    rig.emit(block);
    rig.step('BTC');
    rig.emit(block);
    expect(rig.said).toEqual(['1001:BTC 0>1', '1002:BTC 1>2']);
    expect(rig.events).toEqual(['live BTC']);
    expect(rig.sequencer.repeatsDropped).toBe(2);
  });

  test('[UP-7, L4-27, L4-7] that are too late lose only their coin, which skips one number when rebuilt', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('BTC', 'ETH');
    rig.step('BTC', 'ETH');
    const late = rig.make('BTC');
    const next = rig.make('ETH');
    rig.emit(next);
    rig.pass(100);
    rig.emit(late);
    expect(rig.events.slice(2)).toEqual(['lost BTC late-block']);
    expect(rig.sequencer.view('BTC')).toBeNull();
    rig.step('BTC', 'ETH');
    rig.join('BTC');
    expect(rig.sequencer.view('BTC')).toMatchObject({ seq: 2, height: 1_004 });
    rig.step('BTC', 'ETH');
    expect(rig.said).toEqual(['1001:BTC 0>1,ETH 0>1', '1003:ETH 1>2', '1004:ETH 2>3', '1005:BTC 2>3,ETH 3>4']);
    expect(rig.wrong('BTC')).toBeUndefined();
  });

  test('[UP-19] of a quiet coin may skip heights', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    rig.make();
    rig.make();
    rig.step('BTC');
    rig.pass(100);
    rig.step('BTC');
    expect(rig.said).toEqual(['1003:BTC 0>1', '1004:BTC 1>2']);
    expect(rig.events).toEqual(['live BTC']);
  });

  test.each([
    ['an unknown oid', [diff.remove({ oid: 77 })]],
    ['another resting size', [diff.resize('123.4', '1.0', { oid: 0 })]],
    ['a crossed book', [diff.insert('1.0', { oid: 78, side: 'B', px: '99999.0' })]],
  ])('[UP-6, L4-27] with %s are not published and lose the coin', (_, diffs) => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('BTC', 'ETH');
    rig.step('BTC', 'ETH');
    const truth = rig.book('BTC').levels()[0][0];
    const aimed = diffs.map((item) => (item.oid === 0 ? { ...item, oid: truth?.oid, px: truth?.limitPx } : item));
    rig.height += 1;
    rig.sequencer.onBlock(upstreamBlock(rig.height, aimed, []), rig.now);
    rig.emit(new Map());
    rig.pass(20);
    expect(rig.events.slice(2)).toEqual(['lost BTC finding']);
    expect(rig.said).toHaveLength(1);
    rig.history.get('BTC')?.set(rig.height, rig.book('BTC').levels());
    rig.join('BTC');
    rig.step('BTC', 'ETH');
    rig.pass(20);
    expect(rig.said.at(-1)).toBe('1003:BTC 2>3,ETH 1>2');
  });

  test('[UP-15] of an absurd height lose their coin and publish nothing', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    const [block] = rig.make('BTC').values();
    if (block === undefined) throw new Error('no block');
    rig.sequencer.onBlock({ ...block, height: 9_000_000_000 }, rig.now);
    rig.pass(1_000);
    expect(rig.events).toEqual(['live BTC', 'lost BTC height-jump']);
    expect(rig.sequencer.height).toBe(1_000);
  });

  test('[UP-19] far ahead after a long silence are accepted', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    rig.height += 50_000;
    rig.pass(50_000 * 67);
    rig.step('BTC');
    rig.pass(100);
    expect(rig.said).toEqual(['51001:BTC 0>1']);
  });
});

describe('a block that arrives after its height was published', () => {
  /** Holds back BTC's block 1001 while ETH continues. Returns the held block. */
  function withoutBtc(rig: Rig): Map<string, UpstreamBlock> {
    rig.join('BTC', 'ETH');
    const blocks = rig.make('BTC', 'ETH');
    rig.emit(only(blocks, 'ETH'));
    rig.pass(20);
    expect(rig.said).toEqual(['1001:ETH 0>1']);
    return only(blocks, 'BTC');
  }

  test('[UP-22, L4-12] is published with the next height if no later block of its coin was published', () => {
    const rig = new Rig(['BTC', 'ETH']);
    const late = withoutBtc(rig);
    rig.emit(late);
    expect(rig.sequencer.isBehind('BTC')).toBe(true);
    expect(rig.sequencer.view('BTC')?.height).toBe(1_000);
    expect(rig.wrong('BTC')).toBeUndefined();
    rig.step('ETH');
    rig.pass(20);
    expect(rig.sequencer.isBehind('BTC')).toBe(false);
    expect(rig.events).toEqual(['live BTC', 'live ETH', 'caught up BTC']);
    rig.step('BTC', 'ETH');
    rig.pass(20);
    expect(rig.said).toEqual(['1001:ETH 0>1', '1002:ETH 1>2,BTC 0>1', '1003:BTC 1>2,ETH 2>3']);
    expect(rig.wrong('BTC')).toBeUndefined();
  });

  test('[UP-22, L4-17] shares one entry with the block of that height, with diffs and statuses in order', () => {
    const rig = new Rig(['BTC', 'ETH']);
    const late = withoutBtc(rig);
    const next = rig.make('BTC', 'ETH');
    rig.emit(next);
    rig.emit(late);
    rig.pass(20);
    expect(rig.said).toEqual(['1001:ETH 0>1', '1002:BTC 0>1,ETH 1>2']);
    const parts = [late.get('BTC'), next.get('BTC')];
    const entry = rig.published[1]?.entries[0];
    expect(entry?.diffs).toEqual(parts.flatMap((part) => part?.diffs ?? []));
    expect(entry?.statuses).toEqual(parts.flatMap((part) => part?.statuses ?? []));
    const texts = parts.flatMap((part) => (part?.statusesText ? [part.statusesText] : []));
    expect(entry?.statusesText).toBe(texts.join(','));
    expect(rig.wrong('BTC')).toBeUndefined();
  });

  test('[UP-22, L4-25] adds no statuses if it changed nothing, and is compared when repeated', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('BTC', 'ETH');
    rig.emit(rig.make('ETH'));
    rig.pass(20);
    const rejected = upstreamBlock(1_001, [], [orderStatus(order(), 'badAloPxRejected')]);
    const next = rig.make('BTC', 'ETH');
    for (let again = 0; again < 3; again += 1) rig.emit(new Map([['BTC', rejected]]));
    rig.emit(next);
    rig.pass(20);
    expect(rig.published.at(-1)?.entries[0]?.statuses).toEqual(next.get('BTC')?.statuses);
    expect([rig.said.at(-1), rig.sequencer.repeatsDropped]).toEqual(['1002:BTC 0>1,ETH 1>2', 2]);
    rig.emit(new Map([['BTC', { ...rejected, time: 1 }]]));
    expect(rig.events.slice(3)).toEqual(['lost BTC changed-block']);
  });

  test('[UP-22, UP-7] loses the coin if a later block of its own was published', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('BTC', 'ETH');
    const [one, two] = [rig.make('BTC', 'ETH'), rig.make('BTC', 'ETH')];
    rig.emit(only(one, 'ETH'));
    rig.emit(two);
    rig.pass(20);
    rig.emit(only(one, 'BTC'));
    expect(rig.events.slice(2).every((event) => event.startsWith('lost BTC'))).toBe(true);
    expect(rig.sequencer.state('BTC')).toBe('waiting');
    rig.join('BTC');
    rig.step('BTC', 'ETH');
    rig.pass(20);
    expect(rig.said.at(-1)).toMatch(/^1003:BTC [12]>[23],ETH 2>3$/);
    expect(rig.wrong('BTC')).toBeUndefined();
  });

  test('[UP-22] shares the next height with further late blocks of its coin, in order', () => {
    const rig = new Rig(['BTC', 'ETH']);
    const late = withoutBtc(rig);
    const next = rig.make('BTC', 'ETH');
    rig.emit(only(next, 'ETH'));
    rig.pass(20);
    rig.emit(only(next, 'BTC'));
    rig.emit(late);
    expect(rig.sequencer.view('BTC')?.height).toBe(1_000);
    rig.step('ETH');
    rig.pass(20);
    expect(rig.said.at(-1)).toBe('1003:ETH 2>3,BTC 0>1');
    expect(rig.wrong('BTC')).toBeUndefined();
  });

  test('[UP-22, UP-7] loses the coin if nothing follows within L4_REORDER_MS', () => {
    const rig = new Rig(['BTC', 'ETH']);
    const late = withoutBtc(rig);
    const next = rig.make('BTC', 'ETH');
    rig.emit(only(next, 'ETH'));
    rig.pass(20);
    rig.emit(late);
    rig.pass(60);
    // A further late block does not extend the wait.
    rig.emit(only(next, 'BTC'));
    rig.pass(39);
    expect(rig.events).toHaveLength(2);
    rig.pass(1);
    expect(rig.events.slice(2)).toEqual(['lost BTC late-block']);
  });
});

test('[UP-6, UP-22] a block that contradicts the book loses the coin at once, whatever may still arrive', () => {
  const rig = new Rig(['BTC', 'ETH']);
  rig.join('BTC', 'ETH');
  const fields = { oid: 7_777_777, side: 'B', px: '1.0' } as const;
  const [one, two] = [rig.make('ETH'), rig.make('ETH')];
  rig.emit(one);
  rig.emit(new Map([['BTC', upstreamBlock(1_002, [diff.remove(fields)], [])], ...two]));
  rig.pass(20);
  expect(rig.events.slice(2)).toEqual(['lost BTC finding']);
  expect(rig.said).toEqual(['1001:ETH 0>1', '1002:ETH 1>2']);
});

describe('heights that go back on an open connection', () => {
  /** Rolls the chain back by this many blocks; it continues differently. */
  function stepBack(rig: Rig, blocks: number): void {
    rig.height -= blocks;
    rig.timeShift += 1;
  }

  test.each([2, 7, 40, 500, 2_000])(
    '[UP-32, L4-19] are detected at the first block that differs from the published one: by %i blocks',
    (blocks) => {
      const rig = new Rig(['BTC', 'ETH']);
      rig.join('BTC', 'ETH');
      for (let count = 0; count < blocks + 50; count += 1) rig.step('BTC', 'ETH');
      stepBack(rig, blocks);
      rig.step('BTC', 'ETH');
      expect(rig.events.slice(2)).toEqual(['lost BTC changed-block', 'lost ETH changed-block']);
      rig.join('BTC', 'ETH');
      rig.pass(5_000);
      rig.step('BTC', 'ETH');
      rig.pass(20);
      expect(rig.sequencer.epoch).toBe('epoch-2');
      expect(rig.said.at(-1)).toBe(`${rig.height}:BTC 0>1,ETH 0>1`);
      for (const coin of ['BTC', 'ETH']) expect(rig.wrong(coin)).toBeUndefined();
    },
  );

  test('[UP-32, L4-27] by one block cause a gap in the same epoch', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    for (let count = 0; count < 5; count += 1) rig.step('BTC');
    stepBack(rig, 1);
    rig.step('BTC');
    rig.join('BTC');
    rig.step('BTC');
    expect(rig.events).toEqual(['live BTC', 'lost BTC changed-block', 'live BTC']);
    expect(rig.said.at(-1)).toBe('1006:BTC 6>7');
    expect(rig.wrong('BTC')).toBeUndefined();
  });

  test('[UP-32] with identical content are dropped silently, and lose the coin at the 128th block', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    const past: Map<string, UpstreamBlock>[] = [];
    for (let count = 0; count < 300; count += 1) {
      const block = rig.make('BTC');
      past.push(block);
      rig.emit(block);
    }
    for (const block of past.slice(0, 127)) rig.emit(block);
    expect([rig.events, rig.published.length]).toEqual([['live BTC'], 300]);
    expect(rig.sequencer.repeatsDropped).toBe(127);
    const [next] = past.slice(127);
    if (next !== undefined) rig.emit(next);
    expect(rig.events.slice(1)).toEqual(['lost BTC repeated-blocks']);
  });

  test('[UP-32] cause no loss as repeats between new blocks, however many', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    for (let count = 0; count < 300; count += 1) {
      const block = rig.make('BTC');
      rig.emit(block);
      for (let again = 0; again < 5; again += 1) rig.emit(block);
    }
    expect([rig.events, rig.published.length]).toEqual([['live BTC'], 300]);
  });

  test('[UP-32] lose the coin if two blocks of one height differ, before publication or while it is joining', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('BTC');
    rig.sequencer.subscribed('ETH');
    const [block, other] = [rig.make('BTC', 'ETH'), rig.make('BTC', 'ETH')];
    rig.emit(only(block, 'ETH'));
    const again = (coin: string) => {
      const { time = 0, ...rest } = other.get(coin) ?? {};
      return new Map([[coin, { ...rest, time, height: 1_001, coin } as UpstreamBlock]]);
    };
    rig.emit(again('ETH'));
    expect(rig.events.slice(1)).toEqual(['lost ETH changed-block']);
    // The same once the height is settled by other coins.
    rig.sequencer.subscribed('ETH');
    rig.emit(only(block, 'BTC'));
    rig.emit(only(other, 'BTC'));
    rig.emit(only(block, 'ETH'));
    rig.emit(only(block, 'ETH'));
    expect(rig.events.slice(2)).toEqual([]);
    rig.emit(again('ETH'));
    expect(rig.events.slice(2)).toEqual(['lost ETH changed-block']);
  });
});

describe('leaving and coming back', () => {
  test('[L4-27] continues a coin that was left and joined again in one epoch with a gap', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    rig.step('BTC');
    rig.sequencer.remove('BTC');
    expect(rig.sequencer.state('BTC')).toBeNull();
    rig.make('BTC');
    rig.sequencer.add('BTC');
    rig.join('BTC');
    rig.step('BTC');
    expect(rig.said).toEqual(['1001:BTC 0>1', '1003:BTC 2>3']);
  });

  test('[L4-19, L4-26] begins a new epoch at once if the upstream is far behind', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.height = 50_000;
    rig.make();
    rig.join('BTC', 'ETH');
    rig.step('BTC', 'ETH');
    for (const coin of ['BTC', 'ETH']) rig.sequencer.lose(coin, 'disconnected', 'test');
    rig.height = 0;
    rig.make();
    rig.join('BTC', 'ETH');
    expect(rig.events.slice(4)).toEqual(['epoch epoch-2', 'live BTC', 'live ETH']);
    rig.step('BTC', 'ETH');
    expect(rig.published.at(-1)).toMatchObject({ epoch: 'epoch-2', height: 2 });
    expect(rig.said.at(-1)).toBe('2:BTC 0>1,ETH 0>1');
    for (const coin of ['BTC', 'ETH']) expect(rig.wrong(coin)).toBeUndefined();
  });

  test('[L4-19] gives an upstream that is slightly behind time to catch up, then begins a new epoch', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    for (let count = 0; count < 5; count += 1) rig.step('BTC');
    rig.sequencer.lose('BTC', 'disconnected', 'test');
    rig.height = 1_002;
    rig.make();
    rig.join('BTC');
    expect(rig.sequencer.state('BTC')).toBe('catching-up');
    rig.step('BTC');
    rig.pass(4_999);
    expect(rig.sequencer.view('BTC')).toBeNull();
    rig.pass(1);
    expect(rig.events.slice(-2)).toEqual(['epoch epoch-2', 'live BTC']);
    expect(rig.sequencer.view('BTC')).toMatchObject({ height: 1_004, epoch: 'epoch-2', seq: 0 });
    expect(rig.wrong('BTC')).toBeUndefined();
    rig.step('BTC');
    expect(rig.said.at(-1)).toBe('1005:BTC 0>1');
  });

  test('[L4-12] continues in the same epoch if an upstream that is slightly behind catches up', () => {
    const rig = new Rig(['BTC']);
    rig.join('BTC');
    const missed = [rig.make('BTC'), rig.make('BTC'), rig.make('BTC')];
    for (const block of missed) rig.emit(block);
    rig.sequencer.lose('BTC', 'disconnected', 'test');
    rig.now += 1;
    rig.sequencer.subscribed('BTC');
    rig.snapshot('BTC', 1_001);
    rig.now += 1;
    for (const block of missed.slice(1)) rig.emit(block);
    rig.step('BTC');
    rig.step('BTC');
    expect(rig.events).toEqual(['live BTC', 'lost BTC disconnected', 'live BTC']);
    expect(rig.said).toEqual(['1001:BTC 0>1', '1002:BTC 1>2', '1003:BTC 2>3', '1005:BTC 4>5']);
    expect(rig.wrong('BTC')).toBeUndefined();
  });

  test('[UP-6] loses only the coin of a stale snapshot while other coins continue', () => {
    const rig = new Rig(['BTC', 'ETH']);
    rig.join('BTC');
    for (let count = 0; count < 3; count += 1) rig.step('BTC');
    rig.sequencer.subscribed('ETH');
    const [block] = rig.make('BTC').values();
    if (block === undefined) throw new Error('no block');
    // No height that begins after the snapshot is complete before the time is over.
    rig.sequencer.onBlock(block, rig.now);
    rig.snapshot('ETH', 1_001);
    rig.sequencer.settle(rig.now);
    rig.pass(5_000);
    expect(rig.events).toEqual(['live BTC', 'lost ETH stale-snapshot']);
    expect(rig.sequencer.epoch).toBe('epoch-1');
  });
});

/** A client of the stream as described in section 4.7, for one coin. */
class Follower {
  book: L4Book | null = null;
  height = 0;
  seq = 0;
  epoch = '';

  bootstrap(rig: Rig, coin: string): void {
    const view = rig.sequencer.view(coin);
    if (view === null) {
      this.book = null;
      return;
    }
    ({ height: this.height, seq: this.seq, epoch: this.epoch } = view);
    this.book = L4Book.build(coin, view.book.levels()).book;
  }

  /** Findings of every block. */
  readonly findings: Finding[] = [];

  /** Applies a block. Returns whether it continues the follower's book. */
  follow(block: SequencedBlock, coin: string): boolean {
    const entry = block.entries.find((item) => item.coin === coin);
    if (entry === undefined || this.book === null) return true;
    if (block.epoch === this.epoch && entry.seq <= this.seq) return true;
    if (block.epoch !== this.epoch || entry.prevSeq !== this.seq) {
      this.book = null;
      return false;
    }
    this.findings.push(...this.book.apply(entry.changes, entry.statuses, block.time));
    ({ height: this.height } = block);
    this.seq = entry.seq;
    return true;
  }
}

/** Messages of one connection with their arrival times, from a server that occasionally swaps two blocks of a coin. */
function arrivals(
  rig: Rig,
  chance: Chance,
  coins: readonly string[],
  { everyMs, turns }: { everyMs: number; turns: number },
) {
  const messages: { readonly at: number; readonly block: UpstreamBlock }[] = [];
  const speaks = new Map(coins.map((coin, index) => [coin, index < 2 ? 1 : chance.next() * 0.9 + 0.1]));
  let [held, swaps] = [undefined as { block: UpstreamBlock; at: number } | undefined, 0];
  for (let turn = 0; turn < turns; turn += 1) {
    let at = turn * everyMs;
    const made = rig.make(...coins.filter((coin) => chance.happens(speaks.get(coin) ?? 1)));
    const burst = [...made.values()];
    if (held !== undefined) {
      const { coin } = held.block;
      const place = burst.findIndex((block) => block.coin === coin);
      // The swapped block arrives somewhere after the next block of its coin, in the same burst.
      if (place >= 0) burst.splice(chance.int(place + 1, burst.length + 1), 0, held.block);
      if (place >= 0) held = undefined;
    } else if (turn < turns - 20 && chance.happens(0.2)) {
      // Of a coin in every burst, so that its next block arrives within the wait.
      const swapped = chance.pick(burst.filter(({ coin }) => speaks.get(coin) === 1));
      held = { block: swapped, at };
      burst.splice(burst.indexOf(swapped), 1);
      swaps += 1;
    }
    for (const block of burst) {
      messages.push({ at, block });
      at += (chance.next() * everyMs) / (4 * coins.length);
    }
  }
  return { messages, swaps };
}

const rates = [67, 13, 5];
const cases = [1, 2, 8].flatMap((count) =>
  rates.flatMap((everyMs) => seeds(1).map((seed) => [count, everyMs, seed] as const)),
);
test.each(cases)(
  '[UP-22, L4-12] two swapped adjacent blocks of one coin are reordered while other coins continue: %i coins, a block every %i ms (seed %i)',
  (count, everyMs, seed) => {
    const coins = ['BTC', 'ETH', 'SOL', 'HYPE', 'XRP', 'DOGE', 'BNB', 'AVAX'].slice(0, count);
    const rig = new Rig(coins, seed, { reorderMs: 200 });
    rig.join(...coins);
    const followers = new Map(coins.map((coin) => [coin, new Follower()]));
    for (const coin of coins) followers.get(coin)?.bootstrap(rig, coin);
    const { messages, swaps } = arrivals(rig, new Chance(seed * 77 + everyMs), coins, { everyMs, turns: 150 });
    expect(swaps).toBeGreaterThanOrEqual(5);
    for (const { at, block } of messages) {
      rig.pass(Math.max(0, at - rig.now));
      rig.emit(new Map([[block.coin, block]]));
    }
    rig.pass(1_000);
    expect(rig.events.filter((event) => event.startsWith('lost'))).toEqual([]);
    const heights = rig.published.map(({ height }) => height);
    expect(heights).toEqual([...new Set(heights)].toSorted((a, b) => a - b));
    for (const coin of coins) {
      const follower = followers.get(coin);
      for (const block of rig.published) expect(follower?.follow(block, coin)).toBe(true);
      expect(follower?.findings).toEqual([]);
      expect(rig.wrong(coin)).toBeUndefined();
      expect(follower?.book?.checksum()).toBe(rig.sequencer.view(coin)?.book.checksum());
    }
  },
);

test.each(seeds(2))(
  '[L4-8, L4-18, L4-6, UP-6] despite random delays, repeats and losses, live books and their followers stay equal to the truth (seed %i)',
  (seed) => {
    const coins = ['BTC', 'ETH', 'SOL'];
    const rig = new Rig(coins, seed);
    const chance = new Chance(seed * 1_000);
    const followers = new Map(coins.map((coin) => [coin, new Follower()]));
    let seen = 0;
    let gaps = 0;
    rig.join(...coins);
    for (const coin of coins) followers.get(coin)?.bootstrap(rig, coin);
    const held: Map<string, UpstreamBlock>[] = [];
    for (let turn = 0; turn < 400; turn += 1) {
      const block = rig.make(...coins.filter(() => chance.happens(0.7)));
      const roll = chance.next();
      if (roll < 0.1) held.push(block);
      else {
        rig.emit(block);
        if (roll < 0.2) rig.emit(block);
      }
      const delay = held[0];
      if (delay !== undefined && chance.happens(0.7)) {
        rig.emit(delay);
        held.shift();
      }
      rig.pass(chance.int(0, 67));
      if (chance.happens(0.02)) rig.sequencer.lose(chance.pick(coins), 'disconnected', 'weather');
      for (const coin of coins) {
        if (rig.sequencer.state(coin) === 'waiting' && held.length === 0 && chance.happens(0.5)) rig.join(coin);
      }
      for (; seen < rig.published.length; seen += 1) {
        const next = rig.published[seen];
        const before = rig.published[seen - 1];
        if (next === undefined) throw new Error('no block');
        expect(next.height).toBeGreaterThan(before?.height ?? 0);
        for (const coin of coins) if (followers.get(coin)?.follow(next, coin) === false) gaps += 1;
      }
      for (const [coin, follower] of followers) {
        const view = rig.sequencer.view(coin);
        // A block delayed past the waiting time leaves no trace until it arrives (UP-19).
        const missing = held.some((blocks) => (blocks.get(coin)?.height ?? Infinity) <= (rig.sequencer.height ?? 0));
        const served = view === null || missing ? undefined : rig.wrong(coin);
        if (follower.book === null) follower.bootstrap(rig, coin);
        const followed = view !== null && view.seq === follower.seq ? follower.book?.checksum() : undefined;
        expect({ coin, served, followed: followed ?? view?.book.checksum(), findings: follower.findings }).toEqual({
          coin,
          served: undefined,
          followed: view?.book.checksum(),
          findings: [],
        });
      }
    }
    const losses = rig.events.filter((event) => event.startsWith('lost'));
    expect(rig.published.length).toBeGreaterThan(100);
    // Every gap that a client saw was caused by a loss.
    expect(gaps).toBeLessThanOrEqual(losses.length);
    expect(losses.every((event) => / (late-block|disconnected|finding)$/.test(event))).toBe(true);
  },
);
