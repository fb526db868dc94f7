// @vitest-environment happy-dom
import 'fake-indexeddb/auto';
import { createClient, WalletError } from '@l4desk/client';
import type { Address, DecimalString, SpotBalanceSlot } from '@l4desk/protocol';
import { QueryClient } from '@tanstack/react-query';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeAccount } from '../../hooks/account.ts';
import { readKept } from '../../hooks/kept-values.ts';
import { keptLedger, LEDGER_NAME, readKeptLedger, withKept } from './kept-ledger.ts';
import { applyRound, EMPTY_LEDGER, type Ledger, standingOf } from './ledger.ts';
import { readBalances } from './use-ledger.ts';

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
  applyRound(EMPTY_LEDGER, [good(A, '11.0691668475'), good(B, '1')], 1_000),
  [good(A, '12.5'), failed(B, 'upstream returned HTTP 500')],
  2_000,
);

/** As the browser's database gives it back. */
const reloaded = (ledger: Ledger) => withKept(EMPTY_LEDGER, readKeptLedger(structuredClone(keptLedger(ledger))));

describe('after a reload', () => {
  it('[BATCH-18] readings come back with their age, failures with their words, and changes', () => {
    const { holdings, journal, isRestored } = reloaded(lived);
    expect(isRestored).toBe(true);
    expect(standingOf(holdings.get(A), 2_001)).toEqual({ kind: 'stale', text: 'read before this visit' });
    expect(holdings.get(A)?.good).toMatchObject({ at: 2_000, isKept: true });
    expect(holdings.get(A)?.good?.amounts).toEqual(lived.holdings.get(A)?.good?.amounts);
    expect(standingOf(holdings.get(B), 2_001)).toMatchObject({
      kind: 'error',
      message: 'upstream returned HTTP 500',
      failedAt: 2_000,
    });
    expect(journal).toEqual(lived.journal);
  });

  it('a new reading is compared with the kept one and is of this visit', () => {
    const after = applyRound(reloaded(lived), [good(A, '13')], 9_000);
    expect(after.journal.changes[0]).toMatchObject({ id: 2, field: 'total', from: '12.5', to: '13', since: 2_000 });
    expect(standingOf(after.holdings.get(A), 9_000).kind).toBe('ok');
  });

  it('[BATCH-18] what this visit has read already stands above what was kept', () => {
    const visit = applyRound(EMPTY_LEDGER, [good(A, '20')], 9_000);
    const { holdings } = withKept(visit, readKeptLedger(structuredClone(keptLedger(lived))));
    expect(holdings.get(A)).toEqual(visit.holdings.get(A));
    expect(standingOf(holdings.get(A), 9_000).kind).toBe('ok');
    expect(standingOf(holdings.get(B), 9_000).kind).toBe('error');
  });

  it('an entry that cannot be read takes no other with it, and any value is read', () => {
    const kept = keptLedger(lived);
    const damaged = { ...kept, holdings: [{ user: 'nobody' }, ...kept.holdings], changes: [5, ...kept.changes] };
    expect(readKeptLedger(damaged)).toEqual(readKeptLedger(kept));
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(readKeptLedger(value)).toEqual(EMPTY_LEDGER);
      }),
    );
  });
});

describe('what the browser keeps', () => {
  beforeEach(() => changeAccount('one'));
  afterEach(() => changeAccount(undefined));

  const answering = (total: DecimalString) =>
    createClient({ baseUrl: 'http://service', fetch: async () => Response.json([slot(A, total)]) });

  it('[WEB-20] belongs to the account that paid for it', async () => {
    await readBalances(new QueryClient(), [A], answering('5'));
    await expect.poll(() => readKept(LEDGER_NAME)).toMatchObject({ holdings: [{ user: A }] });
    const slow = readKept(LEDGER_NAME);
    changeAccount('two');
    expect(await slow).toBeUndefined();
    expect(await readKept(LEDGER_NAME)).toBeUndefined();
    changeAccount('one');
    expect(
      readKeptLedger(await readKept(LEDGER_NAME))
        .holdings.get(A)
        ?.good?.amounts.get(150)?.total,
    ).toBe('5');
  });

  it('[WEB-20] is not what another account left under way when somebody signed in', async () => {
    await readBalances(new QueryClient(), [A], answering('5'));
    const mine = new QueryClient();
    const leaving = createClient({
      baseUrl: 'http://service',
      fetch: async () => {
        changeAccount('two');
        return Response.json([slot(A, '6')]);
      },
    });
    await readBalances(mine, [A], leaving);
    expect(await readKept(LEDGER_NAME)).toBeUndefined();
  });
});
