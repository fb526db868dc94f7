import { describe, expect, it } from 'vitest';
import { INFO_CREDITS } from '../tariff.ts';
import { z } from '../zod.ts';
import { INFO_KINDS } from './kinds.ts';
import { PASSED_KINDS } from './passThrough.ts';

const entries = Object.entries(INFO_KINDS);

function ofFamily(...families: string[]): string[] {
  return entries.filter(([, { family }]) => families.includes(family)).map(([kind]) => kind);
}

describe('INFO_KINDS', () => {
  it.each(entries)('[INFO-1] the request of %s accepts its own type and no other', (kind, { request }) => {
    const refusedFields = (type: string) => request.safeParse({ type }).error?.issues.map(({ path }) => path[0]) ?? [];
    expect(refusedFields(kind)).not.toContain('type');
    expect(refusedFields(`${kind}x`)).toContain('type');
  });

  it('the specification names six kinds; the two batches are adjacent', () => {
    expect(ofFamily('book', 'checked', 'batch')).toEqual([
      'batchSpotClearinghouseState',
      'openOrders',
      'historicalOrders',
      'maxMarketOrderNtls',
      'fundingHistory',
      'l4BookSnapshot',
      'batchClearinghouseState',
    ]);
  });

  it('twelve kinds are passed through, plus all others that current SDKs know', () => {
    const passed = ofFamily('passThrough');
    expect(passed).toEqual(Object.keys(PASSED_KINDS));
    expect(passed.slice(0, 12)).toEqual([
      'meta',
      'spotMeta',
      'metaAndAssetCtxs',
      'spotMetaAndAssetCtxs',
      'allMids',
      'perpDexs',
      'l2Book',
      'frontendOpenOrders',
      'orderStatus',
      'spotClearinghouseState',
      'clearinghouseState',
      'userFunding',
    ]);
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
