import type { L4Book } from '@l4desk/book';
import type { BookCapture } from '@l4desk/testkit';
import type { PublishedBlock, TextsWanted } from '../api.ts';
import { entryTexts } from '../blocks/entry-text.ts';
import { fillSides } from '../sequencer/apply-block.ts';
import { readServerMessage } from '../sources/server-message.ts';

const EPOCH = '6f1c9f6e-6f1b-4a35-9a0c-0f7f5a1f2b3c';

/** The blocks as messages of the order-level server. */
export function messagesOf({ batches }: BookCapture): readonly string[] {
  return batches
    .filter(({ changes }) => changes.length > 0)
    .map(({ changes, height, statuses, time }) => {
      const book_diffs = changes.map((change) => {
        const { oid, px, side, user } = change;
        const raw_book_diff =
          change.kind === 'insert'
            ? { new: { sz: change.sz, ...(change.insertBefore !== null && { insertBefore: change.insertBefore }) } }
            : change.kind === 'resize'
              ? { update: { origSz: change.origSz, newSz: change.newSz } }
              : 'remove';
        return { user, oid, coin: 'BTC', side, px, raw_book_diff };
      });
      const order_statuses = statuses.map(({ time: at, user, status, order }) => ({ time: at, user, status, order }));
      return JSON.stringify({ channel: 'l4Book', data: { Updates: { time, height, order_statuses, book_diffs } } });
    });
}

/** CPU time in ms per message. */
export function spent<T>(messages: readonly T[], call: (message: T) => unknown): number {
  const before = process.cpuUsage();
  for (const message of messages) call(message);
  const { system, user } = process.cpuUsage(before);
  return (system + user) / 1_000 / messages.length;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export interface Publishing {
  /** Which texts have a reader. */
  readonly wanted: TextsWanted;
  /** Whether to compute the rolling checksum, too. */
  readonly sumsUp: boolean;
}

/** Reads a block, applies it and makes its texts, as the feed thread does. */
export function publishes(book: L4Book, { sumsUp, wanted }: Publishing): (text: string) => PublishedBlock {
  let seq = 0;
  return (text) => {
    const message = readServerMessage(text, () => wanted.all);
    if (message.kind !== 'block') throw new Error(message.kind);
    const { block } = message;
    const filled = fillSides(block.changes, block.statuses, book);
    if (filled.kind !== 'sided') throw new Error(filled.kind);
    book.apply(filled.changes, block.statuses, block.time);
    seq += 1;
    const entry = { ...block, changes: filled.changes, seq, prevSeq: seq - 1 };
    const checksum = sumsUp ? book.rollingChecksum() : undefined;
    const texts = { coin: block.coin, seq, prevSeq: seq - 1, checksum, ...entryTexts(entry, wanted) };
    return { epoch: EPOCH, height: block.height, time: block.time, receivedAt: Date.now(), entries: [texts] };
  };
}
