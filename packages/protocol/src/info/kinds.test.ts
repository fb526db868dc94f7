import { describe, expect, it } from 'vitest';
import { INFO_CREDITS } from '../tariff.ts';
import { z } from '../zod.ts';
import { INFO_KINDS } from './kinds.ts';

const entries = Object.entries(INFO_KINDS);

describe('INFO_KINDS', () => {
  it.each(entries)('[INFO-1] the request of %s accepts its own type and no other', (kind, { request }) => {
    const refusedFields = (type: string) => request.safeParse({ type }).error?.issues.map(({ path }) => path[0]) ?? [];
    expect(refusedFields(kind)).not.toContain('type');
    expect(refusedFields(`${kind}x`)).toContain('type');
  });

  it('a batch costs 25 credits, every other kind 1', () => {
    const expected = Object.fromEntries(entries.map(([kind, { family }]) => [kind, family === 'batch' ? 25 : 1]));
    expect(INFO_CREDITS).toEqual(expected);
  });

  it.each(entries)(
    '%s can be written as JSON schema, every field of its request with a type',
    (_kind, { request, response }) => {
      const written = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      expect(() => written(response)).not.toThrow();
      const fields = Object.values(written(request).properties ?? {});
      expect(fields.filter((field) => !JSON.stringify(field).includes('"type"'))).toEqual([]);
    },
  );
});
