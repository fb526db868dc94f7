import { inflateRawSync } from 'node:zlib';
import { deflatePiece, type EntryText, type PublishedEntry } from '@l4desk/feed';
import { describe, expect, test } from 'vitest';
import { BlockFrames, pickOf } from './frame.ts';

const EPOCH = '6f1c9f6e-6f1b-4a35-9a0c-0f7f5a1f2b3c';

function entryText(value: unknown, compress: boolean): EntryText {
  const plain = Buffer.from(JSON.stringify(value));
  return { plain, deflated: compress ? deflatePiece(plain) : null };
}

/** An entry with a body of about `bytes` bytes. The form `book` is shorter than `all`. */
function entry(coin: string, bytes: number, compress = true): PublishedEntry {
  const filler = 'open canceled '.repeat(Math.ceil(bytes / 14)).slice(0, bytes);
  return {
    coin,
    seq: 2,
    prevSeq: 1,
    all: entryText({ coin, seq: 2, filler }, compress),
    book: entryText({ coin, seq: 2 }, compress),
  };
}

function framesOf(entries: readonly PublishedEntry[]): BlockFrames {
  return new BlockFrames({ epoch: EPOCH, height: 985_148_182, time: 1_778_002_753_024, receivedAt: 0, entries });
}

/** Frames of all entries in the form `all`. */
function both(entries: readonly PublishedEntry[]): { readonly plain: Buffer; readonly deflated: Buffer | null } {
  const picks = entries.map((_, place) => pickOf(place, 'all'));
  const frames = framesOf(entries);
  return { plain: frames.plain(picks), deflated: frames.deflated(picks) };
}

interface Read {
  readonly compressed: boolean;
  readonly text: string;
}

/** Reads one frame according to RFC 6455 and RFC 7692. */
function read(frame: Buffer): Read {
  expect(frame.readUInt8(0) & 0x8f).toBe(0x81);
  const compressed = (frame.readUInt8(0) & 0x40) !== 0;
  const short = frame.readUInt8(1);
  const at = short < 126 ? 2 : short === 126 ? 4 : 10;
  const size = short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
  const payload = frame.subarray(at);
  expect(payload.length).toBe(size);
  if (!compressed) return { compressed, text: payload.toString() };
  const tail = Buffer.of(0x00, 0x00, 0xff, 0xff);
  return { compressed, text: inflateRawSync(Buffer.concat([payload, tail]), { finishFlush: 2 }).toString() };
}

describe('a frame', () => {
  test.each([0, 1, 400, 65_200, 70_000, 200_000])(
    '[L4-9] is valid at any size, compressed or not: %i bytes',
    (bytes) => {
      const { plain, deflated } = both([entry('BTC', bytes), entry('ETH', 3)]);
      expect(read(plain).compressed).toBe(false);
      // Very small entries are not worth compressing.
      expect(deflated !== null).toBe(bytes >= 400);
      const shorter = deflated ?? plain;
      expect(shorter.length).toBeLessThanOrEqual(plain.length);
      expect(read(shorter).text).toBe(read(plain).text);
    },
  );

  test('[L4-9] is not compressed if a large entry has no compressed form', () => {
    expect(both([entry('BTC', 5_000, false)]).deflated).toBeNull();
  });
});
