import type { DecimalString } from '@l4desk/protocol';
import { ageText, aligned, grouped } from '../../ui/format.ts';
import { measuredAmounts } from '../../ui/number-width.ts';
import { CHOSEN, type TableColumn } from '../../ui/table/table-column.ts';
import type { TimeTexts } from '../../ui/use-time.ts';
import { usdcText } from '../../wallets/value/usdc.tsx';
import { OwnerName } from '../../wallets/wallet-mark.tsx';
import { known, Leg, NoFills, None, OutcomeCell, Side, TriggerMark, yesNo } from './cells.tsx';
import { legRows, type OrderRow } from './order-rows.ts';
import { type OrderTable, valueOf } from './order-table.ts';
import { STATUS_REASONS, shareText } from './outcome.ts';
import { copiedPlace, PlaceCell } from './place-cell.tsx';
import { flagOf, textOf } from './reported-order.ts';
import { rowOutcome } from './row-outcome.ts';
import { type Fills, feeText, type OrderFills, type RowFills } from './use-fills.ts';

interface ColumnTexts {
  readonly coinText: (coin: string) => string;
  readonly time: TimeTexts;
  readonly table: OrderTable;
  /** The executions of a row; undefined if they are not shown. */
  readonly fillsOf?: Fills['fillsOf'];
  /** Whether one of the calls reports a status. */
  readonly hasStatus: boolean;
  /** Whether the screen is too narrow to align the decimal points of coins of all magnitudes. */
  readonly isNarrow: boolean;
}

type Column = TableColumn<OrderRow>;

/**
 * The width of the window, in px, from which a column is shown unless the user hides it: with open orders, with these and their
 * fills, with a history, and with that and its fills. Columns of fills take the room of others. Columns that are not listed are
 * always shown.
 */
const SHOWN_FROM: Readonly<Record<string, readonly number[]>> = {
  value: [CHOSEN, CHOSEN, 0, 2400],
  sz: [1920, 1920, 1920, 1920],
  left: [0, 0, CHOSEN, CHOSEN],
  filledValue: [1920, 1920, 0, 0],
  share: [1920, 2400, 1920, 2400],
  status: [CHOSEN, CHOSEN, 0, 1920],
  type: [1920, 2400, 1920, 2400],
  tif: [1920, 2400, 2400, CHOSEN],
  condition: [2400, CHOSEN, 2400, CHOSEN],
  ro: [1920, 2400, 2400, CHOSEN],
  tpsl: [2400, CHOSEN, CHOSEN, CHOSEN],
  legs: [CHOSEN, CHOSEN, CHOSEN, CHOSEN],
  placed: [0, 1920, 0, 0],
  updated: [CHOSEN, CHOSEN, 2400, CHOSEN],
  lived: [CHOSEN, CHOSEN, 1920, 2400],
  entry: [CHOSEN, CHOSEN, CHOSEN, CHOSEN],
  oid: [0, 2400, 0, 1920],
  cloid: [2400, CHOSEN, CHOSEN, CHOSEN],
  call: [CHOSEN, CHOSEN, CHOSEN, CHOSEN],
};

/** An amount of the quote token in hundredths, as long as most are; copied, and as a tooltip, exactly. */
const value = (of: (row: OrderRow) => DecimalString | undefined) => ({
  width: 112,
  align: 'end' as const,
  hasSecrets: true,
  copied: of,
  hintOf: (row: OrderRow) => grouped(of(row) ?? ''),
  cell: (row: OrderRow) => {
    const exact = of(row);
    return known(exact && usdcText({ value: exact }), 'No price or no size of its own is reported');
  },
});

