import type { Address } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { sortedRows } from '../../ui/table/sorted-rows.ts';
import { positionRows, type Worth, worthOf, worthSum } from '../../wallets/value/worth.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { positionColumns, worthColumns } from './value-rows.tsx';

const A: Address = `0x${'aa'.repeat(20)}`;

type Marks = Parameters<typeof worthColumns>[0]['marks'];
const marksOf = (of: ReadonlyMap<string, string>) => ({ of }) as Marks;

it('a wallet whose perps are unknown has no place in the order of their figures, and leaves their number open', () => {
  const entry = {
    wallet: plainWallet(A),
    state: { kind: 'ok', text: 'as of the last refresh' },
    reading: undefined,
    isCounted: true,
    changes: new Map(),
  } as const;
  const worth = worthOf(entry, {
    prices: new Map(),
    accounts: new Map([['', new Map()]]),
    abstractions: new Map(),
    collaterals: new Map(),
  });
  const columns = worthColumns({ worths: [worth], sum: worthSum([worth]), marks: marksOf(new Map()) }, new Map());
  expect(columns.find(({ id }) => id === 'nearest')?.text?.(worth)).toBe('?');
  const names = ['spot', 'equity', 'pnl', 'margin', 'positions'];
  const keys = columns.filter(({ id }) => names.includes(id)).map(({ sortBy }) => sortBy?.(worth) ?? typeof sortBy);
  expect(keys).toEqual(names.map(() => 'function'));
  expect(columns.find(({ id }) => id === 'positions')?.total).toBe('≥ 0');
});

it('by risk, a position with an unknown mark is first, shown as ?, and one without a liquidation price is last', () => {
  const worths = [
    {
      entry: { wallet: plainWallet(A) },
      positions: [
        { coin: 'SAFE', szi: '1' },
        { coin: 'NEAR', szi: '1', liquidationPx: '95' },
        { coin: 'FAR', szi: '1', liquidationPx: '50' },
        { coin: 'UNKNOWN', szi: '1', liquidationPx: '95' },
      ],
    },
  ] as unknown as readonly Worth[];
  const marks = new Map(['SAFE', 'NEAR', 'FAR'].map((coin) => [coin, '100']));
  const rows = positionRows({ worths, marks: marksOf(marks) });
  const columns = positionColumns(rows);
  const away = columns.find(({ id }) => id === 'distance');
  const sorted = sortedRows(rows, columns, { column: 'distance', descending: false });
  expect(sorted.map((row) => [row.position.coin, away?.text?.(row)])).toEqual([
    ['UNKNOWN', '?'],
    ['NEAR', '! 5.00 %'],
    ['FAR', '50.00 %'],
    ['SAFE', '—'],
  ]);
  const marked = columns.find(({ id }) => id === 'mark');
  expect(sorted.map((row) => marked?.text?.(row))).toEqual(['?', '100', '100', '100']);
  const nearest = worthColumns({ worths, sum: worthSum([]), marks: marksOf(marks) }, new Map()).find(
    ({ id }) => id === 'nearest',
  );
  const [wallet] = worths;
  const textOf = (...coins: readonly string[]) => {
    const positions = must(wallet, 'the wallet').positions.filter(({ coin }) => coins.includes(coin));
    return nearest?.text?.({ ...must(wallet, 'the wallet'), positions });
  };
  expect(textOf('SAFE', 'FAR', 'NEAR')).toBe('NEAR long ! 5.00 %');
  expect(textOf('NEAR', 'UNKNOWN'), 'what is not known may be nearer').toBe('NEAR long ! ≤ 5.00 %');
  expect(textOf('UNKNOWN')).toBe('?');
  expect(textOf('SAFE')).toBe('—');
});

it('a dex that failed hides no known risk: wallets that are near come first, then those that may be', () => {
  const worths = [
    { label: 'none', isPerpsPartial: false },
    { label: 'far', isPerpsPartial: false, liquidationPx: '50' },
    { label: 'failed', isPerpsPartial: true },
    { label: 'far and failed', isPerpsPartial: true, liquidationPx: '80' },
    { label: 'near', isPerpsPartial: false, liquidationPx: '95' },
    { label: 'nearest and failed', isPerpsPartial: true, liquidationPx: '99' },
  ].map(({ label, liquidationPx, isPerpsPartial }) => ({
    entry: { wallet: { ...plainWallet(A), label } },
    isPerpsPartial,
    positions: [{ coin: 'BTC', szi: '1', liquidationPx }],
  })) as unknown as readonly Worth[];
  const columns = worthColumns({ worths, sum: worthSum([]), marks: marksOf(new Map([['BTC', '100']])) }, new Map());
  const nearest = columns.find(({ id }) => id === 'nearest');
  const sorted = sortedRows(worths, columns, { column: 'nearest', descending: false });
  expect(sorted.map((worth) => [worth.entry.wallet.label, nearest?.text?.(worth)])).toEqual([
    ['nearest and failed', 'BTC long ! ≤ 1.00 %'],
    ['near', 'BTC long ! 5.00 %'],
    ['failed', '?'],
    ['far and failed', 'BTC long ≤ 20.00 %'],
    ['far', 'BTC long 50.00 %'],
    ['none', '—'],
  ]);
});

it('amounts of a position in a token without a price are ?, not none, and have no place in the order', () => {
  const position = { coin: 'flx:TSLA', szi: '1', value: '900', pnl: '0.0', margin: undefined, fundingPaid: undefined };
  const worths = [{ entry: { wallet: plainWallet(A) }, positions: [position] }] as unknown as readonly Worth[];
  const rows = positionRows({ worths, marks: { of: new Map() } });
  const columns = positionColumns(rows);
  const row = must(rows[0], 'the row');
  const shown = columns.filter(({ id }) => ['value', 'pnl', 'margin', 'funding'].includes(id));
  expect(shown.map(({ id, text }) => [id, text?.(row)])).toEqual([
    ['value', '900.00'],
    ['pnl', '0.00'],
    ['margin', '?'],
    ['funding', '?'],
  ]);
  expect(shown.map(({ copied }) => copied?.(row))).toEqual(['900', '0.0', '?', '?']);
  expect(shown.map(({ sortBy }) => sortBy?.(row) !== undefined)).toEqual([true, true, false, false]);
});
