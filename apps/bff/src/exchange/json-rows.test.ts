import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRows, jsonRows } from './json-rows.ts';

const read = (text: string, lengthMax = 10_000) => [...jsonRows(text, lengthMax)];

/** The text parsed by JSON.parse; undefined if it is not a JSON array. */
function wholly(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function byRows(text: string): unknown {
  try {
    return read(text).map(({ value }) => value);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

describe('[HIST-4, INFO-24] rows of an array', () => {
  it('keep their original text', () => {
    expect(read('[]')).toEqual([]);
    const rows = ['{"a":12345678901234567890, "b":"]},{\\"" }', '[1.000,{"c":[[]]}]', '{ }', '"\\\\"', 'null', '-0.50'];
    expect(read(` [ ${rows.join(' ,\n')} ] `).map(({ text }) => text)).toEqual(rows);
  });

  it.each([
    '',
    ' ',
    '{}',
    'null',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '[,]',
    '[1,,2]',
    '[1}',
    '[}]',
    '[{]}]',
    '[1]]',
    '[1] x',
    'x[1]',
    '["]',
    '["\\"]',
    '[1 2]',
    '[{}{}]',
    '[NaN]',
    '[\u00a01]',
  ])('cannot be read from %j', (text) => {
    expect(() => read(text)).toThrow(SyntaxError);
  });

  it('equal the result of JSON.parse for any valid or broken text', () => {
    const value = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 });
    const text = fc.tuple(value, fc.nat({ max: 2 })).map(([rows, indent]) => JSON.stringify(rows, null, indent));
    const broken = fc
      .tuple(text, fc.nat(), fc.constantFrom('', ',', ']', '[', '}', '{', '"', '\\', ' ', '1'))
      .map(
        ([whole, at, put]) =>
          whole.slice(0, at % (whole.length + 1)) + put + whole.slice((at % (whole.length + 1)) + 1),
      );
    fc.assert(
      fc.property(fc.oneof(text, broken), (tried) => {
        expect(byRows(tried)).toEqual(wholly(tried));
      }),
      { numRuns: 500 },
    );
  });

  it('are read one at a time, so that a later error is not reached early', () => {
    const rows = jsonRows('[1,2,x', 10);
    expect([rows.next().value?.value, rows.next().value?.value]).toEqual([1, 2]);
    expect(() => rows.next()).toThrow(SyntaxError);
  });

  it('are counted without parsing', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 9 }), fc.nat({ max: 2 }), (rows, indent) => {
        expect(countRows(JSON.stringify(rows, null, indent), 6)).toBe(Math.min(6, rows.length));
      }),
    );
    for (const text of ['', '{"a":[1]}', 'null', '[1']) expect(() => countRows(text, 6)).toThrow(SyntaxError);
  });

  it('are rejected if one is longer than the limit', () => {
    expect(read('["12345678"]', 10)).toHaveLength(1);
    expect(() => read('["123456789"]', 10)).toThrow('too long');
    expect(() => read(`[${'['.repeat(100)}`, 10)).toThrow('too long');
  });
});
