import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowTexts } from './row-texts.ts';

it('[HIST-4, INFO-24] rows are told apart in the sender’s own text', () => {
  expect(rowTexts('[]')).toEqual([]);
  const rows = ['{"a":12345678901234567890, "b":"]},{\\"" }', '[1.000,{"c":[[]]}]', '{ }'];
  expect(rowTexts(` [ ${rows.join(' ,\n')} ] `)).toEqual(rows);
});

it('[HIST-4] whatever is in them', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), fc.array(fc.jsonValue({ maxDepth: 2 }))),
      ),
      (rows) => {
        expect(rowTexts(JSON.stringify(rows, null, 1)).map((row) => JSON.parse(row) as unknown)).toEqual(
          JSON.parse(JSON.stringify(rows)),
        );
      },
    ),
    { numRuns: 30 },
  );
});
