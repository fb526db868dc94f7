import { ServiceError, WalletError, type WalletResult } from '@l4desk/client';
import { add } from '@l4desk/decimal';
import type { Address, DecimalString, SpotBalanceSlot } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { plainWallet } from '../wallet.ts';
import {
  applyRound,
  type Balances,
  EMPTY_BALANCES,
  JOURNAL_MAX,
  readingStateOf,
  STALE_AFTER_MS,
} from './balance-store.ts';
import { entriesOf, sumOf, sumText } from './sums.ts';

const A: Address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const B: Address = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';

type Result = WalletResult<SpotBalanceSlot>;

function good(user: Address, total: DecimalString, more: Partial<SpotBalanceSlot> = {}): Result {
  const balances = [{ coin: 'HYPE', token: 150, total, hold: '0.0' as const, entryNtl: '0.0' as const }];
  return { kind: 'state', user, state: { user, balances, ...more } };
}

const failed = (user: Address, message = 'upstream returned HTTP 500'): Result => ({
  kind: 'failed',
  user,
  error: new WalletError(user, message),
});

const changesOf = ({ journal }: Balances) => journal.changes.map(({ field, from, to }) => [field, from, to]);

describe('applyRound', () => {
  it('[BATCH-18] keeps the last good values of a wallet that fails, with the exact message', () => {
    const first = applyRound(EMPTY_BALANCES, [good(A, '11.0691668475'), good(B, '1')], 1_000);
    const second = applyRound(first, [failed(A, 'upstream_error: too busy'), good(B, '2')], 2_000);
    expect(second.holdings.get(A)?.good?.at).toBe(1_000);
    expect(second.holdings.get(A)?.good?.amounts.get(150)?.total).toBe('11.0691668475');
    expect(readingStateOf(second.holdings.get(A), 2_000)).toEqual({
      kind: 'error',
      text: 'upstream_error: too busy; showing the last good values',
      message: 'upstream_error: too busy',
      failedAt: 2_000,
    });
    const third = applyRound(second, [good(A, '12')], 3_000);
    expect(third.holdings.get(A)?.failed).toBeUndefined();
    expect(third.holdings.get(B)?.good?.at).toBe(2_000);
  });

  it('[WEB-24] keeps values, sums and earlier failures when refused for lack of credits, and says why', () => {
    const body = { error: 'credits_exhausted', message: 'no', code: 402, msg: 'no' } as const;
    const left = { needed: 25, used: 1_191, limit: 1_200, resets_at: Date.UTC(2026, 11, 1) };
    const refused = (user: Address): Result => ({
      kind: 'failed',
      user,
      error: new ServiceError(402, { ...body, ...left }),
    });
    const C: Address = '0xcccccccccccccccccccccccccccccccccccccccc';
    const before = applyRound(EMPTY_BALANCES, [good(A, '11.0691668475'), failed(B)], 1_000);
    const after = applyRound(before, [refused(A), refused(B), refused(C)], 2_000);
    expect(readingStateOf(after.holdings.get(A), 2_000)).toEqual({
      kind: 'stale',
      text: 'Not refreshed: 25 credits needed, 9 left',
    });
    expect(readingStateOf(after.holdings.get(B), 2_000)).toMatchObject({ kind: 'error', failedAt: 1_000 });
    expect(readingStateOf(after.holdings.get(C), 2_000).kind).toBe('never');
    const entries = entriesOf([plainWallet(A)], after, 2_000);
    const sum = sumOf(entries, 150, 'total');
    expect(sum).toEqual({ value: '11.0691668475', counted: 1, wallets: 1, silent: 0, stale: 1 });
    expect(sumText(sum)).toBe('1 wallet, all not refreshed recently');
    const again = applyRound(after, [good(A, '12')], 3_000);
    expect(readingStateOf(again.holdings.get(A), 3_000).kind).toBe('ok');
  });

  it('reports a wallet as never, error, ok or stale', () => {
    expect(readingStateOf(undefined, 0).kind).toBe('never');
    const balances = applyRound(EMPTY_BALANCES, [good(A, '1'), failed(B)], 0);
    expect(readingStateOf(balances.holdings.get(A), STALE_AFTER_MS).kind).toBe('ok');
    expect(readingStateOf(balances.holdings.get(A), STALE_AFTER_MS + 1).kind).toBe('stale');
    expect(readingStateOf(balances.holdings.get(B), 0).text).toBe('upstream returned HTTP 500; no earlier values');
  });

  it('[BATCH-11] keeps an absent available amount absent, and reads one of a token without a balance', () => {
    const available = [
      [150, '3.5'],
      [7, '0.1'],
    ] satisfies [number, DecimalString][];
    const balances = applyRound(
      EMPTY_BALANCES,
      [good(A, '4', { tokenToAvailableAfterMaintenance: available }), good(B, '4')],
      0,
    );
    const amounts = (user: Address, token: number) => balances.holdings.get(user)?.good?.amounts.get(token);
    expect(amounts(A, 150)).toMatchObject({ coin: 'HYPE', total: '4', available: '3.5' });
    expect(amounts(A, 7)).toEqual({ token: 7, coin: undefined, available: '0.1' });
    expect(amounts(B, 150)?.available).toBeUndefined();
  });
});

