import type { DecimalString } from '@l4desk/protocol';
import type { LadderFrame, LadderRow, OwnPlace } from '../../../book-worker/ladder-frame.ts';
import { decimalText, grouped, wholeText } from '../../../ui/format.ts';

/** The texts of one row, and the first character of each that differs from the previous frame. */
export interface RowText {
  readonly sizeOf: string;
  readonly size: string;
  readonly sizeChanged: number;
  readonly cumulativeOf: string;
  readonly cumulative: string;
  readonly notionalOf: string;
  readonly notional: string;
  readonly cameOf: string;
  /** What came and what was withdrawn lately, with a sign; empty for nothing. */
  readonly came: string;
  readonly withdrawnOf: string;
  readonly withdrawn: string;
  readonly ownOf: string;
  /** The place of a watched wallet's foremost order. */
  readonly own: OwnPlace | undefined;
  readonly count: number;
  readonly countText: string;
  /** Until when changed digits are drawn brighter, in the page's own ms. */
  readonly brightUntil: number;
}

/** How long changed digits stay brighter at most. */
export const BRIGHT_MS = 140;
/** Digits fade this much earlier if the ladder is drawn anyway: a lively book then needs no paint of its own for them. */
const EARLY_MS = 60;

/** Combines a price index and a side into one number, to find a row in the next frame. */
export const rowKey = ({ index, side }: LadderRow) => index * 2 + (side === 'A' ? 1 : 0);

/** The texts of a frame's rows by `rowKey`, reused from the previous frame where nothing changed. */
export function rowTexts(
  frame: LadderFrame,
  previous: ReadonlyMap<number, RowText>,
  now: number,
  motion: boolean,
): Map<number, RowText> {
  const texts = new Map<number, RowText>();
  for (const row of frame.rows) {
    const key = rowKey(row);
    texts.set(key, rowText(row, frame.sizeDecimals, previous.get(key), now, motion));
  }
  return texts;
}

function rowText(row: LadderRow, decimals: number, before: RowText | undefined, now: number, motion: boolean): RowText {
  const {
    sz: sizeOf,
    cumSz: cumulativeOf,
    notional: notionalOf,
    came: cameOf,
    withdrawn: withdrawnOf,
    count,
    own,
  } = row;
  const ownOf = own === undefined ? '' : `${own.mark} ${own.place} ${own.orders} ${own.szAhead} ${own.more}`;
  const sameSize = before?.sizeOf === sizeOf;
  const isSame =
    before !== undefined &&
    sameSize &&
    before.cumulativeOf === cumulativeOf &&
    before.count === count &&
    before.notionalOf === notionalOf &&
    before.cameOf === cameOf &&
    before.withdrawnOf === withdrawnOf &&
    before.ownOf === ownOf;
  if (isSame) {
    const isBright = now < before.brightUntil - EARLY_MS;
    return before.brightUntil === 0 || isBright ? before : { ...before, brightUntil: 0 };
  }
  const size = sameSize ? before.size : decimalText(sizeOf, decimals);
  const changed = before !== undefined && !sameSize && motion;
  return {
    sizeOf,
    size,
    sizeChanged: changed ? firstChange(before.size, size) : (before?.sizeChanged ?? 0),
    cumulativeOf,
    cumulative: before?.cumulativeOf === cumulativeOf ? before.cumulative : decimalText(cumulativeOf, decimals),
    notionalOf,
    notional: before?.notionalOf === notionalOf ? before.notional : wholePart(notionalOf),
    cameOf,
    came: before?.cameOf === cameOf ? before.came : movedText('+', cameOf, decimals),
    withdrawnOf,
    withdrawn: before?.withdrawnOf === withdrawnOf ? before.withdrawn : movedText('−', withdrawnOf, decimals),
    ownOf,
    own,
    count,
    countText: before?.count === count ? before.countText : wholeText(count),
    brightUntil: changed ? now + BRIGHT_MS : (before?.brightUntil ?? 0),
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
