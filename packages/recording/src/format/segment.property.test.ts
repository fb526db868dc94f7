import { fuzzRuns } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { SegmentReader } from './segment-reader.ts';
import { SegmentWriter } from './segment-writer.ts';
import { blocks, checksum, levels } from './test-support/arbitraries.ts';

const COIN = 'BTC';

it('reads keyframes and blocks back exactly, for any decimals, cloids, statuses and fields', () => {
  const segment = fc.tuple(levels(COIN), checksum, fc.array(blocks(COIN), { maxLength: 3 }));
  fc.assert(
    // Two segments in a row: the second must not contain anything of the first.
    fc.property(fc.array(segment, { minLength: 1, maxLength: 2 }), (segments) => {
      const [writer, reader] = [new SegmentWriter(COIN), new SegmentReader(COIN)];
      for (const [book, sum, chunks] of segments) {
        const position = { epoch: 'é-1', height: 999, time: 1_778_002_752_957, seq: 4 };
        const frame = writer.keyframe(position, book, sum);
        expect(frame).toMatchObject({ from: 999, to: 999 });
        expect(reader.keyframe(frame.bytes)).toEqual({ ...position, checksum: sum, levels: book });
        for (const chunk of chunks) {
          for (const block of chunk) writer.block(block);
          const content = writer.takeBlocks();
          expect(content === undefined ? [] : reader.blocks(content.bytes)).toEqual(chunk);
        }
      }
    }),
    fuzzRuns(30),
  );
});
