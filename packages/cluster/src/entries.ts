import { type PublishedBlock, type PublishedEntry, type TextsWanted, withDeflated } from '@l4desk/feed/core';
import { type CoinBatch, decodeUpdates, L4_BOOK_UPDATES, readUpdatesText } from '@l4desk/protocol';

/** Decodes a block's entries from the same texts that clients receive. Throws WireFormatError if they are malformed. */
export function batchesOf({ epoch, height, time, entries }: PublishedBlock): readonly CoinBatch[] {
  const texts = entries.map(({ book: { plain } }) =>
    Buffer.from(plain.buffer, plain.byteOffset, plain.length).toString(),
  );
  const updates = `{"time":${time},"block_height":${height},"epoch":"${epoch}","cursor":"${height}:${time}","book_diffs":[${texts.join()}]}`;
  const fast = readUpdatesText(`{"channel":"${L4_BOOK_UPDATES}","data":{"Updates":${updates}}}`);
  const { coins } = fast ?? decodeUpdates(JSON.parse(updates));
  return coins.map((batch, index) => ({ ...batch, checksum: entries[index]?.checksum }));
}

/** Adds the compressed texts that have a reader here. */
export function deflated(block: PublishedBlock, wanted: (coin: string) => TextsWanted): PublishedBlock {
  const entries = block.entries.map((entry): PublishedEntry => {
    const { all, allDeflated, bookDeflated } = wanted(entry.coin);
    const isBoth = entry.all === entry.book;
    const book = withDeflated(entry.book, bookDeflated || (isBoth && all && allDeflated));
    return { ...entry, all: isBoth ? book : entry.all && withDeflated(entry.all, allDeflated), book };
  });
  return { ...block, entries };
}
