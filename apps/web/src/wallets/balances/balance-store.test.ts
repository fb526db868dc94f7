// @vitest-environment happy-dom
import { ServiceError, WalletError, type WalletResult } from '@l4desk/client';
import { add } from '@l4desk/decimal';
import type { Address, DecimalString, SpotBalanceSlot } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { plainWallet } from '../wallet.ts';
import {
  applyRound,
  type Balances,
  EMPTY_BALANCES,
  JOURNAL_MAX,
  readingStateOf,
  STALE_AFTER_MS,
} from './balance-store.ts';
import { entriesOf, sumOf, sumText, tokensOf } from './sums.ts';
import { keptBalances, readKeptBalances } from './use-balances.ts';

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
    expect(second.holdings.get(A)?.good?.amounts.get('t150:HYPE')?.total).toBe('11.0691668475');
    expect(readingStateOf(second.holdings.get(A), 2_000)).toEqual({
      kind: 'error',
      text: 'upstream_error: too busy; showing the last good values',
      message: 'upstream_error: too busy',
      failedAt: 2_000,
      isRetryable: true,
    });
    const third = applyRound(second, [good(A, '12')], 3_000);
    expect(third.holdings.get(A)?.failed).toBeUndefined();
    expect(third.holdings.get(B)?.good?.at).toBe(2_000);
  });

  it('keeps values, sums and earlier failures when refused for lack of credits, and says why', () => {
    const body = { error: 'credits_exhausted', message: 'no', code: 402, msg: 'no' } as const;
    const left = { needed: 25, used: 1_191, limit: 1_200, resets_at: Date.UTC(2026, 11, 1) };
    const error = new ServiceError(402, { ...body, ...left });
    const refused = (user: Address): Result => ({ kind: 'failed', user, error });
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
    const sum = sumOf(entries, must(tokensOf(entries)[0]), 'total');
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
    const available: SpotBalanceSlot['tokenToAvailableAfterMaintenance'] = [
      [150, '3.5'],
      [7, '0.1'],
    ];
    const first = good(A, '4', { tokenToAvailableAfterMaintenance: available });
    const balances = applyRound(EMPTY_BALANCES, [first, good(B, '4')], 0);
    const amounts = (user: Address, key: string) => balances.holdings.get(user)?.good?.amounts.get(key);
    expect(amounts(A, 't150:HYPE')).toMatchObject({ coin: 'HYPE', total: '4', available: '3.5' });
    expect(amounts(A, 't7')).toEqual({ token: 7, available: '0.1' });
    expect(amounts(B, 't150:HYPE')?.available).toBeUndefined();
  });
});

