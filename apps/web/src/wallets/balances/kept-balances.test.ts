// @vitest-environment happy-dom
import 'fake-indexeddb/auto';
import { createClient, WalletError } from '@l4desk/client';
import type { Address, DecimalString, SpotBalanceSlot } from '@l4desk/protocol';
import { QueryClient } from '@tanstack/react-query';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeAccount } from '../../state/account.ts';
import { readKept } from '../../state/kept-values.ts';
import {
  applyRound,
  type Balances,
  EMPTY_BALANCES,
  JOURNAL_MAX,
  readingStateOf,
  STALE_AFTER_MS,
} from './balance-store.ts';
import { BALANCES_NAME, keptBalances, readKeptBalances, withKept } from './kept-balances.ts';
import { readBalances } from './use-balances.ts';

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
const reloaded = (balances: Balances) =>
  withKept(EMPTY_BALANCES, readKeptBalances(structuredClone(keptBalances(balances))));

describe('after a reload', () => {
  it('[BATCH-18] restores readings with their age, failures with their messages, and changes', () => {
    const { holdings, journal, isRestored } = reloaded(lived);
    expect(isRestored).toBe(true);
    expect(holdings.get(A)?.good?.at).toBe(2_000);
    expect(holdings.get(A)?.good?.amounts).toEqual(lived.holdings.get(A)?.good?.amounts);
    expect(readingStateOf(holdings.get(B), 2_001)).toMatchObject({
      kind: 'error',
      message: 'upstream returned HTTP 500',
      failedAt: 2_000,
    });
    expect(journal).toEqual(lived.journal);
  });

  it('marks readings as stale by their age alone', () => {
    const { holdings } = reloaded(lived);
    expect(readingStateOf(holdings.get(A), 2_000 + STALE_AFTER_MS).kind).toBe('ok');
    expect(readingStateOf(holdings.get(A), 2_001 + STALE_AFTER_MS).kind).toBe('stale');
  });

  it('compares a new reading with the stored one and dates it in this visit', () => {
    const after = applyRound(reloaded(lived), [good(A, '13')], 9_000);
    expect(after.journal.changes[0]).toMatchObject({ id: 2, field: 'total', from: '12.5', to: '13', since: 2_000 });
    expect(readingStateOf(after.holdings.get(A), 9_000).kind).toBe('ok');
  });

  it('[BATCH-18] prefers what this visit has already read to stored values', () => {
    const visit = applyRound(EMPTY_BALANCES, [good(A, '20')], 9_000);
    const { holdings } = withKept(visit, readKeptBalances(structuredClone(keptBalances(lived))));
    expect(holdings.get(A)).toEqual(visit.holdings.get(A));
    expect(readingStateOf(holdings.get(A), 9_000).kind).toBe('ok');
    expect(readingStateOf(holdings.get(B), 9_000).kind).toBe('error');
  });

  it('[BATCH-18] keeps the stored good reading of a wallet that failed in this visit', () => {
    const visit = applyRound(EMPTY_BALANCES, [failed(A, 'upstream returned HTTP 503')], 9_000);
    const holding = withKept(visit, readKeptBalances(structuredClone(keptBalances(lived)))).holdings.get(A);
    expect(holding?.good?.at).toBe(2_000);
    expect(holding?.failed?.at).toBe(9_000);
  });

  it('puts changes of this visit before stored ones, each with its own id', () => {
    const first = applyRound(EMPTY_BALANCES, [good(A, '20'), good(B, '2')], 8_000);
    const visit = applyRound(first, [good(A, '21'), good(B, '3')], 9_000);
    const { journal } = withKept(visit, readKeptBalances(structuredClone(keptBalances(lived))));
    expect(journal.changes.map(({ id, user, at, to }) => [id, user, at, to])).toEqual([
      [3, B, 9_000, '3'],
      [2, A, 9_000, '21'],
      [1, A, 2_000, '12.5'],
    ]);
    expect(journal.dropped).toBe(0);
    const next = applyRound({ ...visit, journal }, [good(A, '22')], 10_000);
    expect(next.journal.changes[0]?.id).toBe(4);
  });

  it('merges changes that another page has stored since, in order of time', () => {
    const first = applyRound(EMPTY_BALANCES, [good(A, '20')], 500);
    const visit = applyRound(applyRound(first, [good(A, '21')], 1_500), [good(A, '22')], 9_000);
    const { journal } = withKept(visit, readKeptBalances(structuredClone(keptBalances(lived))));
    expect(journal.changes.map(({ at }) => at)).toEqual([9_000, 2_000, 1_500]);
    expect(journal.changes.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  it('bounds the merged journal, and counts the oldest changes as dropped', () => {
    const full = (start: number, rounds: number) => {
      let balances = applyRound(EMPTY_BALANCES, [good(A, '0')], start);
      for (let round = 1; round <= rounds; round += 1)
        balances = applyRound(balances, [good(A, String(round) as DecimalString)], start + round);
      return balances;
    };
    const kept = readKeptBalances(structuredClone(keptBalances(full(0, JOURNAL_MAX + 5))));
    const visit = full(10_000, 7);
    const { changes, dropped } = withKept({ ...visit, journal: { ...visit.journal, dropped: 2 } }, kept).journal;
    expect(changes.length).toBe(JOURNAL_MAX);
    expect(dropped).toBe(14);
    expect(changes.at(0)?.at).toBe(10_007);
    expect(changes.at(-1)?.at).toBe(13);
    expect(new Set(changes.map(({ id }) => id)).size).toBe(JOURNAL_MAX);
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
