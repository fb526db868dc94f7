import { readArray, readObject, readString, readWhole } from '../change.ts';
import type { L4Order } from '../order.ts';
import { isAddress, isDecimalString, type Side } from '../primitives.ts';
import { detailProblem, type FieldProblem } from '../stream/statuses.ts';
import { WireFormatError } from '../wire-format-error.ts';

/** Both sides of a book as on the wire: bids, then asks, best first, in queue order at a price. */
export type BookLevels = readonly [bids: readonly L4Order[], asks: readonly L4Order[]];

/** Reads a snapshot's two sides (§2.6): checks everything that the book relies on, and copies no order. */
export function readLevels(value: unknown, coin: string, path: string): BookLevels {
  const sides = readArray(value, path);
  if (sides.length !== 2) throw new WireFormatError(path, 'must contain exactly two sides');
  return [readSide(sides[0], coin, 'B', `${path}[0]`), readSide(sides[1], coin, 'A', `${path}[1]`)];
}

function readSide(value: unknown, coin: string, side: Side, path: string): readonly L4Order[] {
  const orders = readArray(value, path);
  for (let index = 0; index < orders.length; index += 1) {
    const problem = orderProblem(orders[index], coin, side);
    if (problem !== undefined) throw new WireFormatError(`${path}[${index}].${problem[0]}`, problem[1]);
  }
  return orders as readonly L4Order[];
}

function orderProblem(value: unknown, coin: string, side: Side): FieldProblem | undefined {
  if (typeof value !== 'object' || value === null) return ['', 'must be an object'];
  const order = value as Record<string, unknown>;
  if (!isAddress(order.user)) return ['user', 'must be a wallet address'];
  if (order.coin !== coin) return ['coin', `must be ${coin}`];
  if (order.side !== side) return ['side', `must be ${side}`];
  if (!isAmount(order.limitPx)) return ['limitPx', 'must be a non-negative decimal string'];
  if (!isAmount(order.sz)) return ['sz', 'must be a non-negative decimal string'];
  return detailProblem(order);
}

function isAmount(value: unknown): boolean {
  return isDecimalString(value) && !value.startsWith('-');
}

/** An `l4BookSnapshot` response, checked. */
export interface DecodedSnapshot {
  readonly coin: string;
  readonly time: number;
  readonly height: number;
  readonly epoch: string;
  readonly seq: number;
  readonly levels: BookLevels;
}

/** Reads the response to `l4BookSnapshot` for `coin` (§2.6). Throws WireFormatError. */
export function decodeL4BookSnapshot(value: unknown, coin: string): DecodedSnapshot {
  const root = readObject(value, 'snapshot');
  if (root.coin !== coin) throw new WireFormatError('snapshot.coin', `must be ${coin}`);
  return {
    coin,
    time: readWhole(root.time, 'snapshot.time'),
    height: readWhole(root.height, 'snapshot.height'),
    epoch: readString(root.epoch, 'snapshot.epoch'),
    seq: readWhole(root.seq, 'snapshot.seq'),
    levels: readLevels(root.levels, coin, 'snapshot.levels'),
  };
}
