import { writeFile } from 'node:fs/promises';
import { deflateRawSync } from 'node:zlib';
import type { BookChange, BookDiff, BookLevels } from '@l4desk/protocol';
import {
  FILE_MAGIC,
  FRAME_KIND,
  gapFrame,
  headerFrame,
  packFrame,
  type RawFrame,
  SegmentWriter,
} from '@l4desk/recording/format';
import type { BlockSource } from '../feed/source.ts';

const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';

/** Records a coin of a source to its end, without using any book code. The blocks at the indices in `missed` become a gap. */
export async function writeRecording(
  path: string,
  source: BlockSource,
  coin: string,
  missed: { readonly from: number; readonly to: number } | null = null,
): Promise<ReadonlyMap<number, BookLevels>> {
  const frames: RawFrame[] = [
    headerFrame(
      { coin, source: 'a test', epoch: EPOCH, pxDecimals: 1, szDecimals: 1, statuses: 'all', createdAt: 0 },
      source.height,
    ),
  ];
  const books = new Map<number, BookLevels>();
  const segment = new SegmentWriter(coin);
  const keep = (kind: number, content: ReturnType<SegmentWriter['takeBlocks']>) => {
    if (content !== undefined) frames.push({ kind, ...content });
  };
  const keyframe = (seq: number) => {
    const { height, time } = source;
    const levels = source.book(coin);
    if (levels === null) throw new Error(`${coin} is not listed`);
    keep(FRAME_KIND.keyframe, segment.keyframe({ epoch: EPOCH, height, time, seq }, levels, '0'.repeat(32)));
    books.set(height, levels);
  };
  keyframe(0);
  for (let place = 1, block = source.advance(); block !== null; place += 1, block = source.advance()) {
    if (missed !== null && place >= missed.from && place <= missed.to) {
      if (place < missed.to) continue;
      keep(FRAME_KIND.blocks, segment.takeBlocks());
      const { height } = source;
      frames.push(gapFrame({ after: height - (missed.to - missed.from + 1), before: height, reason: 'disconnected' }));
      keyframe(place);
      continue;
    }
    const part = block.coin(coin) ?? { diffs: [], statuses: [] };
    const { height, time } = block;
    segment.block({
      height,
      time,
      seq: place,
      prevSeq: place - 1,
      changes: part.diffs.map(changeOf),
      statuses: part.statuses,
    });
    const levels = source.book(coin);
    if (levels !== null) books.set(height, levels);
  }
  keep(FRAME_KIND.blocks, segment.takeBlocks());
  const packed = frames.map((frame, number) => packFrame(frame, number, deflateRawSync(frame.bytes)));
  await writeFile(path, Buffer.concat([FILE_MAGIC, ...packed]));
  return books;
}

function changeOf({ oid, user, side, px, raw_book_diff: raw }: BookDiff): BookChange {
  const base = { oid, user, side, px };
  if (raw === 'remove') return { kind: 'remove', ...base };
  if ('new' in raw) return { kind: 'insert', ...base, sz: raw.new.sz, insertBefore: raw.new.insertBefore ?? null };
  return { kind: 'resize', ...base, origSz: raw.update.origSz, newSz: raw.update.newSz };
}
