import { subtract } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { aligned, columnDecimals, counted, percentText, wholeText } from '../../ui/format.ts';
import { numberWidth } from '../../ui/number-width.ts';
import { unitsOf } from '../../ui/table/sorted-rows.ts';
import type { TableColumn } from '../../ui/table/table-column.ts';
import type { RoleFacts } from '../../wallets/roles.ts';
import { isUnknown, Usdc, type UsdcProps, usdcText } from '../../wallets/value/usdc.tsx';
import type { Value } from '../../wallets/value/use-value.ts';
import {
  accountLeverageText,
  isNear,
  isUnwatched,
  leverageOf,
  NEAR,
  type Nearest,
  nearestText,
  nearestToLiquidation,
  type PositionRow,
  positionRows,
  type Worth,
} from '../../wallets/value/worth.ts';
import { NamedRole, ROLE_WIDTH, walletNameColumn } from './cells.tsx';

const MODE_TEXTS = {
  separate: 'separate',
  unifiedAccount: 'unified',
  portfolioMargin: 'portfolio margin',
  unknown: '?',
  mixed: 'mixed',
} as const;

const NONE = <span className="text-dim">—</span>;

const UNKNOWN: UsdcProps = { value: '0', isPartial: true };

/** The equity of perps; unknown if they were not loaded, or failed. */
const equityOf = ({ equity, isPerpsPartial }: Worth): UsdcProps | undefined =>
  equity === undefined ? (isPerpsPartial ? UNKNOWN : undefined) : { value: equity };

/** A column of USDC, as wide as its longest text and its total. */
function usdcColumn<Row>(
  id: string,
  title: string,
  of: (row: Row) => UsdcProps | undefined,
  more: Partial<TableColumn<Row>> & { readonly sum?: UsdcProps } = {},
): TableColumn<Row> {
  const { sum, ...rest } = more;
  return {
    id,
    title,
    align: 'end',
    sortBy: (row) => {
      const amount = of(row);
      return amount === undefined || isUnknown(amount) ? undefined : unitsOf(amount.value);
    },
    ...(sum && { width: numberWidth(usdcText(sum).length, 0), total: <Usdc {...sum} /> }),
    text: (row) => {
      const amount = of(row);
      return amount === undefined ? '' : usdcText(amount);
    },
    // Every digit, where the cell shows cents.
    copied: (row) => {
      const amount = of(row);
      return amount && usdcText(amount, true);
    },
    cell: (row) => {
      const amount = of(row);
      return amount === undefined ? NONE : <Usdc {...amount} />;
    },
    ...rest,
  };
}

const atLeast = (count: number, isPartial: boolean) => `${isPartial ? '≥ ' : ''}${wholeText(count)}`;

