// @vitest-environment happy-dom
import { createClient, WalletError } from '@l4desk/client';
import type { Address, DecimalString, SpotBalanceSlot } from '@l4desk/protocol';
import { QueryClient } from '@tanstack/react-query';
import 'fake-indexeddb/auto';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeAccount } from '../../state/account.ts';
import { readKept } from '../../state/kept-values.ts';
import { applyRound, type Balances, EMPTY_BALANCES, readingStateOf } from './balance-store.ts';
import { BALANCES_NAME, keptBalances, readBalances, readKeptBalances } from './use-balances.ts';

const A: Address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const B: Address = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';

const slot = (user: Address, total: DecimalString): SpotBalanceSlot => ({
  user,
  balances: [{ coin: 'HYPE', token: 150, total, hold: '0.0', entryNtl: '0.0' }],
});
const good = (user: Address, total: DecimalString) => ({ kind: 'state', user, state: slot(user, total) }) as const;
const failed = (user: Address, message: string) =>
  ({ kind: 'failed', user, error: new WalletError(user, message) }) as const;

const lived = applyRound(
  applyRound(EMPTY_BALANCES, [good(A, '11.0691668475'), good(B, '1')], 1_000),
  [good(A, '12.5'), failed(B, 'upstream returned HTTP 500')],
  2_000,
);

/** The balances as the browser's database returns them. */
const reloaded = (balances: Balances) => readKeptBalances(structuredClone(keptBalances(balances)));

describe('after a reload', () => {
  it('[BATCH-18] restores readings with their age, failures with their messages, and changes', () => {
    const { holdings, journal } = reloaded(lived);
    expect(holdings.get(A)?.good?.at).toBe(2_000);
    expect(holdings.get(A)?.good?.amounts).toEqual(lived.holdings.get(A)?.good?.amounts);
    expect(readingStateOf(holdings.get(B), 2_001)).toMatchObject({
      kind: 'error',
      message: 'upstream returned HTTP 500',
      failedAt: 2_000,
    });
    expect(journal).toEqual(lived.journal);
  });

  it('compares a new reading with the stored one and dates it in this visit', () => {
    const after = applyRound(reloaded(lived), [good(A, '13')], 9_000);
    expect(after.journal.changes[0]).toMatchObject({ id: 2, field: 'total', from: '12.5', to: '13', since: 2_000 });
    expect(readingStateOf(after.holdings.get(A), 9_000).kind).toBe('ok');
  });

  it('skips an unreadable entry without losing others, and accepts any value', () => {
    const kept = keptBalances(lived);
    const damaged = { ...kept, holdings: [{ user: 'nobody' }, ...kept.holdings], changes: [5, ...kept.changes] };
    expect(readKeptBalances(damaged)).toEqual(readKeptBalances(kept));
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(readKeptBalances(value)).toEqual(EMPTY_BALANCES);
      }),
    );
  });
});

describe('what the browser stores', () => {
  beforeEach(() => changeAccount('one'));
  afterEach(() => changeAccount(undefined));

  const responding = (total: DecimalString) =>
    createClient({ baseUrl: 'http://service', fetch: async () => Response.json([slot(A, total)]) });

  it('is compared with the first reading of the next visit', async () => {
    await readBalances(new QueryClient(), [A], responding('5'));
    await readBalances(new QueryClient(), [A], responding('8'));
    await expect
      .poll(() => readKept(BALANCES_NAME))
      .toMatchObject({ changes: [{ user: A, field: 'total', from: '5', to: '8' }] });
  });

  it('belongs to the account that paid for it', async () => {
    await readBalances(new QueryClient(), [A], responding('5'));
    await expect.poll(() => readKept(BALANCES_NAME)).toMatchObject({ holdings: [{ user: A }] });
    const slow = readKept(BALANCES_NAME);
    changeAccount('two');
    expect(await slow).toBeUndefined();
    expect(await readKept(BALANCES_NAME)).toBeUndefined();
    changeAccount('one');
    expect(
      readKeptBalances(await readKept(BALANCES_NAME))
        .holdings.get(A)
        ?.good?.amounts.get('t150:HYPE')?.total,
    ).toBe('5');
  });

  it('excludes responses still in flight when another account signs in', async () => {
    await readBalances(new QueryClient(), [A], responding('5'));
    const mine = new QueryClient();
    const leaving = createClient({
      baseUrl: 'http://service',
      fetch: async () => {
        changeAccount('two');
        return Response.json([slot(A, '6')]);
      },
    });
    await readBalances(mine, [A], leaving);
    expect(await readKept(BALANCES_NAME)).toBeUndefined();
  });
});
