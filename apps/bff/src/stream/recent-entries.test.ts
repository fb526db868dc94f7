import type { EntryText, PublishedBlock, PublishedEntry } from '@l4desk/feed';
import { stoppedClock } from '@l4desk/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { RecentEntries } from './recent-entries.ts';

const EPOCH = '6f1c9f6e-6f1b-4a35-9a0c-0f7f5a1f2b3c';
const KEEP_MS = 60_000;
const BOOK = 100;

/** Bytes of a coin's text with all statuses, by coin. The text of its book has `BOOK` bytes. */
type Sizes = Readonly<Record<string, number>>;

/** A block as the feed publishes it: all texts share one buffer, here with `more` extra bytes. */
function blockOf(seq: number, sizes: Sizes, more = 0): PublishedBlock {
  const texts = Object.values(sizes).reduce((sum, all) => sum + all + BOOK, 0);
  const memory = Buffer.allocUnsafeSlow(texts + more).fill(seq);
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
let recent: RecentEntries;

beforeEach(() => {
  time = stoppedClock();
  recent = new RecentEntries({ keepMs: KEEP_MS, bytesMax: 50_000 }, time.clock);
});

/** The next block for a client that has no entries of these coins. */
function replayed(statuses: 'all' | 'book', coins: readonly string[] = ['BTC']): PublishedBlock | null | 'dropped' {
  return recent.replay({ epoch: EPOCH, after: new Map(coins.map((coin) => [coin, 0])), statuses }).next();
}

function kept(statuses: 'all' | 'book'): PublishedEntry | undefined {
  const block = replayed(statuses);
  if (block === null || block === 'dropped') throw new Error(`no block: ${block}`);
  return block.entries[0];
}

describe('[RES-1] the kept entries', () => {
  it('are views of the memory of their block if they are nearly all of it', () => {
    recent.readAll('BTC', true);
    const block = blockOf(1, { BTC: 10_000 }, 2_500);
    recent.add(block);
    expect(replayed('all')).toEqual(block);
    expect(kept('all')?.all?.plain.buffer).toBe(block.entries[0]?.all?.plain.buffer);
    expect(recent.bytes).toBe(12_600);
  });

  it('are copied if they are less than four fifths of it', () => {
    recent.readAll('BTC', true);
    const block = blockOf(1, { BTC: 10_000 }, 2_600);
    recent.add(block);
    expect(replayed('all')).toEqual(block);
    expect(kept('all')?.all?.plain.buffer).not.toBe(block.entries[0]?.all?.plain.buffer);
    expect(recent.bytes).toBe(10_100);
  });

  it('are copied if the block also contains statuses without a reader', () => {
    recent.readAll('ETH', true);
    const block = blockOf(1, { BTC: 10_000, ETH: 1_000 });
    recent.add(block);
    expect(kept('book')).toEqual({ ...block.entries[0], all: null });
    // Node allocates small Buffers from a pool, so only identity can be compared.
    expect(kept('book')?.book.plain.buffer).not.toBe(block.entries[0]?.book.plain.buffer);
    expect(recent.bytes).toBe(1_200);
  });

  it('retain the memory of a block until the last of them is dropped', () => {
    recent.readAll('BTC', true);
    recent.readAll('ETH', true);
    recent.add(blockOf(1, { BTC: 10_000, ETH: 1_000 }));
    expect(recent.bytes).toBe(11_200);
    recent.forget('BTC');
    expect(recent.bytes).toBe(11_200);
    recent.forget('ETH');
    expect(recent.bytes).toBe(0);
  });

  it('are dropped when they are too old, and oldest first if they retain too many bytes', () => {
    recent.readAll('BTC', true);
    for (let seq = 1; seq <= 5; seq += 1) {
      recent.add(blockOf(seq, { BTC: 9_900 }));
      time.advance(1_000);
    }
    expect(recent.bytes).toBe(50_000);
    recent.add(blockOf(6, { BTC: 9_900 }));
    expect(recent.bytes).toBe(50_000);
    expect(replayed('all')).toBe('dropped');
    time.advance(KEEP_MS - 2_500);
    recent.add(blockOf(7, { BTC: 900 }));
    expect(recent.bytes).toBe(31_000);
  });

  it('release their memory when entries with more statuses replace them', () => {
    const block = blockOf(1, { BTC: 10_000 });
    recent.add(block);
    expect(recent.bytes).toBe(BOOK);
    recent.takeEarlier('BTC', { epoch: EPOCH, blocks: [{ ageMs: 0, block }], seqs: {} }, true, 0);
    expect(replayed('all')).toEqual(block);
    expect(recent.bytes).toBe(10_100);
  });

  it('are copied out of a block that another gateway published', () => {
    const block = blockOf(1, { BTC: 10_000, ETH: 1_000 });
    recent.takeEarlier('ETH', { epoch: EPOCH, blocks: [{ ageMs: 0, block }], seqs: {} }, true, 0);
    expect(recent.bytes).toBe(1_100);
    expect(replayed('all', ['ETH'])).toEqual({ ...block, entries: [block.entries[1]] });
  });
});