export function orderColumns({ coinText, time, table, fillsOf, hasStatus, isNarrow }: ColumnTexts): readonly Column[] {
  const isUtc = time.zone === 'utc';
  const amount = (id: 'limitPx' | 'sz' | 'origSz') => {
    const { decimals, width } = measuredAmounts(table.rows.flatMap(({ order }) => order[id] ?? []));
    return {
      id,
      width,
      align: 'end',
      sortable: true,
      copied: ({ order }: OrderRow) => order[id],
      cell: ({ order: { [id]: text } }: OrderRow) =>
        text === undefined ? <None what="Not reported" /> : isNarrow ? grouped(text) : aligned(text, decimals),
    } as const;
  };
  const size = (id: 'sz' | 'origSz') => ({ ...amount(id), hasSecrets: true });
  const moment = (id: string, title: string, hint: string, momentOf: (row: OrderRow) => number | undefined) => ({
    id,
    title: `${title}${isUtc ? ' (UTC)' : ''}`,
    hint,
    width: isUtc ? 186 : 236,
    align: 'end' as const,
    sortable: true,
    cell: (row: OrderRow) => {
      const at = momentOf(row);
      if (at === undefined) return <None what="No time reported" />;
      // The local offset changes with the season, so every moment shows its own.
      return isUtc ? `${time.day(at)} ${time.clock(at)}` : time.moment(at);
    },
  });
  const areFilled = fillsOf !== undefined;
  const columns: readonly Column[] = [
    {
      id: 'coin',
      title: 'Coin',
      width: isNarrow ? 114 : 160,
      // What a phone has left goes to the names: a pair with its number takes most of it.
      grow: isNarrow,
      fixed: true,
      sortable: true,
      widest: 176,
      copied: ({ order }) => order.coin,
      cell: ({ order }) => (
        <>
          <strong
            className={`truncate font-medium text-strong ${isNarrow ? 'text-11' : ''}`}
            title={coinText(order.coin)}
          >
            {coinText(order.coin)}
          </strong>{' '}
          {(hasStatus || !isNarrow) && flagOf(order, 'isTrigger') === true && (
            <TriggerMark type={textOf(order, 'orderType')} />
          )}
        </>
      ),
    },
    {
      id: 'side',
      title: 'Side',
      width: 58,
      sortable: true,
      copied: ({ order }) => order.side,
      cell: ({ order }) => <Side side={order.side} isShort />,
    },
    {
      ...amount('limitPx'),
      title: 'Limit price',
      hint: 'limitPx, as reported',
      // A narrow row has no room for a column of the side.
      ...(isNarrow && {
        width: 90,
        cell: ({ order }) => (
          <>
            <Side side={order.side} isShort /> {known(order.limitPx && grouped(order.limitPx), 'Not reported')}
          </>
        ),
      }),
      narrow: true,
    },
    {
      ...size('origSz'),
      title: 'Size',
      hint: 'origSz: the size before any fill, in base units',
      ...(isNarrow && { width: 82 }),
      narrow: true,
    },
    {
      id: 'value',
      title: 'Value',
      hint: 'limitPx × origSz, in units of the quote token; exact in the tooltips',
      ...value(({ order }) => valueOf(order, 'origSz')),
      sortable: true,
    },
    {
      ...size('sz'),
      title: 'Remaining',
      hint: 'sz: the remaining size when this was reported, in base units',
    },
    {
      id: 'left',
      title: 'Remaining value',
      hint: 'limitPx × sz, in units of the quote token; exact in the tooltips',
      ...value(({ order }) => valueOf(order, 'sz')),
      width: 124,
      sortable: true,
    },
    ...(hasStatus ? [] : [placeColumn(isNarrow)]),
    ...(fillsOf === undefined ? [] : fillColumns(fillsOf)),
    {
      id: 'share',
      title: 'Decrease',
      hint: 'Share of the size that no longer rests: (origSz − sz) / origSz',
      width: 72,
      align: 'end',
      sortable: true,
      cell: ({ order }) => known(shareText(order.sz, order.origSz) || undefined, 'Not known from the sizes'),
    },
    {
      id: 'status',
      title: 'Status',
      hint: 'As reported; only the history includes a status',
      width: isNarrow ? 94 : 180,
      widest: isNarrow ? 150 : 316,
      sortable: true,
      narrow: true,
      hintOf: ({ entry: { status } }) => status && [status, STATUS_REASONS[status] ?? []].flat().join(': '),
      lookOf: () => `num ${isNarrow ? 'text-11' : 'text-12'} text-strong`,
      cell: ({ entry }) => known(entry.status, 'This call reports no status'),
    },
    {
      id: 'outcome',
      title: 'Outcome',
      hint: 'Derived from the status and the two sizes, and from fills that are newer',
      width: hasStatus && !areFilled ? 248 : 188,
      sortable: true,
      grow: true,
      copied: (row) => (row.parent === undefined ? rowOutcome(row, fillsOf?.(row)) : ''),
      cell: (row) =>
        row.parent === undefined ? <OutcomeCell row={row} fills={fillsOf?.(row)} /> : <Leg of={row.parent} />,
    },
    {
      id: 'type',
      title: 'Type',
      width: 140,
      sortable: true,
      cell: ({ order }) => known(textOf(order, 'orderType')),
    },
    {
      id: 'tif',
      title: 'TIF',
      hint: 'Time in force',
      width: hasStatus ? 124 : 64,
      sortable: true,
      cell: ({ order }) => known(textOf(order, 'tif'), order.tif === null ? 'null: none' : undefined),
    },
    {
      id: 'condition',
      title: 'Trigger',
      hint: 'triggerCondition',
      width: 144,
      cell: ({ order }) => {
        const condition = textOf(order, 'triggerCondition');
        return condition === 'N/A' ? <None what="N/A: no trigger" /> : known(condition);
      },
    },
    {
      id: 'ro',
      title: 'Reduce',
      hint: 'reduceOnly',
      width: 70,
      sortable: true,
      cell: ({ order }) => yesNo(flagOf(order, 'reduceOnly'), 'reduce'),
    },
    {
      id: 'tpsl',
      title: 'TP/SL',
      hint: 'isPositionTpsl: take-profit or stop-loss of a whole position',
      width: 66,
      sortable: true,
      cell: ({ order }) => yesNo(flagOf(order, 'isPositionTpsl'), 'TP/SL'),
    },
    {
      id: 'legs',
      title: 'Legs',
      hint: 'children: orders placed with this one',
      width: 52,
      align: 'end',
      cell: (row) => String(legRows(row).length || ''),
    },
    {
      id: 'wallet',
      title: 'Wallet',
      width: 112,
      sortable: true,
      copied: ({ address }) => address,
      cell: ({ address }) => <OwnerName user={address} />,
    },
    {
      ...moment('placed', 'Placed', 'timestamp', ({ order }) => order.timestamp),
    },
    {
      ...moment('updated', 'Status since', 'statusTimestamp', ({ entry }) => entry.statusTimestamp),
    },
    {
      id: 'lived',
      title: 'After',
      hint: 'Time from placement to this status',
      width: 86,
      align: 'end',
      sortable: true,
      cell: ({ order: { timestamp }, entry: { statusTimestamp } }) =>
        statusTimestamp === undefined || timestamp === undefined ? (
          <None what="No time reported" />
        ) : (
          ageText(statusTimestamp - timestamp)
        ),
    },
    {
      id: 'entry',
      title: 'Entry',
      hint: 'Position among the entries for the same order, earliest first',
      width: 58,
      align: 'end',
      cell: (row) => {
        const entries = row.parent === undefined ? table.entries(row) : [];
        return entries.length < 2 ? '' : `${entries.indexOf(row) + 1}/${entries.length}`;
      },
    },
    {
      id: 'oid',
      title: 'oid',
      width: 108,
      align: 'end',
      sortable: true,
      cell: ({ order }) => String(order.oid),
    },
    {
      id: 'cloid',
      title: 'cloid',
      width: 280,
      lookOf: () => 'num text-12',
      cell: ({ order }) => known(textOf(order, 'cloid'), order.cloid === null ? 'null: none given' : 'Not reported'),
    },
    {
      id: 'call',
      title: 'From call',
      hint: 'Which call reported this row',
      width: 150,
      lookOf: () => 'num text-12',
      hintOf: callText,
      cell: callText,
    },
  ];
  const view = (hasStatus ? 2 : 0) + (areFilled ? 1 : 0);
  return columns.map((column) => ({ ...column, shownFrom: SHOWN_FROM[column.id]?.[view] ?? 0 }));
}

