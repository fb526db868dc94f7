import type { Side } from '@l4desk/protocol';
import { CELL } from './paint-row.ts';
import type { RowText } from './row-text.ts';

/** A row as it was last drawn: equal rows are not drawn again. */
export interface DrawnRow {
  readonly index: number | undefined;
  readonly side: Side;
  readonly text: RowText | undefined;
  readonly bright: boolean;
  readonly depth: number;
  readonly lane: number;
  readonly best: boolean;
  readonly isBestAsk: boolean;
  readonly isBestBid: boolean;
  readonly hovered: boolean;
  readonly selected: boolean;
  readonly active: boolean;
  readonly crossed: boolean;
  readonly banded: boolean;
  /** The place in its lane that is pointed at. */
  readonly place: number | undefined;
}

/** The cells of a row that have to be drawn again. */
export function changedCells(before: DrawnRow | undefined, next: DrawnRow): number {
  if (
    before === undefined ||
    before.index !== next.index ||
    before.side !== next.side ||
    before.best !== next.best ||
    before.isBestAsk !== next.isBestAsk ||
    before.isBestBid !== next.isBestBid ||
    before.hovered !== next.hovered ||
    before.selected !== next.selected ||
    before.active !== next.active ||
    before.crossed !== next.crossed ||
    before.banded !== next.banded
  ) {
    return CELL.all;
  }
  if ((before.text === undefined || next.text === undefined) && before.text !== next.text) return CELL.all;
  if (next.text === undefined) return before.depth === next.depth ? 0 : CELL.all;
  const isSame = before.text === next.text && before.depth === next.depth;
  const isSameLane = before.lane === next.lane && before.place === next.place;
  if (isSame && before.bright === next.bright && isSameLane) return 0;
  // If the depth ends elsewhere, the background of every number is drawn again.
  const ground =
    before.depth === next.depth
      ? 0
      : CELL.size | CELL.count | CELL.cumulative | CELL.notional | CELL.came | CELL.withdrawn;
  return (
    ground |
    (before.text?.size === next.text.size && before.bright === next.bright ? 0 : CELL.size) |
    (before.text?.count === next.text.count ? 0 : CELL.count) |
    (before.text?.cumulative === next.text.cumulative ? 0 : CELL.cumulative) |
    (before.text?.notional === next.text.notional ? 0 : CELL.notional) |
    (before.text?.came === next.text.came ? 0 : CELL.came) |
    (before.text?.withdrawn === next.text.withdrawn ? 0 : CELL.withdrawn) |
    (isSameLane && before.text?.ownOf === next.text.ownOf ? 0 : CELL.lane)
  );
}
