import { type Address, type DecimalString, extrasOf, type L4Order, type Side } from '@l4desk/protocol';
import { FLOW_KINDS, type FlowEvent, type FlowKind } from '../flow/flow-event.ts';

/** Index of a text in the table of its block. */
type TextIndex = number;

type Row = readonly [
  act: number,
  kind: number,
  inferred: 0 | 1,
  reason: TextIndex | null,
  oid: number,
  user: TextIndex,
  side: number,
  px: TextIndex,
  level: TextIndex,
  from: TextIndex,
  to: TextIndex,
  cloid: TextIndex | null,
  other: number | null,
  refill: number,
  place: readonly [ordersAhead: number, szAhead: TextIndex] | null,
  behind: number | null,
  order: OrderRow | null,
];

/** Without oid and cloid, which are those of its change. */
type OrderRow = readonly [
  user: TextIndex | null,
  limitPx: TextIndex,
  sz: TextIndex,
  timestamp: number,
  /** What many orders share: an `OrderShape` as JSON. */
  shape: TextIndex,
];

type OrderShape = readonly [
  coin: string,
  side: Side,
  triggerCondition: string,
  isTrigger: boolean,
  triggerPx: DecimalString,
  isPositionTpsl: boolean,
  reduceOnly: boolean,
  orderType: string,
  tif: string | null,
  /** Fields that the specification does not name. */
  extras: Readonly<Record<string, unknown>> | null,
];

type Packed = readonly [texts: readonly string[], rows: readonly Row[]];

const ACTS = ['insert', 'resize', 'remove'] as const satisfies readonly FlowEvent['act'][];
const SIDES = ['B', 'A'] as const satisfies readonly Side[];

/**
 * The changes of a block as one string. Minutes of changes are millions of objects, and each garbage collection visits every one
 * of them; it visits nothing inside a string.
 */
export function packEvents(events: readonly FlowEvent[]): string {
  const indexes = new Map<string, TextIndex>();
  const indexOf = (text: string): TextIndex => {
    const known = indexes.get(text);
    if (known !== undefined) return known;
    const index = indexes.size;
    indexes.set(text, index);
    return index;
  };
  const indexOrNull = (text: string | null) => (text === null ? null : indexOf(text));
  const orderRow = (order: L4Order): OrderRow => {
    const { user, limitPx, sz, timestamp } = order;
    return [indexOrNull(user), indexOf(limitPx), indexOf(sz), timestamp, indexOf(JSON.stringify(shapeOf(order)))];
  };
  const rows = events.map((event): Row => {
    const { act, kind, inferred, oid, side, other, refill, place, behind, order } = event;
    return [
      ACTS.indexOf(act),
      FLOW_KINDS.indexOf(kind),
      inferred ? 1 : 0,
      indexOrNull(event.reason),
      oid,
      indexOf(event.user),
      SIDES.indexOf(side),
      indexOf(event.px),
      indexOf(event.level),
      indexOf(event.from),
      indexOf(event.to),
      indexOrNull(event.cloid),
      other,
      refill,
      place && [place.ordersAhead, indexOf(place.szAhead)],
      behind,
      order && orderRow(order),
    ];
  });
  return JSON.stringify([[...indexes.keys()], rows] satisfies Packed);
}

function shapeOf(order: L4Order): OrderShape {
  const { coin, side, triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif } = order;
  const extras = extrasOf(order) ?? null;
  return [coin, side, triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif, extras];
}

/** The changes packed by `packEvents`, as new objects. */
export function unpackEvents(packed: string): readonly FlowEvent[] {
  const [texts, rows]: Packed = JSON.parse(packed);
  const text = (index: TextIndex) => texts[index] as string;
  const textOrNull = (index: TextIndex | null) => (index === null ? null : text(index));
  const amount = (index: TextIndex) => texts[index] as DecimalString;
  const shapes = new Map<TextIndex, OrderShape>();
  const shapeAt = (index: TextIndex): OrderShape => {
    const known = shapes.get(index);
    if (known !== undefined) return known;
    const shape: OrderShape = JSON.parse(text(index));
    shapes.set(index, shape);
    return shape;
  };
  const orderOf = (
    [user, limitPx, sz, timestamp, shapeIndex]: OrderRow,
    oid: number,
    cloid: string | null,
  ): L4Order => {
    const [coin, side, triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif, extras] =
      shapeAt(shapeIndex);
    const order = {
      user: textOrNull(user) as Address | null,
      coin,
      side,
      limitPx: amount(limitPx),
      sz: amount(sz),
      oid,
      timestamp,
      triggerCondition,
      isTrigger,
      triggerPx,
      isPositionTpsl,
      reduceOnly,
      orderType,
      tif,
      cloid,
    };
    return extras === null ? order : { ...order, ...extras };
  };
  return rows.map((row): FlowEvent => {
    const [
      act,
      kind,
      inferred,
      reason,
      oid,
      user,
      side,
      px,
      level,
      from,
      to,
      cloidIndex,
      other,
      refill,
      place,
      behind,
      order,
    ] = row;
    const cloid = textOrNull(cloidIndex);
    return {
      act: ACTS[act] as FlowEvent['act'],
      kind: FLOW_KINDS[kind] as FlowKind,
      inferred: inferred === 1,
      reason: textOrNull(reason),
      oid,
      user: text(user) as Address,
      side: SIDES[side] as Side,
      px: amount(px),
      level: amount(level),
      from: amount(from),
      to: amount(to),
      cloid,
      other,
      refill,
      place: place && { ordersAhead: place[0], szAhead: amount(place[1]) },
      behind,
      order: order && orderOf(order, oid, cloid),
    };
  });
}
