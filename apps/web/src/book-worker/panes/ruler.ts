import type { L4Book } from '@l4desk/book';
import { formatUnits } from '@l4desk/decimal';
import type { DecimalString, Side } from '@l4desk/protocol';
import { PX_SCALE, priceUnits } from '../worker/price-units.ts';
import type { PaneComputer } from '../worker/shown.ts';

/** The rows from one price of the ladder to another, both included. */
export interface RulerParams {
  readonly tick: DecimalString;
  readonly low: DecimalString;
  readonly high: DecimalString;
}

export interface RulerSide {
  readonly orders: number;
  readonly sz: DecimalString;
  readonly notional: DecimalString;
}

export interface RulerData {
  readonly bids: RulerSide;
  readonly asks: RulerSide;
}

export const ruler: PaneComputer<RulerParams, RulerData> = {
  open:
    () =>
    ({ book }, rows) => ({ bids: restingIn(book, 'B', rows), asks: restingIn(book, 'A', rows) }),
};

/** A row contains prices from its own up to the next row's: a bid's price rounds down to its row, an ask's up. */
function restingIn(book: L4Book, side: Side, { tick, low, high }: RulerParams): RulerSide {
  const [lowest, highest, step] = [priceUnits(low), priceUnits(high), priceUnits(tick)];
  const [from, to] = side === 'B' ? [lowest, highest + step - 1n] : [lowest - step + 1n, highest];
  const cursor = book.cursor(side);
  const factor = 10n ** BigInt(PX_SCALE - cursor.pxScale);
  let orders = 0;
  let sz = 0n;
  let notional = 0n;
  while (cursor.nextLevel()) {
    const px = BigInt(cursor.px);
    const at = px * factor;
    if (side === 'B' ? at < from : at > to) break;
    if (at < from || at > to) continue;
    const size = BigInt(cursor.levelSz);
    orders += cursor.levelOrders;
    sz += size;
    notional += px * size;
  }
  return {
    orders,
    sz: formatUnits(sz, cursor.szScale),
    notional: formatUnits(notional, cursor.pxScale + cursor.szScale),
  };
}
