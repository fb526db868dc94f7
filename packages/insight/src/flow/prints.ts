import { add, compare, decimalsOf, multiply, parseBigUnits } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { isZero, significantQuotient } from '../amounts.ts';
import type { TakerSide } from '../sweep.ts';
import { type FlowEvent, movedSize } from './flow-event.ts';

const AVERAGE_DIGITS = 10;

/**
 * Everything that was executed on one side of the book in one block. The stream does not say whether one taker took it or
 * several.
 */
export interface Print {
  /** The side of the taker: `buy` took asks. */
  readonly side: TakerSide;
  /** Exact sums of size, and of price times size. */
  readonly sz: DecimalString;
  readonly ntl: DecimalString;
  /** The price as printed if there is only one, otherwise the average: 10 significant digits, rounded half up. */
  readonly px: DecimalString;
  /** The first and the last price that was traded, as printed. */
  readonly from: DecimalString;
  readonly to: DecimalString;
  /** Resting orders that were taken from, and the wallets they belong to. */
  readonly orders: number;
  readonly owners: number;
  /** How many of these orders have an execution that was concluded from the change. */
  readonly inferred: number;
}

/** The prints of one block, in the order of their first execution: at most one for each side. */
export function printsOf(events: readonly FlowEvent[]): readonly Print[] {
  const sides = new Map<FlowEvent['side'], FlowEvent[]>();
  for (const event of events) {
    // The row of an order's leaving has no size: its executions have it.
    if (event.kind !== 'executed' || isZero(movedSize(event))) continue;
    const own = sides.get(event.side);
    if (own === undefined) sides.set(event.side, [event]);
    else own.push(event);
  }
  return [...sides.values()].map(printOf);
}

function printOf(events: readonly FlowEvent[]): Print {
  const [first] = events as [FlowEvent];
  const last = events.at(-1) ?? first;
  let sz: DecimalString = '0';
  let ntl: DecimalString = '0';
  for (const event of events) {
    const size = movedSize(event);
    sz = add(sz, size);
    ntl = add(ntl, multiply(event.px, size));
  }
  const isOnePrice = events.every(({ level }) => compare(level, first.level) === 0);
  return {
    side: first.side === 'A' ? 'buy' : 'sell',
    sz,
    ntl,
    px: isOnePrice ? first.px : average(ntl, sz),
    from: first.px,
    to: last.px,
    orders: new Set(events.map(({ oid }) => oid)).size,
    owners: new Set(events.map(({ user }) => user)).size,
    inferred: new Set(events.filter(({ inferred }) => inferred).map(({ oid }) => oid)).size,
  };
}

function average(ntl: DecimalString, sz: DecimalString): DecimalString {
  const scale = Math.max(decimalsOf(ntl), decimalsOf(sz));
  return significantQuotient(parseBigUnits(ntl, scale) as bigint, parseBigUnits(sz, scale) as bigint, AVERAGE_DIGITS);
}
