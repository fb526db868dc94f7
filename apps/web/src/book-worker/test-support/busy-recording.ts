import { L4Book } from '@l4desk/book';
import { BusyFeed } from '@l4desk/testkit';
import type { Recording } from '../../../bench/support/replay.ts';

/** A stretch of a book with BTC's proportions, as the service would send it to a page, checksums included. */
export function busyRecording(orders: number, blocks: number): Recording {
  const feed = new BusyFeed(orders);
  const snapshot = feed.snapshot();
  const { book } = L4Book.build(snapshot.coin, snapshot.levels);
  const messages = Array.from({ length: blocks }, () =>
    feed.message(({ changes, statuses, time }) => {
      book.apply(changes, statuses, time);
      return book.rollingChecksum();
    }),
  );
  return {
    coin: snapshot.coin,
    snapshot: Buffer.from(JSON.stringify(snapshot)),
    blocks: messages.map((message) => Buffer.from(message)),
  };
}
