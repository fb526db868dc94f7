import { describe, expect, it } from 'vitest';
import { infoCredits, TARIFF } from '../tariff.ts';
import { z } from '../zod.ts';
import { INFO_KINDS, type InfoKind } from './kinds.ts';

const entries = Object.entries(INFO_KINDS);

describe('INFO_KINDS', () => {
  it.each(entries)('[INFO-1] the request of %s accepts its own type and no other', (kind, { request }) => {
    const refusedFields = (type: string) => request.safeParse({ type }).error?.issues.map(({ path }) => path[0]) ?? [];
    expect(refusedFields(kind)).not.toContain('type');
    expect(refusedFields(`${kind}x`)).toContain('type');
  });

  it.each(entries)('the price of %s is 25 credits if it is a batch, otherwise 1', (kind, { family }) => {
    expect(infoCredits(kind as InfoKind)).toBe(family === 'batch' ? 25 : 1);
  });

  it('a price of a kind in the tariff is charged', () => {
    const priced = Object.entries(TARIFF).filter(([kind]) => kind in INFO_KINDS);
    expect(priced.map(([kind]) => [kind, infoCredits(kind as InfoKind)])).toEqual(priced);
  });

  it('[UP-4] a call weighs what the exchange documents, and its rows add what it documents', () => {
    const weights: Record<number, string[]> = {};
    const rows: Record<number, string[]> = {};
    for (const [kind, entry] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if ('weight' in entry && entry.weight !== 20) (weights[entry.weight] ??= []).push(kind);
      if ('rows' in entry && entry.rows !== undefined) (rows[entry.rows.perWeight] ??= []).push(kind);
    }
    const light = [
      'l2Book',
      'allMids',
      'clearinghouseState',
      'orderStatus',
      'spotClearinghouseState',
      'exchangeStatus',
    ];
    expect(weights).toEqual({ 2: light.toSorted(), 60: ['userRole'] });
    expect(rows).toEqual({
      20: [
        'delegatorHistory',
        'delegatorRewards',
        'fundingHistory',
        'historicalOrders',
        'recentTrades',
        'twapHistory',
        'userBorrowLendInterest',
        'userFills',
        'userFillsByTime',
        'userFunding',
        'userNonFundingLedgerUpdates',
        'userTwapSliceFills',
        'userTwapSliceFillsByTime',
      ],
      60: ['candleSnapshot'],
    });
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
