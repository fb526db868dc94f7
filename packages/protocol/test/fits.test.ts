import { fits, INFO_KINDS, type InfoKind, usage } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFixtures } from './load-fixtures.ts';

/** Every value of the protocol's fixtures, including the invalid ones. */
const values = [...loadFixtures('valid'), ...loadFixtures('invalid')].map(({ value }) => value);

const schemas = [
  ...(Object.keys(INFO_KINDS) as InfoKind[]).map((kind) => [kind, INFO_KINDS[kind].response] as const),
  ['usage', usage] as const,
];

/** A copy of a value with something else, or nothing, at one place. */
function spoilt(value: unknown, path: readonly number[], put: unknown): unknown {
  if (typeof value !== 'object' || value === null || path.length === 0) return put;
  const keys = Object.keys(value);
  const [first = 0, ...rest] = path;
  const key = keys[first % Math.max(1, keys.length)];
  if (key === undefined) return put;
  const held = spoilt((value as Readonly<Record<string, unknown>>)[key], rest, put);
  return Array.isArray(value) ? value.with(Number(key), held) : { ...value, [key]: held };
}

describe.each(schemas)('%s', (_, schema) => {
  it('fits exactly the values that the schema accepts', () => {
    for (const value of values) expect(fits(schema, value)).toBe(schema.safeParse(value).success);
  });

  it('fits the same values with something wrong in them as the schema', () => {
    const odd = fc.oneof(
      fc.constantFrom(undefined, null, '', '0x10', '1e5', '1.', -1, 0.5, 2 ** 53, true, [], {}, 'B', 'A'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...values),
        fc.array(fc.nat({ max: 20 }), { maxLength: 6 }),
        odd,
        (value, path, put) => {
          const tried = spoilt(value, path, put);
          expect(fits(schema, tried)).toBe(schema.safeParse(tried).success);
        },
      ),
      { numRuns: 100 },
    );
  });
});
