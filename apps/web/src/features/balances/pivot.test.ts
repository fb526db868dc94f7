import { formatUnits, parseBigUnits } from '@l4desk/decimal';
import { type Address, type DecimalString, isDecimalString, type SpotBalanceSlot } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aligned } from '../../ui/format.ts';
import { measuredAmounts, numberWidth } from '../../ui/number-width.ts';
import { unitsOf } from '../../ui/table/sorted-rows.ts';
import { amountsOf, type ReadingState } from '../../wallets/balances/balance-store.ts';
import { isWhole, sumOf, type Token, tokensOf, type WalletEntry } from '../../wallets/balances/sums.ts';
import { plainWallet, type Wallet } from '../../wallets/wallet.ts';
import { addendsOf, exceedsDust, mastersOfEntries, searched, withoutDust } from './pivot.ts';
import { walletRows } from './wallet-rows.tsx';

const addressOf = (at: number): Address => `0x${at.toString(16).padStart(40, '0')}`;

interface Facts {
  readonly balances?: readonly (readonly [coin: string, token: number, total: DecimalString])[];
  readonly available?: [number, DecimalString][];
  readonly kind?: ReadingState['kind'];
  readonly wallet?: Partial<Wallet>;
}

function entry(at: number, { balances = [], available, kind = 'ok', wallet = {} }: Facts = {}): WalletEntry {
  const address = addressOf(at);
  const state: SpotBalanceSlot = {
    user: address,
    balances: balances.map(([coin, token, total]) => ({ coin, token, total, hold: '0', entryNtl: '0' })),
    ...(available === undefined ? {} : { tokenToAvailableAfterMaintenance: available }),
  };
  return {
    wallet: { ...plainWallet(address), ...wallet },
    state:
      kind === 'error' ? { kind, text: kind, message: kind, failedAt: 0, isRetryable: true } : { kind, text: kind },
    reading: kind === 'never' ? undefined : { at: 0, state, amounts: amountsOf(state) },
    changes: new Map(),
    isCounted: kind === 'ok' || kind === 'stale',
  };
}

/** A token without namesakes. */
const tokenAt = (token: number): Token => ({
  token,
  coin: undefined,
  key: `t${token}:${NAMES[token]}`,
  id: `t${token}`,
  name: '',
});
const NAMES: Readonly<Record<number, string>> = { 3: 'X', 150: 'HYPE' };

const decimals = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => formatUnits(units, scale, scale));

describe('sums', () => {
  it('are exact to the last digit, in any order', () => {
    fc.assert(
      fc.property(fc.array(decimals, { minLength: 1, maxLength: 40 }), (totals) => {
        const entries = totals.map((total, at) => entry(at, { balances: [['X', 3, total]] }));
        const exact = totals.reduce((sum, total) => sum + (parseBigUnits(total, 18) ?? 0n), 0n);
        const { value } = sumOf(entries, tokenAt(3), 'total');
        expect(parseBigUnits(value ?? '', 18)).toBe(exact);
        expect(sumOf(entries.toReversed(), tokenAt(3), 'total').value).toBe(value);
      }),
    );
  });

  it('leave out a failed wallet, whatever values it has, and say so; include a stale one', () => {
    const balances = [['HYPE', 150, '11.0691668475']] as const;
    const entries = [
      entry(1, { balances }),
      entry(2, { balances, kind: 'stale' }),
      entry(3, { balances, kind: 'error' }),
      entry(4, { kind: 'never' }),
    ];
    const sum = sumOf(entries, tokenAt(150), 'total');
    expect(sum).toEqual({ value: '22.138333695', counted: 2, wallets: 4, silent: 0, stale: 1 });
    expect(isWhole(sum)).toBe(false);
    const { parts, missing } = addendsOf(entries, tokenAt(150), 'total');
    expect(parts.map(({ entry: { wallet } }) => wallet.address)).toEqual([addressOf(1), addressOf(2)]);
    expect(missing.map(({ value }) => value)).toEqual(['11.0691668475', undefined]);
    expect(sumOf(entries.slice(0, 2), tokenAt(150), 'total')).toSatisfy(isWhole);
  });

  it('[BATCH-11] are incomplete if a wallet does not report the amount, which does not count as zero', () => {
    const balances = [['HYPE', 150, '4']] as const;
    const entries = [entry(1, { balances, available: [[150, '3.5']] }), entry(2, { balances })];
    const sum = sumOf(entries, tokenAt(150), 'available');
    expect(sum).toEqual({ value: '3.5', counted: 2, wallets: 2, silent: 1, stale: 0 });
    expect(isWhole(sum)).toBe(false);
    expect(addendsOf(entries, tokenAt(150), 'available').silent).toEqual([entries[1]]);
    expect(sumOf([entry(2, { balances })], tokenAt(150), 'available').value).toBeUndefined();
  });

  it('are complete with wallets that do not have the token', () => {
    expect(sumOf([entry(1), entry(2, { balances: [['X', 3, '1.50']] })], tokenAt(3), 'total')).toSatisfy(isWhole);
  });
});

