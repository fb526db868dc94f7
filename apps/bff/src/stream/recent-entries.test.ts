import type { EntryText, PublishedBlock } from '@l4desk/feed';
import { stoppedClock } from '@l4desk/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { RecentEntries } from './recent-entries.ts';

const EPOCH = '6f1c9f6e-6f1b-4a35-9a0c-0f7f5a1f2b3c';
const BOOK_BYTES = 100;

/** A block of one coin as it comes from the feed: both its texts in one piece of memory. */
function blockOf(seq: number, allBytes: number): PublishedBlock {
  const memory = Buffer.allocUnsafeSlow(allBytes + BOOK_BYTES).fill(seq);
  const text = (from: number, to: number): EntryText => ({ plain: memory.subarray(from, to), deflated: null });
  const [all, book] = [text(0, allBytes), text(allBytes, allBytes + BOOK_BYTES)];
  const entries = [{ coin: 'BTC', seq, prevSeq: seq - 1, all, book }];
  return { epoch: EPOCH, height: seq, time: seq, receivedAt: seq, entries };
}

let recent: RecentEntries;

beforeEach(() => {
  recent = new RecentEntries({ keepMs: 60_000, bytesMax: 1_000_000 }, stoppedClock().clock);
});

/** The next block for somebody who has nothing. */
function replayed(statuses: 'all' | 'book'): PublishedBlock | null | 'dropped' {
  return recent.replay({ epoch: EPOCH, after: new Map([['BTC', 0]]), statuses }).next();
}

describe('[RES-1] the entries of the last moments', () => {
  it('stay in the memory of their block while it holds hardly anything else', () => {
    recent.readAll('BTC', true);
    const block = blockOf(1, 10_000);
    recent.add(block);
    expect(replayed('all')).toEqual(block);
    const [kept] = (replayed('all') as PublishedBlock).entries;
    expect(kept?.all?.plain.buffer).toBe(block.entries[0]?.all?.plain.buffer);
    expect(recent.bytes).toBe(10_000 + BOOK_BYTES);
  });

  it('do not keep alive what nobody can ask for: statuses that nobody reads', () => {
    const block = blockOf(1, 10_000);
    recent.add(block);
    const [kept] = (replayed('book') as PublishedBlock).entries;
    expect(kept?.all).toBeNull();
    expect(kept?.book).toEqual(block.entries[0]?.book);
    // Small copies share the memory that Node keeps for them.
    expect(kept?.book.plain.buffer).not.toBe(block.entries[0]?.book.plain.buffer);
    expect(recent.bytes).toBe(BOOK_BYTES);
  });
});
