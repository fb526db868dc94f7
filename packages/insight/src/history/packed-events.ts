import { type Address, type DecimalString, extrasOf, type L4Order, type Side } from '@l4desk/protocol';
import { FLOW_KINDS, type FlowEvent, type FlowKind } from '../flow/flow-event.ts';

/** Index of a text in the table of its block. */
type TextPlace = number;

type Row = readonly [
  act: number,
  kind: number,
  inferred: 0 | 1,
  reason: TextPlace | null,
  oid: number,
  user: TextPlace,
  side: number,
  px: TextPlace,
  level: TextPlace,
  from: TextPlace,
  to: TextPlace,
  cloid: TextPlace | null,
  other: number | null,
  refill: number,
  place: readonly [ordersAhead: number, szAhead: TextPlace] | null,
  behind: number | null,
  order: OrderRow | null,
];

/** The oid and cloid are those of its change. */
type OrderRow = readonly [
  user: TextPlace | null,
  limitPx: TextPlace,
  sz: TextPlace,
  timestamp: number,
  /** What many orders share: an `OrderShape` as JSON. */
  shape: TextPlace,
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
  const places = new Map<string, TextPlace>();
  const note = (text: string): TextPlace => {
    const known = places.get(text);
    if (known !== undefined) return known;
    const place = places.size;
    places.set(text, place);
    return place;
  };
  const noteAny = (text: string | null) => (text === null ? null : note(text));
  const orderRow = (order: L4Order): OrderRow => {
    const { user, limitPx, sz, timestamp } = order;
    return [noteAny(user), note(limitPx), note(sz), timestamp, note(JSON.stringify(shapeOf(order)))];
  };
  const rows = events.map((event): Row => {
    const { act, kind, inferred, oid, side, other, refill, place, behind, order } = event;
    return [
      ACTS.indexOf(act),
      FLOW_KINDS.indexOf(kind),
      inferred ? 1 : 0,
      noteAny(event.reason),
      oid,
      note(event.user),
      SIDES.indexOf(side),
      note(event.px),
      note(event.level),
      note(event.from),
      note(event.to),
      noteAny(event.cloid),
      other,
      refill,
      place && [place.ordersAhead, note(place.szAhead)],
      behind,
      order && orderRow(order),
    ];
  });
  return JSON.stringify([[...places.keys()], rows] satisfies Packed);
}

function shapeOf(order: L4Order): OrderShape {
  const { coin, side, triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif } = order;
  const extras = extrasOf(order) ?? null;
  return [coin, side, triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif, extras];
}

/** The changes packed by `packEvents`, as new objects. */
export function unpackEvents(packed: string): readonly FlowEvent[] {
  const [texts, rows]: Packed = JSON.parse(packed);
  const text = (place: TextPlace) => texts[place] as string;
  const anyText = (place: TextPlace | null) => (place === null ? null : text(place));
  const amount = (place: TextPlace) => texts[place] as DecimalString;
  const shapes = new Map<TextPlace, OrderShape>();
  const shapeAt = (place: TextPlace): OrderShape => {
    const known = shapes.get(place);
    if (known !== undefined) return known;
    const shape: OrderShape = JSON.parse(text(place));
    shapes.set(place, shape);
    return shape;
  };
  const orderOf = (row: OrderRow, oid: number, cloid: string | null): L4Order => {
    const shape = shapeAt(row[4]);
    const order = {
      user: anyText(row[0]) as Address | null,
      coin: shape[0],
      side: shape[1],
      limitPx: amount(row[1]),
      sz: amount(row[2]),
      oid,
      timestamp: row[3],
      triggerCondition: shape[2],
      isTrigger: shape[3],
      triggerPx: shape[4],
      isPositionTpsl: shape[5],
      reduceOnly: shape[6],
      orderType: shape[7],
      tif: shape[8],
      cloid,
    };
    return shape[9] === null ? order : { ...order, ...shape[9] };
  };
  return rows.map((row): FlowEvent => {
    const oid = row[4];
    const cloid = anyText(row[11]);
    const place = row[14];
    const order = row[16];
    return {
      act: ACTS[row[0]] as FlowEvent['act'],
      kind: FLOW_KINDS[row[1]] as FlowKind,
      inferred: row[2] === 1,
      reason: anyText(row[3]),
      oid,
      user: text(row[5]) as Address,
      side: SIDES[row[6]] as Side,
      px: amount(row[7]),
      level: amount(row[8]),
      from: amount(row[9]),
      to: amount(row[10]),
      cloid,
      other: row[12],
      refill: row[13],
      place: place && { ordersAhead: place[0], szAhead: amount(place[1]) },
      behind: row[15],
      order: order && orderOf(order, oid, cloid),
    };
  });
}
