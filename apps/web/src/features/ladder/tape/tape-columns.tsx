import { type ReactNode, useMemo } from 'react';
import type { ListedRow, TapeRow } from '../../../book-worker/panes/past.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { aligned, clockText, columnDecimals, decimalText, type TimeZone, wholeText } from '../../../ui/format.ts';
import { longest, numberWidth, useLargest } from '../../../ui/number-width.ts';
import type { TableColumn } from '../../../ui/table/table-column.ts';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';
import type { TapeResult } from './tape-rows.ts';
import { detailText, gapText, isEmptyLeaving, isTapeRow, kindText, reasonText, whyText } from './texts.ts';

/** Widths in px: of the columns (of numbers at least), of the scroll bar beside them, and of a kind and its reason side by side. */
const WIDTHS = { block: 60, what: 92, px: 88, sz: 72, user: 100 } as const;
const SCROLL_BAR = 15;
const KIND_AND_REASON = 156;
/** Where the numbers need the room, a kind is cut: its sign is left, and its first letters. */
const CUT_KIND = 52;
/** Digits of a block's number are smaller than those of other numbers. Without room, the first ones are left out. */
const BLOCK_SCALE = 11 / 12;
const SHORT_BLOCK = '…238,178'.length;

/** The columns of the tape, as wide as their longest number of this book so far, in a pane of this width. */
export function useTapeColumns(tape: TapeResult | undefined, width: number): readonly TableColumn<ListedRow>[] {
  const sizeDecimals = tape?.sizeDecimals ?? 0;
  const zone = usePreferences((state) => state.timeZone);
  const longestOf = useMemo(() => lengthsOf(tape), [tape]);
  const book = tape?.generation;
  const sz = numberWidth(useLargest(book, longestOf.sz), WIDTHS.sz);
  const px = numberWidth(useLargest(book, longestOf.px), WIDTHS.px);
  const block = numberWidth(BLOCK_SCALE * useLargest(book, longestOf.block), WIDTHS.block);
  const priceDecimals = useLargest(book, longestOf.decimals);
  return useMemo(
    () => columnsOf({ sizeDecimals, priceDecimals, zone, width, block, sz, px }),
    [sizeDecimals, priceDecimals, zone, width, block, sz, px],
  );
}

/** Lengths of the newest block's number, the longest size and the longest price as they are written; the decimals of prices. */
function lengthsOf(tape: TapeResult | undefined) {
  const changes = (tape?.rows ?? []).filter(isTapeRow);
  const decimals = columnDecimals(changes.map(({ px }) => px));
  return {
    decimals,
    block: wholeText(tape?.height ?? 0).length,
    sz: longest(changes.map(({ sz }) => decimalText(sz, tape?.sizeDecimals ?? 0))),
    px: longest(changes.map(({ px }) => `B ${aligned(px, decimals)}`)),
  };
}

interface ColumnChoice {
  readonly sizeDecimals: number;
  readonly priceDecimals: number;
  readonly zone: TimeZone;
  /** Width of the pane, px; 0 before it is laid out. */
  readonly width: number;
  /** Widths of the blocks, the sizes and the prices, px. */
  readonly block: number;
  readonly sz: number;
  readonly px: number;
}

/** A narrow pane leaves out the wallet, then shortens the blocks, and then cuts what happened, instead of scrolling sideways. */
export function columnsOf(choice: ColumnChoice): readonly TableColumn<ListedRow>[] {
  const { sizeDecimals, priceDecimals, zone, width, sz, px } = choice;
  const whole = choice.block + px + sz + SCROLL_BAR;
  const hasWallet = width === 0 || width >= whole + WIDTHS.what + WIDTHS.user;
  const isShort = !hasWallet && width < whole + WIDTHS.what;
  const block = isShort ? Math.min(choice.block, numberWidth(BLOCK_SCALE * SHORT_BLOCK, WIDTHS.block)) : choice.block;
  const rest = width - whole + choice.block - block - (hasWallet ? WIDTHS.user : 0);
  const isTight = rest < KIND_AND_REASON;
  const what = width === 0 ? WIDTHS.what : Math.max(CUT_KIND, Math.min(WIDTHS.what, rest));
  const of = (cell: (row: TapeRow) => ReactNode) => (row: ListedRow) => (isTapeRow(row) ? cell(row) : '');
  return [
    {
      id: 'block',
      title: 'block',
      hint: 'The block of the change',
      width: block,
      align: 'end',
      copied: (row) => ('gap' in row ? 'gap' : String(row.height)),
      cell: (row) =>
        'gap' in row ? (
          <span className="text-stale">gap</span>
        ) : (
          <span className="text-11 text-dim">{blockText(row, isShort)}</span>
        ),
      hintOf: (row) => (isTapeRow(row) ? clockText(row.time, zone) : undefined),
    },
    {
      id: 'what',
      title: 'what',
      hint: 'What happened to the order: * where it is concluded from the change, ↻ where it took the place of another',
      width: what,
      grow: true,
      copied: (row) =>
        isTapeRow(row) ? `${kindText(row.kind, row.inferred)} ${detailText(row)}`.trim() : gapText(row),
      cell: (row) => (isTapeRow(row) ? whatOf(row, isTight) : gapText(row)),
      lookOf: (row) => ('gap' in row ? 'text-stale' : undefined),
      hintOf: (row) => ('gap' in row ? row.gap.reason : isTapeRow(row) ? whyText(row) : undefined),
    },
    {
      id: 'px',
      title: 'price',
      hint: 'Limit price: A rests as an ask, B as a bid',
      width: px,
      align: 'end',
      copied: (row) => (isTapeRow(row) ? `${row.side} ${row.px}` : ''),
      // The letter tells the sides apart without their colour.
      cell: of(({ px, side }) => (
        <>
          <span className="text-11">{side}</span> {aligned(px, priceDecimals)}
        </>
      )),
      lookOf: (row) => (isTapeRow(row) ? (row.side === 'B' ? 'text-bid' : 'text-ask') : undefined),
    },
    {
      id: 'sz',
      title: 'size',
      hint: 'Size that was added, canceled or executed',
      width: sz,
      align: 'end',
      cell: of((row) => (isEmptyLeaving(row) ? '—' : decimalText(row.sz, sizeDecimals))),
    },
    ...(hasWallet
      ? [
          {
            id: 'user',
            title: 'wallet',
            hint: 'The owner of the order',
            width: WIDTHS.user,
            copied: (row: ListedRow) => (isTapeRow(row) ? row.user : ''),
            cell: of(({ user }) => <OwnerName user={user} hasHint={false} />),
            hintOf: (row: ListedRow) => (isTapeRow(row) ? row.user : undefined),
          },
        ]
      : []),
  ];
}

function blockText({ height }: Pick<TapeRow, 'height'>, isShort: boolean): string {
  const text = wholeText(height);
  return isShort && text.length > SHORT_BLOCK ? `…${text.slice(1 - SHORT_BLOCK)}` : text;
}

/** A reason implies that an order was canceled, so without room for both the kind is reduced to its sign. */
function whatOf(row: TapeRow, isTight: boolean): ReactNode {
  const reason = reasonText(row.reason);
  const kind = kindText(row.kind, row.inferred);
  const isAlone = isTight && reason !== '' && row.kind === 'canceled';
  const more = detailText(row);
  if (more === '') return kind;
  return (
    <>
      {isAlone ? kind.charAt(0) : kind} <span className="truncate text-dim">{more}</span>
    </>
  );
}
