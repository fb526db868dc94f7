import { type BookChange, readArray, readChange, readObject, readString, readWhole } from '../change.ts';
import { isDecimalString, type Side } from '../primitives.ts';
import { WireFormatError } from '../wire-format-error.ts';
import { type ExecutedOrder, isChecksum, type OrderStatus } from './batch.ts';
import { readStatuses } from './statuses.ts';
import type { BlockStatuses } from './unread-statuses.ts';

/** What one block changed in one coin, normalized from the wire; heights and sequences as assigned by the service. */
export interface CoinBatch {
  readonly coin: string;
  readonly epoch: string;
  readonly height: number;
  readonly time: number;
  readonly seq: number;
  readonly prevSeq: number;
  readonly changes: readonly BookChange[];
  readonly statuses: BlockStatuses;
  /** The rolling checksum of the coin's whole book after this batch, if requested. */
  readonly checksum?: string | undefined;
  /** Known executions of its orders, if requested and any are known. */
  readonly executed?: readonly ExecutedOrder[] | undefined;
}

/** The same with its statuses read and checked. */
export interface ReadCoinBatch extends CoinBatch {
  readonly statuses: readonly OrderStatus[];
}

/** One block of the stream, normalized from the wire. */
export interface Batch<Coin extends CoinBatch = CoinBatch> {
  readonly epoch: string;
  readonly height: number;
  readonly time: number;
  readonly coins: readonly Coin[];
}

/** Reads the `Updates` object of a stream message (§2.7). Throws WireFormatError with the path of the first problem. */
export function decodeUpdates(value: unknown): Batch<ReadCoinBatch> {
  const root = readObject(value, 'Updates');
  const epoch = readString(root.epoch, 'Updates.epoch');
  const height = readWhole(root.block_height, 'Updates.block_height');
  const time = readWhole(root.time, 'Updates.time');
  const coins = readArray(root.book_diffs, 'Updates.book_diffs').map((item, index): ReadCoinBatch => {
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
    const { checksum } = entry;
    if (checksum !== undefined && !isChecksum(checksum)) {
      throw new WireFormatError(`${path}.checksum`, 'must be sixteen hexadecimal digits');
    }
    const executed = entry.executed === undefined ? undefined : readExecuted(entry.executed, `${path}.executed`);
    return {
      coin,
      epoch,
      height,
      time,
      seq,
      prevSeq,
      changes,
      statuses,
      ...(checksum === undefined ? {} : { checksum }),
      ...(executed === undefined ? {} : { executed }),
    };
  });
  return { epoch, height, time, coins };
}

function readExecuted(value: unknown, path: string): readonly ExecutedOrder[] {
  return readArray(value, path).map((item, index) => {
    const { oid, sz } = readObject(item, `${path}[${index}]`);
    if (!isDecimalString(sz)) throw new WireFormatError(`${path}[${index}].sz`, 'must be a decimal string');
    return { oid: readWhole(oid, `${path}[${index}].oid`), sz };
  });
}

function sided(change: BookChange<Side | null>, path: string): BookChange {
  if (change.side === null) throw new WireFormatError(path, 'must be B or A');
  return change as BookChange;
}