describe('[WEB-181] rows that are keyed by name and index', () => {
  type Rows = SpotBalanceSlot['balances'];
  const state = (user: Address, balances: Rows, more: Partial<SpotBalanceSlot> = {}): Result => ({
    kind: 'state',
    user,
    state: { user, balances, ...more },
  });
  const USDC = { coin: 'USDC', token: 0, total: '100.0', hold: '0.0', entryNtl: '0.0' };
  const YES = { coin: '+1230', total: '25.0', hold: '0.0', entryNtl: '12.5' };
  const SETTLED = { coin: 'o77', total: '4.0', hold: '0.0' };
  const sumsOfRound = (results: readonly Result[], users: readonly Address[] = [A, B]) => {
    const entries = entriesOf(users.map(plainWallet), applyRound(EMPTY_BALANCES, results, 0), 0);
    return tokensOf(entries).map((token) => [token.id, token.name, sumOf(entries, token, 'total').value]);
  };

  it('keeps outcome tokens without an index apart, in every wallet and in the sums', () => {
    expect(sumsOfRound([state(A, [USDC, YES, SETTLED]), state(B, [{ ...YES, total: '-1.5' }, USDC])])).toEqual([
      ['t0', 'USDC', '200'],
      ['t:+1230', '+1230', '23.5'],
      ['t:o77', 'o77', '4'],
    ]);
  });

  it.each([
    ['one index with two names', [USDC, { ...YES, token: 0 }], ['t0:+1230 +1230 25', 't0:USDC USDC 100']],
    [
      'one name with and without an index',
      [USDC, { coin: 'USDC', total: '7' }],
      ['t0 USDC #0 100', 't:USDC USDC without index 7'],
    ],
    [
      'a row that is there twice',
      [SETTLED, { ...SETTLED, total: '5.0' }],
      ['t:o77 o77 without index 4', "t:o77' o77 without index' 5"],
    ],
    ['null in place of every value', [{ coin: 'X', token: null, total: null, hold: null, entryNtl: null }], ['t:X X ']],
    ['text that is no number', [{ ...USDC, total: 'NaN' }], ['t0 USDC ']],
    ['a number with an exponent', [{ ...YES, total: '1e-7' }], ['t:+1230 +1230 ']],
    [
      'hold above total, and fields that nobody knows',
      [{ ...USDC, total: '-3.0', hold: '9.0', borrowed: '3.0', ltv: {} }],
      ['t0 USDC -3'],
    ],
  ])('merges nothing and drops nothing: %s', (_, balances, expected) => {
    expect(sumsOfRound([state(A, balances)], [A]).map((row) => row.join(' '))).toEqual(expected);
  });

  it('adds an available amount, which has an index only, to the only name of that index', () => {
    const tokenToAvailableAfterMaintenance = [[0, '3.5']] satisfies [number, string][];
    const results = [
      state(A, [USDC], { tokenToAvailableAfterMaintenance }),
      state(B, [], { tokenToAvailableAfterMaintenance }),
    ];
    const entries = entriesOf([A, B].map(plainWallet), applyRound(EMPTY_BALANCES, results, 0), 0);
    const [token, ...others] = tokensOf(entries);
    expect([token?.name, others]).toEqual(['USDC', []]);
    expect(sumOf(entries, must(token), 'available')).toMatchObject({ value: '7', counted: 2, silent: 0 });
    const two = state(A, [USDC, { ...YES, token: 0 }], { tokenToAvailableAfterMaintenance });
    expect(sumsOfRound([two], [A]).map(([, name]) => name)).toEqual(['token 0', '+1230', 'USDC']);
  });

  it('compares rows of one name and index; an available amount that gets its name is no change', () => {
    const available = { tokenToAvailableAfterMaintenance: [[0, '100.0']] satisfies [number, string][] };
    const first = applyRound(EMPTY_BALANCES, [state(A, [YES], available)], 0);
    const second = applyRound(first, [state(A, [{ ...YES, total: '20.0' }, USDC, SETTLED], available)], 1);
    expect(second.journal.changes.map(({ coin, token, field, to }) => [coin, token, field, to])).toEqual([
      ['o77', undefined, 'hold', '0.0'],
      ['o77', undefined, 'total', '4.0'],
      ['USDC', 0, 'entryNtl', '0.0'],
      ['USDC', 0, 'hold', '0.0'],
      ['USDC', 0, 'total', '100.0'],
      ['+1230', undefined, 'total', '20.0'],
    ]);
    expect(readKeptBalances(keptBalances(second)).holdings.get(A)?.good?.amounts).toEqual(
      second.holdings.get(A)?.good?.amounts,
    );
    expect(readKeptBalances(keptBalances(second)).journal.changes).toHaveLength(6);
  });
});

it('the sums of wallets that all failed are those of their last values, as old ones', () => {
  const before = applyRound(EMPTY_BALANCES, [good(A, '1.5'), good(B, '2')], 0);
  const after = applyRound(before, [failed(A), failed(B)], 1);
  const of = (balances: Balances) => {
    const entries = entriesOf([A, B].map(plainWallet), balances, 1);
    return sumOf(entries, must(tokensOf(entries)[0]), 'total');
  };
  expect(of(after)).toEqual({ value: '3.5', counted: 2, wallets: 2, silent: 0, stale: 2 });
  expect(of(applyRound(before, [failed(A)], 1)), 'others are there').toMatchObject({ value: '2', counted: 1 });
});

describe('the journal of changes', () => {
  it('names wallet, token and field, the old and new amount, and the times between which it changed', () => {
    const first = applyRound(EMPTY_BALANCES, [good(A, '1.10')], 1_000);
    expect(first.journal.changes).toEqual([]);
    const second = applyRound(first, [good(A, '1.1000000001')], 2_000);
    const of = { id: 1, user: A, token: 150, coin: 'HYPE', field: 'total' };
    expect(second.journal.changes).toEqual([{ ...of, from: '1.10', to: '1.1000000001', since: 1_000, at: 2_000 }]);
  });

  it('ignores other trailing zeros, and records a token or field that appears or disappears', () => {
    const first = applyRound(EMPTY_BALANCES, [good(A, '1.0')], 0);
    expect(changesOf(applyRound(first, [good(A, '1.000')], 1))).toEqual([]);
    const available = good(A, '1.0', { tokenToAvailableAfterMaintenance: [[150, '1.0']] });
    expect(changesOf(applyRound(first, [available], 1))).toEqual([['available', undefined, '1.0']]);
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
      const results = wallets.map((user) => good(user, total));
      balances = applyRound(balances, results, round);
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
