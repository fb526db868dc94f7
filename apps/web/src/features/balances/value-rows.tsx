import { roundTo } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { aligned, columnDecimals, counted, grouped, percentText, wholeText } from '../../ui/format.ts';
import type { TableColumn, TableSort } from '../../ui/table/table-column.ts';
import { isNear, type PositionRow } from '../../wallets/value/positions.ts';
import { USDC_DECIMALS, Usdc } from '../../wallets/value/usdc.tsx';
import type { Value } from '../../wallets/value/use-value.ts';
import { leverageOf, type Worth } from '../../wallets/value/worth.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';
import { measured } from './amounts.ts';
import { sortedBy, unitsOf } from './pivot.ts';

export const keyOfWorth = ({ entry }: Worth) => entry.wallet.address;

const MODE_TEXTS = {
  separate: 'separate',
  unifiedAccount: 'unified',
  portfolioMargin: 'portfolio margin',
  unknown: '?',
} as const;

export function sortedWorths(worths: readonly Worth[], sort: TableSort | undefined): readonly Worth[] {
  if (sort === undefined) return sortedBy(worths, ({ total }) => unitsOf(total), true);
  const { column, descending } = sort;
  return sortedBy(
    worths,
    (worth) => {
      if (column === 'wallet') return worth.entry.wallet.label || worth.entry.wallet.address;
      if (column === 'positions') return worth.positions.length;
      if (column === 'leverage') return unitsOf(leverageOf(worth));
      return unitsOf(worth[column as 'total' | 'spot' | 'equity' | 'pnl' | 'margin']);
    },
    descending,
  );
}

const MISSING: TableColumn<Worth> = {
  id: 'missing',
  title: 'Not in the worth',
  width: 260,
  grow: true,
  cell: ({ missing }) => (
    <span className="truncate text-stale" title={missing.join('\n')}>
      {missing.join(', ')}
    </span>
  ),
};

/** The columns of what wallets are worth, with the exact sums below them. */
export function worthColumns({ worths, sum }: Pick<Value, 'worths' | 'sum'>): readonly TableColumn<Worth>[] {
  const money = (
    id: 'total' | 'spot' | 'pnl' | 'margin',
    title: string,
    hint: string,
    more: Partial<TableColumn<Worth>> = {},
  ): TableColumn<Worth> => ({
    id,
    title,
    hint,
    width: measured(
      [...worths.map((worth) => roundTo(worth[id], USDC_DECIMALS)), sum[id]].map(cents),
      `${title} `,
      '≥ ',
    ).width,
    align: 'end',
    sortable: true,
    total: <Usdc value={sum[id]} isSigned={id === 'pnl'} isPartial={id === 'total' && sum.missing.length > 0} />,
    cell: (worth) => (
      <Usdc value={worth[id]} isSigned={id === 'pnl'} isPartial={id === 'total' && worth.missing.length > 0} />
    ),
    ...more,
  });
  return [
    {
      id: 'wallet',
      title: 'Wallet',
      width: 160,
      fixed: true,
      sortable: true,
      narrow: true,
      total: counted(worths.length, 'wallet'),
      cell: ({ entry }) => <WalletName wallet={entry.wallet} />,
    },
    money('total', 'Worth', 'Spot balances at mid, and the equity of perps where it is not in the balances, in USDC', {
      narrow: true,
    }),
    money('spot', 'Spot', 'Spot balances at the mid of their pair with USDC'),
    {
      id: 'equity',
      title: 'Perp equity',
      hint: 'accountValue of the loaded dexes. In a unified or portfolio-margin account it is in the spot balances, and is not added',
      width: measured(
        worths.flatMap(({ equity }) => (equity === undefined ? [] : cents(equity))),
        'Perp equity ',
      ).width,
      align: 'end',
      sortable: true,
      total: <Usdc value={sum.perps} />,
      cell: ({ equity, mode }) =>
        equity === undefined ? (
          <span className="text-stale" title="Not loaded, or failed">
            ?
          </span>
        ) : (
          <span className={mode === 'separate' ? undefined : 'text-dim'}>
            <Usdc value={equity} />
          </span>
        ),
    },
    money('pnl', 'Unrealised', 'Unrealised profit of the open positions, as reported'),
    money('margin', 'Margin used', 'totalMarginUsed, as reported'),
    {
      id: 'leverage',
      title: 'Leverage',
      hint: 'Notional of all positions over the perp equity',
      width: 84,
      align: 'end',
      sortable: true,
      cell: (worth) => {
        const leverage = leverageOf(worth);
        return leverage === undefined ? <span className="text-dim">—</span> : `${grouped(leverage)}x`;
      },
    },
    {
      id: 'positions',
      title: 'Positions',
      width: 84,
      align: 'end',
      sortable: true,
      total: wholeText(worths.reduce((count, { positions }) => count + positions.length, 0)),
      cell: ({ positions }) => wholeText(positions.length),
    },
    {
      id: 'mode',
      title: 'Account',
      hint: 'Whether the equity of perps is beside the spot balances or in them, as userAbstraction says',
      width: 120,
      cell: ({ mode }) => <span className="text-dim">{MODE_TEXTS[mode]}</span>,
    },
    ...(sum.missing.length === 0 ? [] : [MISSING]),
  ];
}

