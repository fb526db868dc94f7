import { compare } from '@l4desk/decimal';
import { useMemo } from 'react';
import type { ListedRow, Print, TapeRow } from '../../../book-worker/panes/past.ts';
import { aligned, columnDecimals, counted, decimalText, grouped, padded, wholeText } from '../../../ui/format.ts';
import { useLargest } from '../../../ui/number-width.ts';
import type { TableColumn } from '../../../ui/table/table-column.ts';
import { useTime } from '../../../ui/use-time.ts';
import type { TapeResult } from './tape-rows.ts';
import { gapText } from './texts.ts';

const WIDTHS = { time: 108, side: 44, px: 84, sz: 72, took: 76 } as const;

/** Among at least this many prints, those as large as the largest twentieth are marked. */
const MARKED_FROM = 20;

type PrintRow = TapeRow & { readonly print: Print };

const isPrint = (row: ListedRow): row is PrintRow => 'print' in row;

/** The columns of the tape's prints; sizes and prices are as wide as their longest of this book so far. */
export function usePrintColumns(
  tape: TapeResult | undefined,
  rows: readonly ListedRow[],
): readonly TableColumn<ListedRow>[] {
  const sizeDecimals = tape?.sizeDecimals ?? 0;
  const { clock, moment } = useTime();
  const prints = useMemo(() => rows.filter(isPrint), [rows]);
  const large = useMemo(() => largeFrom(prints), [prints]);
  const book = tape?.generation;
  // An average has more decimals than any price: it does not make the column wider.
  const decimals = useLargest(book, columnDecimals(prints.map(({ print }) => print.from)) + 1);
  return useMemo(() => {
    const of =
      <T,>(value: (row: PrintRow) => T) =>
      (row: ListedRow) =>
        isPrint(row) ? value(row) : undefined;
    return [
      {
        id: 'time',
        title: 'time',
        width: WIDTHS.time,
        hint: 'Time of the block; a press shows the book there',
        copied: (row) => ('gap' in row ? 'gap' : clock(row.time)),
        cell: (row) =>
          'gap' in row ? <span className="text-stale">gap</span> : <span className="text-dim">{clock(row.time)}</span>,
        lookOf: () => 'num',
        hintOf: of(({ height, time }) => `Block ${wholeText(height)}, ${moment(time)}`),
      },
      {
        id: 'side',
        title: 'side',
        width: WIDTHS.side,
        hint: 'The side of the taker: a buy takes asks. The stream does not say whether one taker took it or several',
        cell: of(({ print }) => print.side),
        lookOf: of(({ print }) => (print.side === 'buy' ? 'text-bid' : 'text-ask')),
      },
      {
        id: 'px',
        title: 'price',
        width: WIDTHS.px,
        text: (row) => (isPrint(row) ? `${priceText(row.print, decimals)}*` : ''),
        align: 'end',
        hint: 'The average price of what was executed on one side in this block',
        copied: of(({ print, inferred }) => `${print.px}${inferred ? '*' : ''}`),
        cell: of(({ print, inferred }) => (
          <>
            {priceText(print, decimals)}
            <span className="inline-block w-[1ch]">{inferred ? '*' : ''}</span>
          </>
        )),
        lookOf: of(({ print }) => (print.side === 'buy' ? 'text-bid' : 'text-ask')),
        hintOf: of(({ print }) => priceHint(print)),
      },
      {
        id: 'sz',
        title: 'size',
        width: WIDTHS.sz,
        align: 'end',
        hint: '◆ marks the largest twentieth of the listed prints',
        // Every size has room for a mark.
        text: (row) => (isPrint(row) ? `◆ ${decimalText(row.sz, sizeDecimals)}` : ''),
        cell: of((row) => `${isLarge(row, large) ? '◆ ' : ''}${decimalText(row.sz, sizeDecimals)}`),
        copied: of(({ sz }) => sz),
        lookOf: of((row) => (isLarge(row, large) ? 'text-strong font-semibold' : undefined)),
        hintOf: of(({ print }) => `notional ${grouped(print.ntl)}`),
      },
      {
        id: 'took',
        title: 'took',
        width: WIDTHS.took,
        leaves: 1,
        align: 'end',
        grow: true,
        hint: 'How many resting orders were taken from, and how many wallets they belong to',
        cell: (row) => (isPrint(row) ? `${row.print.orders} · ${row.print.owners}` : gapText(row)),
        lookOf: (row) => ('gap' in row ? 'text-stale' : 'text-dim'),
        hintOf: (row) => ('gap' in row ? row.gap.reason : isPrint(row) ? tookText(row.print) : undefined),
      },
    ];
  }, [decimals, sizeDecimals, large, clock, moment]);
}

/** The price with the decimals of all prices, an average rounded down to one more: `decimals`. The tooltip has it whole. */
export function priceText({ px }: Pick<Print, 'px'>, decimals: number): string {
  const dot = px.indexOf('.');
  return aligned(padded(dot < 0 ? px : px.slice(0, dot + 1 + decimals), decimals - 1), decimals);
}

function priceHint({ px, from, to, orders, inferred }: Print): string {
  const range = from === to ? '' : `, from ${grouped(from)} to ${grouped(to)}`;
  const how = inferred === 0 ? '' : `; ${wholeText(inferred)} of ${counted(orders, 'order')} inferred from the change`;
  return `${from === to ? '' : 'average '}${grouped(px)}${range}${how}`;
}

function tookText({ orders, owners }: Print): string {
  return `${counted(orders, 'resting order')} of ${counted(owners, 'wallet')}`;
}

/** The size from which prints are marked; undefined while there are too few to compare. */
function largeFrom(prints: readonly PrintRow[]): PrintRow['sz'] | undefined {
  if (prints.length < MARKED_FROM) return undefined;
  const sizes = prints.map(({ sz }) => sz).sort((a, b) => compare(b, a));
  return sizes[Math.floor(sizes.length / 20) - 1];
}

const isLarge = ({ sz }: PrintRow, large: PrintRow['sz'] | undefined) => large !== undefined && compare(sz, large) >= 0;