/** The columns of what wallets are worth, with the exact sums below them. */
export function worthColumns(
  { worths, sum, marks }: Pick<Value, 'worths' | 'sum' | 'marks'>,
  roles: RoleFacts,
): readonly TableColumn<Worth>[] {
  // Text, look and order need it: a wallet may have hundreds of positions.
  const found = new WeakMap<Worth, Nearest>();
  const nearestOf = (worth: Worth): Nearest => {
    const known = found.get(worth);
    if (known !== undefined) return known;
    const { row, isPartial } = nearestToLiquidation(positionRows({ worths: [worth], marks }));
    const nearest = { row, isPartial: isPartial || worth.isPerpsPartial };
    found.set(worth, nearest);
    return nearest;
  };
  const isPartial = ({ missing }: Pick<Worth, 'missing'>) => missing.length > 0;
  return [
    walletNameColumn(({ entry }) => entry.wallet, {
      ...(roles.size > 0 ? { width: ROLE_WIDTH } : { least: 130 }),
      narrow: true,
      total: counted(worths.length, 'wallet'),
      cell: ({ entry, accounts }) => (
        <>
          <NamedRole wallet={entry.wallet} roles={roles} />
          {accounts && <span className="text-dim">· {counted(accounts.length, 'account')}</span>}
        </>
      ),
    }),
    usdcColumn('total', 'Worth', (worth) => ({ value: worth.total, isPartial: isPartial(worth) }), {
      hint: 'Spot balances at mid, and the equity of perps where it is not in the balances, in USDC',
      narrow: true,
      sum: { value: sum.total, isPartial: isPartial(sum) },
    }),
    usdcColumn('spot', 'Spot', ({ spot: value, isSpotPartial: isPartial }) => ({ value, isPartial }), {
      hint: 'Spot balances at the mid of their pair with USDC',
      sum: { value: sum.spot, isPartial: sum.isSpotPartial },
    }),
    usdcColumn('equity', 'Perp equity', equityOf, {
      hint: 'accountValue of the loaded dexes. In a unified or portfolio-margin account it is in the spot balances, and is not added; ? if it is not loaded, or failed',
      lookOf: ({ mode }) => (mode === 'separate' ? undefined : 'text-dim'),
      sum: { value: sum.perps, isPartial: sum.isEquityPartial },
    }),
    usdcColumn(
      'pnl',
      'Unrealised',
      ({ pnl: value, isPerpsPartial: isPartial }) => ({ value, isSigned: true, isPartial }),
      {
        hint: 'Unrealised profit of the open positions, in USDC',
        narrow: true,
        sum: { value: sum.pnl, isSigned: true, isPartial: sum.isPerpsPartial },
      },
    ),
    usdcColumn('margin', 'Margin used', ({ margin: value, isPerpsPartial: isPartial }) => ({ value, isPartial }), {
      hint: 'totalMarginUsed, in USDC',
      sum: { value: sum.margin, isPartial: sum.isPerpsPartial },
    }),
    {
      id: 'leverage',
      title: 'Leverage',
      hint: 'Notional of all positions over the perp equity',
      width: 84,
      align: 'end',
      sortBy: (worth) => unitsOf(worth.isPerpsPartial ? undefined : leverageOf(worth)),
      cell: (worth) => accountLeverageText(worth) ?? NONE,
    },
    {
      id: 'positions',
      title: 'Positions',
      width: 84,
      align: 'end',
      sortBy: ({ positions, equity, isPerpsPartial }) =>
        equity === undefined && isPerpsPartial ? undefined : positions.length,
      total: atLeast(
        worths.reduce((count, { positions }) => count + positions.length, 0),
        sum.isPerpsPartial,
      ),
      cell: ({ positions, equity, isPerpsPartial }) =>
        equity === undefined && isPerpsPartial ? '?' : atLeast(positions.length, isPerpsPartial),
    },
    {
      id: 'nearest',
      title: 'Nearest liquidation',
      hint: 'The position whose mark is nearest to its liquidation price, and how far away it is; ≤ or ? if a mark or a part of the perps is not known',
      width: 180,
      align: 'end',
      first: 'ascending',
      // What is not known may be near, but what is known to be near comes first.
      sortBy: (worth) => {
        const { row, isPartial } = nearestOf(worth);
        const isKnownNear = row?.distance !== undefined && isNear(row.distance);
        return unitsOf(isPartial && !isKnownNear ? NEAR : row?.distance);
      },
      text: (worth) => {
        const { row, isPartial } = nearestOf(worth);
        const away = nearestText(row?.distance, isPartial) ?? '—';
        return row === undefined || away === '?' ? away : `${coinSide(row)} ${away}`;
      },
      lookOf: (worth) => {
        const { row, isPartial } = nearestOf(worth);
        if (isPartial || (row?.distance !== undefined && isNear(row.distance))) return 'font-medium text-stale';
        return row === undefined ? 'text-dim' : undefined;
      },
    },
    {
      id: 'mode',
      title: 'Account',
      hint: 'Whether the equity of perps is beside the spot balances or in them, as userAbstraction says',
      width: 120,
      copied: ({ mode }) => MODE_TEXTS[mode],
      cell: ({ mode }) => <span className="text-dim">{MODE_TEXTS[mode]}</span>,
    },
    ...(isPartial(sum)
      ? [
          {
            id: 'missing',
            title: 'Not in the worth',
            width: 260,
            grow: true,
            copied: ({ missing }: Worth) => missing.join(', '),
            cell: ({ missing }: Worth) => (
              <span className="truncate text-stale" title={missing.join('\n')}>
                {missing.join(', ')}
              </span>
            ),
          },
        ]
      : []),
  ];
}