/** A value of USDC as written in its column. */
const cents = (value: DecimalString) => roundTo(value, USDC_DECIMALS);

export const keyOfPosition = ({ key }: PositionRow) => key;

/** The nearest to liquidation first, unless another order is chosen. */
export function sortedPositions(rows: readonly PositionRow[], sort: TableSort | undefined): readonly PositionRow[] {
  const { column, descending } = sort ?? { column: 'distance', descending: false };
  return sortedBy(
    rows,
    ({ entry, position, distance }) => {
      if (column === 'wallet') return entry.wallet.label || entry.wallet.address;
      if (column === 'coin') return position.coin;
      if (column === 'distance') return unitsOf(distance);
      return unitsOf(position[column as 'value' | 'pnl' | 'margin']);
    },
    descending,
  );
}

export function positionColumns(rows: readonly PositionRow[]): readonly TableColumn<PositionRow>[] {
  const text = (
    id: string,
    title: string,
    hint: string | undefined,
    of: (row: PositionRow) => DecimalString | undefined,
    more: Partial<TableColumn<PositionRow>> = {},
  ): TableColumn<PositionRow> => {
    const values = rows.flatMap((row) => of(row) ?? []);
    const { width } = measured(values, `${title} `);
    const decimals = columnDecimals(values);
    return {
      id,
      title,
      ...(hint === undefined ? {} : { hint }),
      width,
      align: 'end',
      cell: (row) => {
        const value = of(row);
        if (value === undefined) return <span className="text-dim">—</span>;
        return (
          <span className="private" data-amount={value}>
            {aligned(value, decimals)}
          </span>
        );
      },
      ...more,
    };
  };
  const money = (id: 'value' | 'pnl' | 'margin', title: string): TableColumn<PositionRow> => ({
    id,
    title,
    width: measured(
      rows.flatMap(({ position }) => (position[id] === undefined ? [] : cents(position[id]))),
      `${title} `,
    ).width,
    align: 'end',
    sortable: true,
    cell: ({ position }) => {
      const value = position[id];
      return value === undefined ? <span className="text-dim">—</span> : <Usdc value={value} isSigned={id === 'pnl'} />;
    },
  });
  return [
    {
      id: 'wallet',
      title: 'Wallet',
      width: 140,
      fixed: true,
      sortable: true,
      narrow: true,
      cell: ({ entry }) => <WalletName wallet={entry.wallet} />,
    },
    {
      id: 'coin',
      title: 'Coin',
      width: 110,
      sortable: true,
      narrow: true,
      cell: ({ position: { coin, szi } }) => (
        <span className={szi.startsWith('-') ? 'text-ask' : 'text-bid'}>
          {coin} {szi.startsWith('-') ? 'short' : 'long'}
        </span>
      ),
    },
    text('szi', 'Size', undefined, ({ position }) => position.szi, { narrow: true }),
    text('entry', 'Entry', 'entryPx, as reported', ({ position }) => position.entryPx),
    text('mark', 'Mark', 'Mark price of the coin, as metaAndAssetCtxs reports it', ({ mark }) => mark),
    money('value', 'Value'),
    money('pnl', 'Unrealised'),
    text('liquidation', 'Liquidation', 'Liquidation price, as reported', ({ position }) => position.liquidationPx),
    {
      id: 'distance',
      title: 'Away',
      hint: 'Distance of the mark from the liquidation price',
      width: measured(
        rows.flatMap(({ distance }) => (distance === undefined ? [] : percentText(distance).replaceAll(',', ''))),
        'Away ! ',
      ).width,
      align: 'end',
      sortable: true,
      cell: ({ distance }) =>
        distance === undefined ? (
          <span className="text-dim">—</span>
        ) : (
          <span className={isNear(distance) ? 'font-medium text-stale' : undefined}>
            {isNear(distance) && '! '}
            {percentText(distance)}
          </span>
        ),
    },
    { id: 'leverage', title: 'Leverage', width: 92, cell: ({ position }) => position.leverage },
    money('margin', 'Margin'),
  ];
}