describe('the journal of changes', () => {
  it('names wallet, token and field, the old and new amount, and the times between which it changed', () => {
    const first = applyRound(EMPTY_BALANCES, [good(A, '1.10')], 1_000);
    expect(first.journal.changes).toEqual([]);
    const second = applyRound(first, [good(A, '1.1000000001')], 2_000);
    expect(second.journal.changes).toEqual([
      {
        id: 1,
        user: A,
        token: 150,
        coin: 'HYPE',
        field: 'total',
        from: '1.10',
        to: '1.1000000001',
        since: 1_000,
        at: 2_000,
      },
    ]);
  });

  it('ignores other trailing zeros, and records a token or field that appears or disappears', () => {
    const first = applyRound(EMPTY_BALANCES, [good(A, '1.0')], 0);
    expect(changesOf(applyRound(first, [good(A, '1.000')], 1))).toEqual([]);
    expect(
      changesOf(applyRound(first, [good(A, '1.0', { tokenToAvailableAfterMaintenance: [[150, '1.0']] })], 1)),
    ).toEqual([['available', undefined, '1.0']]);
    expect(changesOf(applyRound(first, [good(A, '1.0', { balances: [] })], 1))).toEqual([
      ['entryNtl', '0.0', undefined],
      ['hold', '0.0', undefined],
      ['total', '1.0', undefined],
    ]);
  });

  it('misses no change when a call fails between two good responses', () => {
    const first = applyRound(EMPTY_BALANCES, [good(A, '1')], 0);
    const last = applyRound(applyRound(first, [failed(A)], 1), [good(A, '2')], 2);
    expect(last.journal.changes).toMatchObject([{ from: '1', to: '2', since: 0, at: 2 }]);
  });

  it('stays bounded after 1,000 refreshes of 20 changing wallets, and counts dropped changes', () => {
    const wallets = Array.from({ length: 20 }, (_, at): Address => `0x${String(at).padStart(40, '0')}`);
    let balances = EMPTY_BALANCES;
    let total: DecimalString = '0.0000000001';
    for (let round = 0; round <= 1_000; round++) {
      total = add(total, '0.0000000001');
      balances = applyRound(
        balances,
        wallets.map((user) => good(user, total)),
        round,
      );
    }
    const { changes, dropped } = balances.journal;
    expect(changes.length).toBe(JOURNAL_MAX);
    expect(dropped).toBe(1_000 * wallets.length - JOURNAL_MAX);
    expect(changes[0]).toMatchObject({ id: 20_000, to: total, at: 1_000 });
    expect(new Set(changes.map(({ id }) => id)).size).toBe(JOURNAL_MAX);
    expect(balances.holdings.size).toBe(wallets.length);
    // Nothing of an earlier round is kept except what the journal shows.
    expect(Math.min(...changes.map(({ since }) => since))).toBe(950);
  });
});