describe('tokens', () => {
  it('are ordered by index, and tokens with equal or missing names are distinguished', () => {
    const entries = [
      entry(1, { balances: [['HYPE', 1105, '1']], available: [[9, '2']] }),
      entry(2, {
        balances: [
          ['HYPE', 150, '1'],
          ['USDC', 0, '1'],
        ],
      }),
    ];
    expect(tokensOf(entries).map(({ name }) => name)).toEqual(['USDC', 'token 9', 'HYPE #150', 'HYPE #1105']);
  });
});

describe('search and dust', () => {
  const entries = [
    entry(1, {
      balances: [
        ['USDC', 0, '100.5'],
        ['HYPE', 150, '0.0001'],
      ],
      wallet: { label: 'Treasury', group: 'ops' },
    }),
    entry(2, { balances: [['HYPE', 150, '0.000']], wallet: { label: 'Bot', tags: ['mm'] } }),
    entry(3, { kind: 'error', wallet: { label: 'Cold' } }),
  ];
  const tokens = tokensOf(entries);
  const labels = (found: readonly WalletEntry[]) => found.map(({ wallet }) => wallet.label);

  it.each([
    ['treas', ['Treasury'], ['USDC', 'HYPE']],
    ['OPS', ['Treasury'], ['USDC', 'HYPE']],
    ['mm', ['Bot'], ['USDC', 'HYPE']],
    ['hype', ['Treasury', 'Bot'], ['HYPE']],
    ['usd', ['Treasury'], ['USDC']],
    ['nothing', [], []],
  ])('“%s” finds wallets by name, or tokens with their holders', (query, wallets, names) => {
    const found = searched(entries, tokens, query);
    expect(labels(found.entries)).toEqual(wallets);
    expect(found.tokens.map(({ name }) => name)).toEqual(names);
  });

  it('hides a wallet with nothing above the limit, but never one without a response', () => {
    expect(labels(withoutDust(entries, tokens, '0').entries)).toEqual(['Treasury', 'Cold']);
    const hidden = withoutDust(entries, tokens, '0.0001');
    expect(labels(hidden.entries)).toEqual(['Treasury', 'Cold']);
    expect(hidden.tokens.map(({ name }) => name)).toEqual(['USDC']);
    expect(withoutDust(entries, tokens, undefined).entries).toHaveLength(3);
  });
});

it.each([
  ['total', { total: '-0.5' }],
  ['hold', { hold: '-0.5' }],
  ['available', { available: '-0.5' }],
] as const)('never treats a negative %s as dust, whatever the limit', (_, amounts) => {
  const limit = unitsOf('1000') ?? 0n;
  expect(exceedsDust({ token: 0, coin: 'USDC', ...amounts }, limit)).toBe(true);
  expect(exceedsDust({ token: 0, coin: 'USDC', total: '1000', hold: '0', available: '999.9' }, limit)).toBe(false);
});

describe('amounts in a column', () => {
  it('have aligned decimal points and their digits as reported', () => {
    fc.assert(
      fc.property(fc.array(decimals, { minLength: 1, maxLength: 10 }), (values) => {
        const most = Math.max(...values.map((value) => value.split('.')[1]?.length ?? 0));
        const ends = values.map((value) => {
          const text = aligned(value, most);
          const plain = text.replaceAll(',', '').trimEnd();
          expect(plain).toBe(value);
          expect(plain).toSatisfy(isDecimalString);
          const whole = text.split('.')[0]?.trimEnd() ?? '';
          return text.length - whole.length;
        });
        expect(new Set(ends).size).toBe(1);
        const { decimals, width } = measuredAmounts(values, 'title');
        expect(decimals).toBe(most);
        const longest = Math.max('title'.length, ...values.map((value) => aligned(value, most).length));
        expect(width).toBe(numberWidth(longest, 88, 20));
      }),
    );
  });
});

describe('wallets rolled up under their masters', () => {
  const held = (at: number, total: DecimalString, kind?: ReadingState['kind']) =>
    entry(at, { balances: [['X', 3, total]], ...(kind && { kind }) });
  const roles = new Map([
    [addressOf(2), { kind: 'sub-account', of: addressOf(1) }],
    [addressOf(4), { kind: 'sub-account', of: addressOf(9) }],
  ] as const);

  it('have the exact sum of a master and its sub-accounts, incomplete if one failed; others stay as they are', () => {
    const entries = [held(1, '10.5'), held(2, '0.25'), held(3, '7'), held(4, '1')];
    const rowsOf = (shown: readonly WalletEntry[]) => walletRows(shown, mastersOfEntries(shown, roles));
    const rows = rowsOf(entries);
    expect(rows.map(({ key }) => key)).toEqual([`m:${addressOf(1)}`, addressOf(3), addressOf(4)]);
    const [group] = rows;
    if (group?.kind !== 'group') throw new Error('not rolled up');
    expect(group.sum(tokenAt(3), 'total')).toMatchObject({ value: '10.75', counted: 2, wallets: 2 });
    expect(group.rows.map(({ key }) => key)).toEqual([addressOf(1), addressOf(2)]);
    const [partial] = rowsOf([held(1, '10.5'), held(2, '0.25', 'error')]);
    if (partial?.kind !== 'group') throw new Error('not rolled up');
    expect(isWhole(partial.sum(tokenAt(3), 'total'))).toBe(false);
  });
});
