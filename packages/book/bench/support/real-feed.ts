import type { BookChange, BookDiff } from '@l4desk/protocol';
import { realCapture } from '@l4desk/testkit';
import { type Feed, feedBlock } from './feed.ts';

/** The recording of the exchange's BTC book as a feed, or undefined if it is not available. */
export function realFeed(): Feed | undefined {
  const capture = realCapture();
  if (capture === undefined) return undefined;
  const blocks = capture.batches.map(({ seq, time, changes, statuses }) =>
    feedBlock(seq, time, changes.map(wireDiff), statuses),
  );
  return { name: 'recorded BTC', levels: capture.levels, blocks };
}

function wireDiff(change: BookChange): BookDiff {
  const { user, oid, side, px } = change;
  const place = { user, oid, side, px, coin: 'BTC' };
  switch (change.kind) {
    case 'insert':
      return { ...place, raw_book_diff: { new: { sz: change.sz } } };
    case 'resize':
      return { ...place, raw_book_diff: { update: { origSz: change.origSz, newSz: change.newSz } } };
    case 'remove':
      return { ...place, raw_book_diff: 'remove' };
  }
}
