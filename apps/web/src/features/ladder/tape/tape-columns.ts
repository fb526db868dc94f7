import type { Address } from '@l4desk/protocol';
import { useMemo } from 'react';
import type { ListedRow, TapeRow } from '../../../book-worker/panes/past.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { onceAFrame, type SlowFrames, useSlowValue } from '../../../book-worker/use-slow-pane.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { aligned, clockText, columnDecimals, decimalText, type TimeZone, wholeText } from '../../../ui/format.ts';
import { type CellPart, type LiveColumn, numberPart, wordsPart } from '../../../ui/live-grid/live-column.ts';
import { longest, numberWidth, useLargest } from '../../../ui/number-width.ts';
import { useOwnerParts } from '../../../wallets/owner-parts.ts';
import { detailText, isEmptyLeaving, kindText, reasonText, unseenText, whyText } from './texts.ts';

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
export function useTapeColumns(frames: SlowFrames, width: number): readonly LiveColumn<ListedRow>[] {
  const sizeDecimals = useSlowValue(frames, (frame) => frame.sizeDecimals) ?? 0;
  const zone = usePreferences((state) => state.timeZone);
  const ownerOf = useOwnerParts();
  // Not the coin: the last frame of another one is still there when the page has this one.
  const book = useSlowValue(frames, ({ generation }) => generation);
  const sz = numberWidth(useLargest(book, useSlowValue(frames, sizeLength) ?? 0), WIDTHS.sz);
  const px = numberWidth(useLargest(book, useSlowValue(frames, priceLength) ?? 0), WIDTHS.px);
  const block = numberWidth(BLOCK_SCALE * useLargest(book, useSlowValue(frames, heightLength) ?? 0), WIDTHS.block);
  const priceDecimals = useLargest(book, useSlowValue(frames, decimalsOfPrices) ?? 0);
  return useMemo(
    () => columnsOf({ sizeDecimals, priceDecimals, zone, width, ownerOf, block, sz, px }),
    [sizeDecimals, priceDecimals, zone, width, ownerOf, block, sz, px],
  );
}

const changesOf = ({ tape }: PanesFrame) => (tape?.rows ?? []).flatMap((row) => ('gap' in row ? [] : [row]));

/** The decimals of the prices, by which they are aligned. */
const decimalsOfPrices = onceAFrame((frame) => columnDecimals(changesOf(frame).map(({ px }) => px)));

/** Lengths of the newest block's number, the longest size and the longest price, each as it is written. */
const heightLength = ({ tape }: PanesFrame) => wholeText(tape?.height ?? 0).length;
const sizeLength = onceAFrame((frame) =>
  longest(changesOf(frame).map(({ sz }) => decimalText(sz, frame.sizeDecimals))),
);
const priceLength = onceAFrame((frame) =>
  longest(changesOf(frame).map(({ px }) => `B ${aligned(px, decimalsOfPrices(frame))}`)),
);

interface ColumnChoice {
  readonly sizeDecimals: number;
  readonly priceDecimals: number;
  readonly zone: TimeZone;
  /** Width of the pane, px; 0 before it is laid out. */
  readonly width: number;
  readonly ownerOf: (user: Address | null) => readonly CellPart[];
  /** Widths of the blocks, the sizes and the prices, px. */
  readonly block: number;
  readonly sz: number;
  readonly px: number;
}

/** A narrow pane leaves out the wallet, then shortens the blocks, and then cuts what happened, instead of scrolling sideways. */
export function columnsOf(choice: ColumnChoice): readonly LiveColumn<ListedRow>[] {
  const { sizeDecimals, priceDecimals, zone, width, ownerOf, sz, px } = choice;
  const whole = choice.block + px + sz + SCROLL_BAR;
  const hasWallet = width === 0 || width >= whole + WIDTHS.what + WIDTHS.user;
  const isShort = !hasWallet && width < whole + WIDTHS.what;
  const block = isShort ? Math.min(choice.block, numberWidth(BLOCK_SCALE * SHORT_BLOCK, WIDTHS.block)) : choice.block;
  const rest = width - whole + choice.block - block - (hasWallet ? WIDTHS.user : 0);
  const isTight = rest < KIND_AND_REASON;
  const what = width === 0 ? WIDTHS.what : Math.max(CUT_KIND, Math.min(WIDTHS.what, rest));
  const of = (parts: (row: TapeRow) => readonly CellPart[]) => (row: ListedRow) => ('gap' in row ? [] : parts(row));
  return [
    {
      id: 'block',
      title: 'block',
      width: block,
      align: 'end',
      parts: (row) => ['gap' in row ? numberPart('gap', 'stale') : numberPart(blockText(row, isShort), 'text-dim', 11)],
      hintOf: (row) => ('gap' in row ? undefined : clockText(row.time, zone)),
    },
    {
      id: 'what',
      title: 'what',
      width: what,
      grow: true,
      parts: (row) => ('gap' in row ? [wordsPart(unseenText(row.gap), 'stale')] : whatOf(row, isTight)),
      hintOf: (row) => ('gap' in row ? row.gap.reason : whyText(row)),
    },
    {
      id: 'px',
      title: 'price',
      width: px,
      align: 'end',
      // The letter tells the sides apart without their colour.
      parts: of(({ px, side }) => {
        const tone = side === 'B' ? 'bid' : 'ask';
        return [numberPart(side, tone, 11), numberPart(aligned(px, priceDecimals), tone)];
      }),
    },
    {
      id: 'sz',
      title: 'size',
      width: sz,
      align: 'end',
      parts: of((row) => [numberPart(isEmptyLeaving(row) ? '—' : decimalText(row.sz, sizeDecimals))]),
    },
    ...(hasWallet
      ? [
          {
            id: 'user',
            title: 'wallet',
            width: WIDTHS.user,
            parts: of(({ user }) => ownerOf(user)),
            hintOf: (row: ListedRow) => ('gap' in row ? undefined : (row.user ?? undefined)),
          },
        ]
      : []),
  ];
}

function blockText({ height }: TapeRow, isShort: boolean): string {
  const text = wholeText(height);
  return isShort && text.length > SHORT_BLOCK ? `…${text.slice(1 - SHORT_BLOCK)}` : text;
}

/** A reason implies that an order was cancelled, so without room for both the kind is reduced to its sign. */
function whatOf(row: TapeRow, isTight: boolean): readonly CellPart[] {
  const reason = reasonText(row.reason);
  const kind = kindText(row.kind, row.inferred);
  const isAlone = isTight && reason !== '' && row.kind === 'cancelled';
  const more = detailText(row);
  if (more === '') return [wordsPart(kind)];
  return [wordsPart(isAlone ? kind.charAt(0) : kind), wordsPart(more, 'text-dim')];
}