const callText = ({ call, dex }: OrderRow) => `${call} ${dex}`.trim();

function fillColumns(fillsOf: (row: OrderRow) => RowFills): readonly Column[] {
  type TextOf = (fills: OrderFills) => string | undefined;
  const column = (
    id: string,
    title: string,
    hint: string,
    copiedOf: TextOf,
    shownOf: TextOf = (fills) => grouped(copiedOf(fills) ?? ''),
  ) => {
    const of = (row: OrderRow, textOf: TextOf) => {
      const found = fillsOf(row);
      return found.kind === 'filled' ? textOf(found.fills) : undefined;
    };
    return {
      id,
      title,
      hint,
      width: id === 'fee' ? 116 : 104,
      align: 'end' as const,
      copied: (row: OrderRow) => of(row, copiedOf),
      text: (row: OrderRow) => of(row, shownOf) ?? '',
      cell: (row: OrderRow) => {
        const found = fillsOf(row);
        return found.kind === 'filled' ? known(shownOf(found.fills)) : <NoFills found={found} />;
      },
    };
  };
  const average = 'Of its fills by size, to two more decimals than their prices have';
  return [
    { ...column('filled', 'Filled', 'Sum of its fills, in base units', ({ sz }) => sz), hasSecrets: true },
    {
      id: 'filledValue',
      title: 'Filled value',
      hint: 'Sum of price × size of its fills, in units of the quote token; exact in the tooltips',
      ...value((row) => {
        const found = fillsOf(row);
        return found.kind === 'filled' ? found.fills.value : undefined;
      }),
      cell: (row) => {
        const found = fillsOf(row);
        return found.kind === 'filled' ? usdcText({ value: found.fills.value }) : <NoFills found={found} />;
      },
    },
    column('avgPx', 'Average price', average, ({ avgPx }) => avgPx),
    {
      ...column('fee', 'Fees', 'Sum of the fees of its fills; − is a rebate', feeText, shownFees),
      hasSecrets: true,
    },
  ];
}

/** The numbers grouped, and not the names of the tokens, which may have digits. */
const shownFees = ({ fees }: OrderFills) =>
  fees?.map(([token, amount]) => `${grouped(amount).replace('-', '−')} ${token}`).join(', ');

/** Its place in the queue; on a narrow screen without the size in front of it, and a trigger, which has no place, as such. */
function placeColumn(isNarrow: boolean): Column {
  return {
    id: 'place',
    ...(isNarrow
      ? { title: 'Place', hint: 'Its place among the orders of its price, of the last block', width: 74, narrow: true }
      : {
          title: 'Place in the queue',
          hint: 'Its place among the orders of its price, and the size in front of it, of the last block',
          width: 200,
        }),
    align: 'end',
    copied: ({ order, parent }) => (parent === undefined ? copiedPlace(order) : ''),
    cell: ({ order, parent }) => {
      if (isNarrow && flagOf(order, 'isTrigger') === true) return <TriggerMark type={textOf(order, 'orderType')} />;
      return parent === undefined ? <PlaceCell order={order} isShort={isNarrow} /> : '';
    },
  };
}
