import type { L4Order } from '@l4desk/protocol';
import { type BookCapture, documentedChecksum, generatedCapture, PlainReplay, realCapture } from '@l4desk/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareWithLevels } from './compare.ts';
import { L4Book } from './l4-book.ts';
import { Follower } from './test-support/follower.ts';
import { shortest, valueOf } from './test-support/model-book.ts';
import { murmur128 } from './test-support/murmur.ts';

/**
 * Compares every field of every order. Describes the difference first, because two texts of 16 MB that differ are unreadable.
 */
function expectSame(book: L4Book, levels: BookCapture['levels']): void {
  expect(compareWithLevels(levels, book)).toBeUndefined();
  expect(Buffer.concat([...book.levelsJson()]).equals(Buffer.from(JSON.stringify(levels)))).toBe(true);
}

/** Reads the 60 MB once; if the real recording is missing, a generated one takes its place. */
const capture = realCapture() ?? generatedCapture();

describe(`a replay of ${capture.name}`, () => {
  const { levels, batches, end } = capture;
  let replayed: [L4Order[], L4Order[]];

  beforeAll(() => {
    const replay = new PlainReplay(levels);
    for (const batch of batches) replay.apply(batch);
    replayed = replay.levels();
  });

  it('[BOOK-1, BOOK-18] ends, without a finding, with every order in its place and with its own texts', () => {
    const { book, findings } = L4Book.build('BTC', levels);
    expect(findings).toEqual([]);
    for (const { changes, statuses, time } of batches) expect(book.apply(changes, statuses, time)).toEqual([]);
    expect([book.orderCountOf('B'), book.orderCountOf('A')]).toEqual([end.bids, end.asks]);
    expect(book.best('B')).toMatchObject(end.bestBid);
    expect(book.best('A')).toMatchObject(end.bestAsk);
    expectSame(book, replayed);
  });

  it('has the checksum of the definition', () => {
    const bids = replayed[0].slice(0, 2_000);
    const text = bids.map((o) => `${o.side} ${shortest(valueOf(o.limitPx))} ${o.oid} ${shortest(valueOf(o.sz))}\n`);
    const { book } = L4Book.build('BTC', [bids, []]);
    expect(book.checksum()).toBe(murmur128(text.join('')));
    const whole = L4Book.build('BTC', replayed).book;
    const followed = L4Book.build('BTC', levels).book;
    for (const { changes, statuses, time } of batches) followed.apply(changes, statuses, time);
    expect(followed.checksum()).toBe(whole.checksum());
  });

  it('has the rolling checksum of the documentation', async () => {
    const documented = await documentedChecksum();
    const { book } = L4Book.build('BTC', levels);
    for (const [index, { changes, statuses, time }] of batches.entries()) {
      book.apply(changes, statuses, time);
      // Recomputing 51,000 orders is slow; small books are compared after every block (rolling-checksum.test).
      if (index % 25 !== 0 && index !== batches.length - 1) continue;
      expect(book.rollingChecksum()).toBe(documented.checksum(book.levels()));
    }
  });

  it.each([0, 25, 50])('[L4-8] followed from a snapshot after block %i yields the same book', (at) => {
    const service = L4Book.build('BTC', levels).book;
    const follower = new Follower('BTC');
    follower.send({ kind: 'subscribed' });
    for (const [index, batch] of batches.entries()) {
      service.apply(batch.changes, batch.statuses, batch.time);
      // The client receives some blocks before its snapshot, and the snapshot some blocks later.
      if (index >= at - 10) follower.batch(batch);
      if (index === at) {
        const { seq, epoch, height, time } = batch;
        const response = JSON.parse(Buffer.concat([...service.levelsJson()]).toString());
        follower.respond({ coin: 'BTC', time, height, epoch, seq, levels: response });
      }
    }
    expect(follower.state).toMatchObject({ kind: 'live', seq: batches.length });
    expect(follower.reasons).toEqual([null]);
    expectSame(follower.book as L4Book, replayed);
  });
});
