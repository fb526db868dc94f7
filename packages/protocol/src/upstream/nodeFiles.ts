import { type BookChange, readArray, readChange, readObject, readString, readWhole } from '../change.ts';
import { type BookLevels, readLevels } from '../info/decode.ts';
import { type Address, type DecimalString, isAddress, isDecimalString, type Side } from '../primitives.ts';
import type { OrderStatus } from '../stream/batch.ts';
import { readStatuses } from '../stream/statuses.ts';
import { WireFormatError } from '../wire-format-error.ts';

/** The two kinds of files that a node writes: one line per block, or one line per event. */
export type NodeFiles = 'by_block' | 'streaming';

/** One side of an execution, from a node's file of fills. */
export interface NodeFill {
  readonly user: Address;
  readonly coin: string;
  readonly px: DecimalString;
  readonly sz: DecimalString;
  readonly side: Side;
  /** ms since the Unix epoch. */
  readonly time: number;
  readonly hash: string;
  /** The number that both sides share. */
  readonly tid: number;
  /** Whether this side's order was the taker. */
  readonly crossed: boolean;
  /** The order of this side. */
  readonly oid: number;
}

/** Reads events of a node's file of book diffs, all of `coin`. A missing side becomes null. Throws WireFormatError. */
export function readNodeDiffs(events: readonly unknown[], coin: string): readonly BookChange<Side | null>[] {
  return events.map((event, index) => readChange(event, coin, `events[${index}]`));
}

/** Reads a node's order statuses in the form of the stream. Throws WireFormatError. */
export function readNodeStatuses(events: readonly unknown[]): readonly OrderStatus[] {
  const statuses = events.map((event, index) => {
    const { hash: _hash, builder: _builder, order, ...status } = readObject(event, `events[${index}]`);
    return { ...status, order: namedFields(order, null, `events[${index}].order`) };
  });
  return readStatuses(statuses, 'events');
}

/** Reads both sides of a coin in a node's snapshot file, which are pairs of owner and order. Throws WireFormatError. */
export function readNodeLevels(value: unknown, coin: string): BookLevels {
  const sides = readArray(value, coin).map((side) =>
    readArray(side, coin).map((pair) => {
      const [user, order] = readArray(pair, coin);
      return namedFields(order, user, coin);
    }),
  );
  return readLevels(sides, coin, coin);
}

/** Reads an event of a node's file of fills. Throws WireFormatError. */
export function readNodeFill(event: unknown): NodeFill {
  const [user, value] = readArray(event, 'fill');
  const fill = readObject(value, 'fill');
  const { px, sz, side, crossed } = fill;
  if (!isAddress(user)) throw new WireFormatError('fill', 'must begin with a wallet address');
  if (!isDecimalString(px)) throw new WireFormatError('fill.px', 'must be a decimal string');
  if (!isDecimalString(sz)) throw new WireFormatError('fill.sz', 'must be a decimal string');
  if (side !== 'B' && side !== 'A') throw new WireFormatError('fill.side', 'must be B or A');
  if (typeof crossed !== 'boolean') throw new WireFormatError('fill.crossed', 'must be true or false');
  const coin = readString(fill.coin, 'fill.coin');
  const time = readWhole(fill.time, 'fill.time');
  return {
    user,
    coin,
    px,
    sz,
    side,
    time,
    hash: readString(fill.hash, 'fill.hash'),
    tid: readWhole(fill.tid, 'fill.tid'),
    crossed,
    oid: readWhole(fill.oid, 'fill.oid'),
  };
}

/** An order as the order-level server lists it, the owner first; fields that only a node prints are omitted. */
function namedFields(value: unknown, user: unknown, path: string): object {
  const { children: _children, origSz: _origSz, ...fields } = readObject(value, path);
  return { user, ...fields };
}
