import { type BookChange, readArray, readChange, readObject, readString, readWhole } from '../change.ts';
import { WireFormatError } from '../errors.ts';
import { isAddress, isDecimalString, type Side } from '../primitives.ts';
import type { OrderStatus } from './batch.ts';

/** What one block changed in one coin, tidied from the wire; heights and sequences as the service assigned them. */
export interface CoinBatch {
  readonly coin: string;
  readonly epoch: string;
  readonly height: number;
  readonly time: number;
  readonly seq: number;
  readonly prevSeq: number;
  readonly changes: readonly BookChange[];
  readonly statuses: readonly OrderStatus[];
}

/** One block of the stream, tidied from the wire. */
export interface Batch {
  readonly epoch: string;
  readonly height: number;
  readonly time: number;
  readonly coins: readonly CoinBatch[];
}

/** Reads the `Updates` object of a stream message (§2.7). Throws WireFormatError with the path of the first problem. */
export function decodeUpdates(value: unknown): Batch {
  const root = readObject(value, 'Updates');
  const epoch = readString(root.epoch, 'Updates.epoch');
  const height = readWhole(root.block_height, 'Updates.block_height');
  const time = readWhole(root.time, 'Updates.time');
  const coins = readArray(root.book_diffs, 'Updates.book_diffs').map((item, index): CoinBatch => {
    const path = `Updates.book_diffs[${index}]`;
    const entry = readObject(item, path);
    const coin = readString(entry.coin, `${path}.coin`);
    const seq = readWhole(entry.seq, `${path}.seq`);
    const prevSeq = readWhole(entry.prev_seq, `${path}.prev_seq`);
    if (seq <= prevSeq) throw new WireFormatError(`${path}.seq`, 'must be above prev_seq');
    const changes = readArray(entry.book_diffs, `${path}.book_diffs`).map((diff, at) =>
      sided(readChange(diff, coin, `${path}.book_diffs[${at}]`), `${path}.book_diffs[${at}].side`),
    );
    const statuses = readStatuses(entry.order_statuses, `${path}.order_statuses`);
    return { coin, epoch, height, time, seq, prevSeq, changes, statuses };
  });
  return { epoch, height, time, coins };
}

function sided(change: BookChange<Side | null>, path: string): BookChange {
  if (change.side === null) throw new WireFormatError(path, 'must be B or A');
  return change as BookChange;
}

/**
 * Reads order statuses. Only what the book uses is checked (owner, oid, coin, side, prices and sizes): they outnumber
 * diffs thirty to one and everything else in them is shown as it is.
 */
export function readStatuses(value: unknown, path: string): readonly OrderStatus[] {
  const statuses = readArray(value, path);
  for (let index = 0; index < statuses.length; index += 1) {
    const at = `${path}[${index}]`;
    const status = readObject(statuses[index], at);
    if (!isAddress(status.user)) throw new WireFormatError(`${at}.user`, 'must be a wallet address');
    readString(status.time, `${at}.time`);
    readString(status.status, `${at}.status`);
    const order = readObject(status.order, `${at}.order`);
    readWhole(order.oid, `${at}.order.oid`);
    readWhole(order.timestamp, `${at}.order.timestamp`);
    readString(order.coin, `${at}.order.coin`);
    if (order.side !== 'B' && order.side !== 'A') throw new WireFormatError(`${at}.order.side`, 'must be B or A');
    if (!isDecimalString(order.limitPx)) throw new WireFormatError(`${at}.order.limitPx`, 'must be a decimal string');
    if (!isDecimalString(order.sz)) throw new WireFormatError(`${at}.order.sz`, 'must be a decimal string');
  }
  return statuses as readonly OrderStatus[];
}
