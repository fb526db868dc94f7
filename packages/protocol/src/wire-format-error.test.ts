import { expect, it } from 'vitest';
import { readAs, WireFormatError } from './wire-format-error.ts';
import { z } from './zod.ts';

const level = z.object({ px: z.string() });

it.each([
  ['data', level, 7],
  ['data.px', level, { px: 1 }],
  ['data[1]', z.array(level), [{ px: '1' }, null]],
  ['data[1].px', z.array(level), [{ px: '1' }, { px: 1 }]],
  ['data.levels[0].px', z.object({ levels: z.array(level) }), { levels: [{}] }],
])('a value that cannot be read is rejected with the path of the problem: %s', (path, schema, value) => {
  const error = expect.objectContaining({ path, message: expect.stringContaining(`${path}: `) });
  expect(() => readAs(schema, value, 'data')).toThrow(WireFormatError);
  expect(() => readAs(schema, value, 'data')).toThrow(error);
});
