import type { BookChange, DecimalString, L4Order, OrderStatus } from '@l4desk/protocol';
import type { RecordingReader } from '../../format/index.ts';

/** The type of a column. Heights, ids and times are whole numbers; prices and sizes are exact decimals. */
type ColumnType = 'whole' | 'text' | 'flag' | 'px' | 'sz';

/** The terms of an order: the last columns of the tables that list orders. */
const TERMS = {
  placed_ms: 'whole',
  cloid: 'text',
  order_type: 'text',
  tif: 'text',
  reduce_only: 'flag',
  is_trigger: 'flag',
  trigger_px: 'px',
} as const satisfies Readonly<Record<string, ColumnType>>;

/** The tables of an exported recording, each with its columns in order. */
export const TABLES = {
  recording: {
    coin: 'text',
    source: 'text',
    epoch: 'text',
    created_ms: 'whole',
    statuses: 'text',
    from_height: 'whole',
    to_height: 'whole',
  },
  blocks: {
    height: 'whole',
    time_ms: 'whole',
    seq: 'whole',
    prev_seq: 'whole',
    changes: 'whole',
    statuses: 'whole',
    checksum: 'text',
  },
  changes: {
    height: 'whole',
    time_ms: 'whole',
    n: 'whole',
    kind: 'text',
    oid: 'whole',
    owner: 'text',
    side: 'text',
    px: 'px',
    from_sz: 'sz',
    to_sz: 'sz',
    insert_before: 'whole',
    status: 'text',
  },
  statuses: {
    height: 'whole',
    time_ms: 'whole',
    n: 'whole',
    time: 'text',
    owner: 'text',
    status: 'text',
    oid: 'whole',
    side: 'text',
    px: 'px',
    sz: 'sz',
    ...TERMS,
  },
  orders: {
    height: 'whole',
    time_ms: 'whole',
    side: 'text',
    n: 'whole',
    oid: 'whole',
    owner: 'text',
    px: 'px',
    sz: 'sz',
    ...TERMS,
  },
  gaps: { after: 'whole', before: 'whole', reason: 'text' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ColumnType>>>>;

export type TableName = keyof typeof TABLES;

export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

/** Returns the columns of a table with their types. */
export function columnsOf(table: TableName): readonly (readonly [name: string, type: ColumnType])[] {
  return Object.entries(TABLES[table]);
}

export type Cell = string | number | boolean | null;

/** Statuses that only say that an order rests, not why it changed. */
const RESTING: readonly string[] = ['open', 'triggered'];

/**
 * Walks through a recording and reports every row of its tables, ordered by height. A row of `changes` has the order's size
 * before and after the change, and the last status of its order in the block other than `open` and `triggered`. Throws
 * RecordingError.
 */
export async function walkTables(
  recording: RecordingReader,
  row: (table: TableName, cells: readonly Cell[]) => void,
): Promise<void> {
  const { coin, source, epoch, createdAt, statuses: which } = recording.header;
  const { from, to } = recording.range ?? { from: null, to: null };
  row('recording', [coin, source, epoch, createdAt, which, from, to]);
  const sizes = new Map<number, DecimalString>();
  for await (const event of recording.events()) {
    if (event.kind === 'gap') {
      row('gaps', [event.gap.after, event.gap.before, event.gap.reason]);
    } else if (event.kind === 'keyframe') {
      const { height, time, levels } = event.keyframe;
      sizes.clear();
      for (const side of levels) {
        for (const [n, order] of side.entries()) {
          sizes.set(order.oid, order.sz);
          row('orders', [
            height,
            time,
            order.side,
            n,
            order.oid,
            order.user,
            order.limitPx,
            order.sz,
            ...detailsOf(order),
          ]);
        }
      }
    } else {
      const { height, time, seq, prevSeq, changes, statuses, checksum } = event.block;
      row('blocks', [height, time, seq, prevSeq, changes.length, statuses.length, checksum ?? null]);
      const words = wordsOf(statuses);
      for (const [n, change] of changes.entries()) {
        const { kind, oid, user, side, px } = change;
        const before = kind === 'insert' ? change.insertBefore : null;
        const sized = sizesOf(change, sizes);
        row('changes', [height, time, n, kind, oid, user, side, px, ...sized, before, words.get(oid) ?? null]);
      }
      for (const [n, { time: at, user, status, order }] of statuses.entries()) {
        const { oid, side, limitPx, sz } = order;
        row('statuses', [height, time, n, at, user, status, oid, side, limitPx, sz, ...detailsOf(order)]);
      }
    }
  }
}

function detailsOf(order: L4Order): readonly Cell[] {
  const { timestamp, cloid, orderType, tif, reduceOnly, isTrigger, triggerPx } = order;
  return [timestamp, cloid, orderType, tif, reduceOnly, isTrigger, triggerPx];
}

/** Returns the size before and after a change. A size is null if the order does not rest, or if it is unknown. */
function sizesOf(change: BookChange, sizes: Map<number, DecimalString>): readonly [Cell, Cell] {
  const { oid } = change;
  switch (change.kind) {
    case 'insert':
      sizes.set(oid, change.sz);
      return [null, change.sz];
    case 'resize':
      sizes.set(oid, change.newSz);
      return [change.origSz, change.newSz];
    case 'remove': {
      const last = sizes.get(oid) ?? null;
      sizes.delete(oid);
      return [last, null];
    }
  }
}

/** Returns the last status of each order in a block, ignoring those that only say that it rests. */
function wordsOf(statuses: readonly OrderStatus[]): ReadonlyMap<number, string> {
  const words = new Map<number, string>();
  for (const { status, order } of statuses) if (!RESTING.includes(status)) words.set(order.oid, status);
  return words;
}
