import type { BookChange, DecimalString, L4Order, OrderStatus } from '@l4desk/protocol';
import type { RecordingReader } from '../../format/index.ts';

/** What a column holds. Heights, ids and times are whole numbers; prices and sizes are decimals, to the digit. */
type ColumnType = 'whole' | 'text' | 'flag' | 'px' | 'sz';

/** What an order was placed with, the last columns of a table of orders. */
const TERMS = {
  placed_ms: 'whole',
  cloid: 'text',
  order_type: 'text',
  tif: 'text',
  reduce_only: 'flag',
  is_trigger: 'flag',
  trigger_px: 'px',
} as const satisfies Readonly<Record<string, ColumnType>>;

/** The tables of an exported recording; the columns of each in their order. */
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

/** The columns of a table with their types. */
export function columnsOf(table: TableName): readonly (readonly [name: string, type: ColumnType])[] {
  return Object.entries(TABLES[table]);
}

export type Cell = string | number | boolean | null;

/** Statuses that say that an order rests, and nothing of why it changes. */
const RESTING: readonly string[] = ['open', 'triggered'];

/**
 * Walks through a recording and reports every row of its tables, in order of height. `changes` has the size of an order before and
 * after each change, and what the statuses of its block said of it besides that it rests. Throws RecordingError.
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

/** The size before a change and after it; null where the order does not rest, or its size is not known. */
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

/** The last word of each order in a block besides that it rests. */
function wordsOf(statuses: readonly OrderStatus[]): ReadonlyMap<number, string> {
  const words = new Map<number, string>();
  for (const { status, order } of statuses) if (!RESTING.includes(status)) words.set(order.oid, status);
  return words;
}
