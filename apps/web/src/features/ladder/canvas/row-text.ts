import type { DecimalString } from '@l4desk/protocol';
import type { LadderFrame, LadderRow } from '../../../book-worker/ladder-frame.ts';
import { decimalText, grouped, wholeText } from '../../../ui/format.ts';

/** The texts of one row, as they are drawn. */
export interface RowText {
  readonly size: string;
  /** The first character of the size that differs from an earlier frame. */
  readonly sizeChanged: number;
  /** Until when changed digits are drawn brighter, in the page's own ms. */
  readonly brightUntil: number;
  readonly count: string;
  readonly cumulative: string;
  readonly notional: string;
  /** What came and what was withdrawn lately, with a sign; empty for nothing. */
  readonly came: string;
  readonly withdrawn: string;
}

const BRIGHT_MS = 140;
/** Digits fade this much earlier if the ladder is drawn anyway: a lively book then needs no paint of its own for them. */
const EARLY_MS = 60;

/** Combines a price index and a side into one number, to find a row in the next frame. */
export const rowKey = ({ index, side }: LadderRow) => index * 2 + (side === 'A' ? 1 : 0);

/** The texts of a frame's rows by `rowKey`, after those of the previous frame. */
export function rowTexts(
  { rows, sizeDecimals }: LadderFrame,
  previous: ReadonlyMap<number, RowText>,
  now: number,
  motion: boolean,
): ReadonlyMap<number, RowText> {
  return new Map(rows.map((row) => [rowKey(row), rowText(row, sizeDecimals, previous.get(rowKey(row)), now, motion)]));
}

function rowText(row: LadderRow, decimals: number, before: RowText | undefined, now: number, motion: boolean): RowText {
  const size = decimalText(row.sz, decimals);
  const { brightUntil = 0, sizeChanged = 0 } = before ?? {};
  const isChanged = motion && before !== undefined && before.size !== size;
  return {
    size,
    sizeChanged: isChanged ? firstChange(before.size, size) : sizeChanged,
    brightUntil: isChanged ? now + BRIGHT_MS : now < brightUntil - EARLY_MS ? brightUntil : 0,
    count: wholeText(row.count),
    cumulative: decimalText(row.cumSz, decimals),
    notional: wholePart(row.notional),
    came: movedText('+', row.came, decimals),
    withdrawn: movedText('−', row.withdrawn, decimals),
  };
}

/** The first position in `after` where two right-aligned numbers differ. */
export function firstChange(before: string, after: string): number {
  const offset = before.length - after.length;
  for (let at = 0; at < after.length; at += 1) {
    if (before.charCodeAt(at + offset) !== after.charCodeAt(at)) return at;
  }
  return after.length;
}

/** A size that moved, with its column's sign; empty for zero. */
function movedText(sign: string, sz: string, decimals: number): string {
  return sz === '' || !/[1-9]/.test(sz) ? '' : `${sign}${decimalText(sz as DecimalString, decimals)}`;
}

/** The whole units of an amount, truncated, not rounded: the accessible grid has every digit. */
function wholePart(text: string): string {
  const dot = text.indexOf('.');
  return grouped(dot < 0 ? text : text.slice(0, dot));
}