const coinSide = ({ position: { coin, szi } }: Pick<PositionRow, 'position'>) =>
  `${coin} ${szi.startsWith('-') ? 'short' : 'long'}`;

const distanceText = (row: PositionRow) => nearestText(row.distance, isUnwatched(row)) ?? '—';

/** On a phone the wallet, the coin and the risk; elsewhere what decides something comes first, so that it fits. */
export function positionColumns(rows: readonly PositionRow[]): readonly TableColumn<PositionRow>[] {
  const plain = (
    id: string,
    title: string,
    hint: string | undefined,
    of: (row: PositionRow) => DecimalString | undefined,
    /** Shown for a missing amount: `?` if every open position has one, so that it is unknown. */
    none: '?' | '' = '',
  ): TableColumn<PositionRow> => {
    const decimals = columnDecimals(rows.flatMap((row) => of(row) ?? []));
    const text = (row: PositionRow) => {
      const amount = of(row);
      return amount === undefined ? none : aligned(amount, decimals);
    };
    return {
      id,
      title,
      ...(hint === undefined ? {} : { hint }),
      align: 'end',
      text,
      cell: (row) =>
        of(row) === undefined ? (
          none || NONE
        ) : (
          <span className="private" data-amount={of(row)}>
            {text(row)}
          </span>
        ),
    };
  };
  const usdc = (id: 'value' | 'pnl' | 'margin', title: string) =>
    usdcColumn<PositionRow>(id, title, ({ position: { [id]: value } }) =>
      value === undefined ? UNKNOWN : { value, isSigned: id === 'pnl' },
    );
  return [
    walletNameColumn(({ entry }) => entry.wallet, { width: 140, narrow: true }),
    {
      id: 'coin',
      title: 'Coin',
      width: 110,
      sortBy: ({ position }) => position.coin,
      narrow: true,
      copied: coinSide,
      cell: ({ position }) => (
        <span className={position.szi.startsWith('-') ? 'text-ask' : 'text-bid'}>{coinSide({ position })}</span>
      ),
    },
    plain('szi', 'Size', undefined, ({ position }) => position.szi),
    usdc('value', 'Value'),
    usdc('pnl', 'Unrealised'),
    {
      id: 'distance',
      title: 'Away',
      hint: 'Distance of the mark from the liquidation price; ? if the mark is not known',
      align: 'end',
      narrow: true,
      // What is not known may be the nearest.
      sortBy: (row) => (isUnwatched(row) ? -1n : unitsOf(row.distance)),
      text: distanceText,
      copied: ({ distance }) => distance && percentText(distance),
      lookOf: (row) => {
        if (row.distance === undefined) return isUnwatched(row) ? 'font-medium text-stale' : 'text-dim';
        return isNear(row.distance) ? 'font-medium text-stale' : '';
      },
    },
    plain('liquidation', 'Liquidation', 'Liquidation price, as reported', ({ position }) => position.liquidationPx),
    plain('mark', 'Mark', 'Mark price of the coin, as metaAndAssetCtxs reports it', ({ mark }) => mark, '?'),
    plain('entry', 'Entry', 'entryPx, as reported', ({ position }) => position.entryPx, '?'),
    { id: 'leverage', title: 'Leverage', width: 92, cell: ({ position }) => position.leverage },
    usdc('margin', 'Margin'),
    usdcColumn(
      'funding',
      'Funding',
      ({ position: { fundingPaid } }) =>
        fundingPaid === undefined ? UNKNOWN : { value: subtract('0', fundingPaid), isSigned: true },
      {
        hint: 'Earned, or with a minus paid, since the position was opened: cumFunding.sinceOpen with the opposite sign, in USDC',
      },
    ),
  ];
}
