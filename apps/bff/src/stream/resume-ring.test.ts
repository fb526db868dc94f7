import type { EntryText, PublishedBlock, PublishedEntry } from '@l4desk/feed';
import { stoppedClock } from '@l4desk/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { ResumeRing } from './resume-ring.ts';

const EPOCH = '6f1c9f6e-6f1b-4a35-9a0c-0f7f5a1f2b3c';
const KEEP_MS = 60_000;
const BOOK = 100;

/** Bytes of a coin's text with all statuses, by coin. The text of its book has `BOOK` bytes. */
type Sizes = Readonly<Record<string, number>>;

/** A block as the feed publishes it: all texts share one buffer. */
function blockOf(seq: number, sizes: Sizes): PublishedBlock {
  const memory = Buffer.allocUnsafeSlow(Object.values(sizes).reduce((sum, all) => sum + all + BOOK, 0)).fill(seq);
  let at = 0;
  const text = (bytes: number): EntryText => {
    at += bytes;
    return { plain: memory.subarray(at - bytes, at), deflated: null };
  };
  const entries = Object.entries(sizes).map(
    ([coin, all]): PublishedEntry => ({ coin, seq, prevSeq: seq - 1, all: text(all), book: text(BOOK) }),
  );
  return { epoch: EPOCH, height: seq, time: seq, receivedAt: seq, entries };
}

let time: ReturnType<typeof stoppedClock>;
let ring: ResumeRing;
let readAll: Set<string>;

beforeEach(() => {
  time = stoppedClock();
  readAll = new Set();
  ring = new ResumeRing({ keepMs: KEEP_MS, bytesMax: 50_000, readsAll: (coin) => readAll.has(coin) }, time.clock);
});

/** The next block for a client that has no entries of these coins. */
function replayed(statuses: 'all' | 'book', coins: readonly string[] = ['BTC']): PublishedBlock | null | 'dropped' {
  return ring.replay({ epoch: EPOCH, after: new Map(coins.map((coin) => [coin, 0])), statuses }).next();
}

describe('the kept entries', () => {
  it('retain none of the memory of their block, and all statuses only with a reader', () => {
    readAll.add('ETH');
    const block = blockOf(1, { BTC: 10_000, ETH: 1_000 });
    ring.add(block);
    expect(ring.bytes).toBe(1_200);
    const [btc, eth] = block.entries;
    expect(replayed('book', ['BTC', 'ETH'])).toEqual({ ...block, entries: [{ ...btc, all: null }, eth] });
    expect(replayed('all', ['ETH'])).toEqual({ ...block, entries: [eth] });
    expect(replayed('all')).toBe('dropped');
  });

  it('are gone once their coin is forgotten', () => {
    readAll.add('BTC');
    ring.add(blockOf(1, { BTC: 10_000, ETH: 1_000 }));
    expect(ring.bytes).toBe(10_200);
    ring.forget('BTC');
    expect([ring.bytes, replayed('book')]).toEqual([BOOK, null]);
    ring.forget('ETH');
    expect(ring.bytes).toBe(0);
  });

  it('are dropped when they are too old, and oldest first if they retain too many bytes', () => {
    readAll.add('BTC');
    for (let seq = 1; seq <= 5; seq += 1) {
      ring.add(blockOf(seq, { BTC: 9_900 }));
      time.advance(1_000);
    }
    expect(ring.bytes).toBe(50_000);
    ring.add(blockOf(6, { BTC: 9_900 }));
    expect(ring.bytes).toBe(50_000);
    expect(replayed('all')).toBe('dropped');
    time.advance(KEEP_MS - 2_500);
    ring.add(blockOf(7, { BTC: 900 }));
    expect(ring.bytes).toBe(31_000);
  });

  it('[L4-6] do not reach over a gap, and a new epoch replaces them', () => {
    ring.add(blockOf(1, { BTC: 0 }));
    ring.add(blockOf(3, { BTC: 0, ETH: 0 }));
    const reach = (coin: string, seq: number, epoch = EPOCH) =>
      ring.reach(coin, { epoch, after: new Map([[coin, seq]]), statuses: 'book' });
    expect([reach('BTC', 1), reach('BTC', 2), reach('ETH', 2), reach('BTC', 4)]).toEqual(['expired', 3, 3, 'future']);
    expect(ring.bytes).toBe(2 * BOOK);
    const epoch = '00000000-0000-4000-8000-000000000000';
    ring.add({ ...blockOf(1, { BTC: 0 }), epoch });
    expect([reach('BTC', 2), reach('BTC', 0, epoch), ring.bytes]).toEqual(['epoch', 1, BOOK]);
  });

  it('are replaced by entries with more statuses, of the same block too', () => {
    const blocks = [blockOf(1, { BTC: 10_000, ETH: 0 }), blockOf(2, { BTC: 10_000 })];
    for (const block of blocks) ring.add(block);
    expect(ring.bytes).toBe(3 * BOOK);
    const found = { epoch: EPOCH, blocks: blocks.map((block) => ({ ageMs: 0, block })), seqs: {} };
    ring.takeEarlier('BTC', found, true, 0);
    const replay = ring.replay({ epoch: EPOCH, after: new Map([['BTC', 0]]), statuses: 'all' });
    expect([replay.next(), replay.next(), replay.next()]).toEqual([
      { ...blocks[0], entries: blocks[0]?.entries.slice(0, 1) },
      blocks[1],
      null,
    ]);
    expect(ring.bytes).toBe(20_300);
    expect(replayed('book', ['ETH'])).not.toBeNull();
  });

  it('begin with those of another gateway, which come before those that were published here', () => {
    const blocks = [1, 2, 3, 4].map((seq) => blockOf(seq, { ETH: 1_000 }));
    ring.add(blocks[3] as PublishedBlock);
    ring.takeEarlier(
      'ETH',
      { epoch: EPOCH, blocks: blocks.map((block) => ({ ageMs: 10, block })), seqs: {} },
      false,
      0,
    );
    const replay = ring.replay({ epoch: EPOCH, after: new Map([['ETH', 1]]), statuses: 'book' });
    const heights = [replay.next(), replay.next(), replay.next(), replay.next()].map(
      (block) => block !== null && block !== 'dropped' && block.height,
    );
    expect(heights).toEqual([2, 3, 4, false]);
    expect(ring.bytes).toBe(4 * BOOK);
  });

  it('take none of another gateway that were requested before their coin was lost', () => {
    const generation = ring.generation('BTC');
    ring.add(blockOf(1, { BTC: 0 }));
    ring.forget('BTC');
    ring.takeEarlier(
      'BTC',
      { epoch: EPOCH, blocks: [{ ageMs: 0, block: blockOf(1, { BTC: 0 }) }], seqs: {} },
      false,
      generation,
    );
    expect(replayed('book')).toBeNull();
  });
});
