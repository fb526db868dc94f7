import { deflatePiece } from '@l4desk/feed';
import { expect, test } from 'vitest';
import { BlockFrames, entryForm, pickOf } from './frame.ts';

test.each([true, false])(
  '[L4-9] a frame is compressed only if each of its large entries has a compressed form: %s',
  (hasForm) => {
    const text = (value: object, compress: boolean) => {
      const plain = Buffer.from(JSON.stringify(value));
      return { plain, deflated: compress ? deflatePiece(plain) : null };
    };
    const large = { filler: 'open '.repeat(1_000) };
    const entries = [text({}, false), text(large, true), text(large, hasForm)].map((book, index) => {
      return { coin: String(index), seq: 2, prevSeq: 1, all: null, book };
    });
    const form = entryForm({ statuses: 'book', checksum: false, executions: false });
    const frames = new BlockFrames({ epoch: 'e', height: 1, time: 1, receivedAt: 0, entries });
    expect(frames.deflated(entries.map((_, place) => pickOf(place, form))) !== null).toBe(hasForm);
  },
);
