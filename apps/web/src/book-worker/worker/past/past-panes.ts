import { compare } from '@l4desk/decimal';
import {
  type BlockMark,
  differenceBetween,
  type FlowEvent,
  FlowTotals,
  type History,
  movedSize,
  type OrderLife,
  orderLife,
  type Print,
  placeAtHeight,
  printsOf,
  type TimeGap,
  type TimeLine,
} from '@l4desk/insight';
import type {
  BlockRow,
  DifferenceData,
  DifferenceParams,
  FlowData,
  FlowParams,
  KeptBlock,
  KeptGap,
  LifeData,
  LifeParams,
  ListedRow,
  TapeData,
  TapeParams,
  TapeRow,
  TimeData,
  TimeParams,
} from '../../panes/past.ts';
import { rowHolds } from '../../prices.ts';
import type { PaneComputer, Shown } from '../shown.ts';

/** How much is kept, and when it changed: an overview, for which once a second is enough. */
export const time: PaneComputer<TimeParams, TimeData> = {
  everyMs: 1_000,
  open:
    () =>
    (shown, { bars }) => {
      const { line, recorded } = shown.past;
      const { blocks: blocksMax, changes: changesMax } = line.bounds;
      const memory = { ...line.size, blocksMax, changesMax };
      if (recorded !== undefined) {
        const { from, to, gaps } = recorded.facts;
        return { first: from, last: to, activity: recorded.activity(bars), gaps, ...memory };
      }
      const isEmpty = line.first < 0;
      return {
        first: isEmpty ? undefined : keptBlock(line.markAt(line.first)),
        last: isEmpty ? undefined : keptBlock(line.markAt(line.last)),
        activity: isEmpty ? [] : activityOf(line, bars),
        gaps: line.gaps.map(keptGap),
        ...memory,
      };
    },
};

/** The number of changes in equal parts of the kept time. */
function activityOf(line: History, bars: number): readonly number[] {
  const counts = Array.from({ length: bars }, () => 0);
  const from = line.markAt(line.first).time;
  const span = Math.max(1, line.markAt(line.last).time - from);
  // The state before all kept blocks changed nothing.
  for (let place = line.first + 1; place <= line.last; place += 1) {
    const part = Math.floor(((line.markAt(place).time - from) / span) * bars);
    // Behind a gap, blocks can be older than those before it.
    const bar = Math.min(bars - 1, Math.max(0, part));
    counts[bar] = (counts[bar] as number) + (line.blockAt(place)?.count ?? 0);
  }
  return counts;
}

/** Blocks that one result of the tape searches at most. */
const TAPE_BLOCKS_MAX = 4_000;

/** Rows a second from which the live tape has one row a block, and up to which it then stays so. */
const GROUPED_FROM = 20;
const GROUPED_TO = 10;

/** Block time over which rows are counted. */
const RATE_MS = 5_000;

export const tape: PaneComputer<TapeParams, TapeData> = {
  open: () => {
    let last: { readonly params: TapeParams; readonly line: TimeLine; readonly data: TapeData } | undefined;
    return (shown, params) => {
      const { line } = shown.past;
      const end = shown.past.placeOf(shown);
      if (end === undefined) {
        last = undefined;
        return { end: -1, rows: [], back: undefined, isCut: false, isGrouped: false, rowsPerSecond: 0 };
      }
      const known = last?.params === params && last.line === line ? last.data : undefined;
      // A held book is for reading: its rows are single.
      const wasGrouped = !shown.frozen && known?.isGrouped === true;
      const data = tapeUpTo(line, end, params, wasGrouped, known);
      const isGrouped = !shown.frozen && data.rowsPerSecond > (wasGrouped ? GROUPED_TO : GROUPED_FROM);
      const grouped = isGrouped === wasGrouped ? data : tapeUpTo(line, end, params, isGrouped, undefined);
      last = { params, line, data: grouped };
      return grouped;
    };
  },
};

/** Continues a `known` list: a filter with few matches would search all blocks every time. */
function tapeUpTo(
  line: TimeLine,
  end: number,
  params: TapeParams,
  isGrouped: boolean,
  known: TapeData | undefined,
): TapeData {
  const { limit } = params;
  const oldest = Math.max(line.first, end - TAPE_BLOCKS_MAX + 1);
  const isContinued = known?.isGrouped === isGrouped && known.end <= end && known.end >= oldest;
  const rows = listed(line, end, isContinued ? known.end + 1 : oldest, params, isGrouped).slice(0, limit);
  const before = isContinued ? known.rows.filter(({ place }) => place >= oldest) : [];
  const all = [...rows, ...before].slice(0, limit);
  const isCut = all.length >= limit;
  return {
    end,
    rows: all,
    back: { ...keptBlock(line.markAt(oldest)), place: oldest },
    isCut,
    isGrouped,
    rowsPerSecond: rowsPerSecond(all, isCut, line.markAt(end).time),
  };
}

function rowsPerSecond(rows: readonly ListedRow[], isCut: boolean, now: number): number {
  let count = 0;
  let oldest = now;
  for (const row of rows) {
    if ('gap' in row) continue;
    if (row.time <= now - RATE_MS) return (count / RATE_MS) * 1_000;
    count += 'lines' in row ? row.lines : 1;
    oldest = row.time;
  }
  // A list that was cut covers less time.
  return (count / (isCut ? Math.max(1_000, now - oldest) : RATE_MS)) * 1_000;
}

function listed(
  line: TimeLine,
  from: number,
  back: number,
  params: TapeParams,
  isGrouped: boolean,
): readonly ListedRow[] {
  const rows: ListedRow[] = [];
  for (let place = from; place >= back && rows.length < params.limit; place -= 1) {
    const block = line.blockAt(place);
    if (block === undefined) {
      const gap = line.gaps.find((one) => one.place === place);
      if (gap !== undefined) rows.push({ id: `gap ${place}`, place, gap: keptGap(gap) });
      continue;
    }
    if (params.user !== null && !block.mayHave(params.user)) continue;
    const events = block.events();
    const { mark } = block;
    if (params.prints) {
      const prints = printRows(events, mark, place, params);
      if (isGrouped) rows.push(...blockRow(mark, place, prints.length, sumsOf(prints)));
      else rows.push(...prints);
      continue;
    }
    const found = [...events.entries()].filter(([, event]) => isListed(event, params)).toReversed();
    if (isGrouped) {
      const totals = new FlowTotals();
      for (const [, event] of found) totals.add(event);
      rows.push(...blockRow(mark, place, found.length, totals.total()));
    } else rows.push(...found.map(([index, event]) => tapeRow(event, mark, place, index)));
  }
  return rows;
}

function blockRow(mark: BlockMark, place: number, lines: number, sums: BlockRow['sums']): readonly BlockRow[] {
  return lines === 0 ? [] : [{ ...keptBlock(mark), id: `${place} block`, place, lines, sums }];
}

function sumsOf(prints: readonly PrintRow[]): BlockRow['sums'] {
  return Object.fromEntries(
    prints.map(({ print: { side, sz, orders, inferred } }) => [side, { sz, count: orders, inferred }]),
  );
}

type PrintRow = TapeRow & { readonly print: Print };

function printRows(
  events: readonly FlowEvent[],
  mark: BlockMark,
  place: number,
  params: TapeParams,
): readonly PrintRow[] {
  const executed = events.filter(({ kind }) => kind === 'executed');
  return printsOf(executed)
    .toReversed()
    .flatMap((print) => {
      const taken = executed.filter(({ side }) => (side === 'A') === (print.side === 'buy'));
      const first = taken.find((event) => isListed(event, { ...params, kinds: [], leastSz: null }));
      if (first === undefined || (params.leastSz !== null && compare(print.sz, params.leastSz) < 0)) return [];
      const { sz, px } = print;
      return [
        {
          ...tapeRow(first, mark, place, 0),
          id: `${place} ${print.side}`,
          inferred: print.inferred > 0,
          sz,
          px,
          print,
        },
      ];
    });
}

function isListed(event: FlowEvent, { kinds, side, level, user, leastSz }: TapeParams): boolean {
  if (kinds.length > 0 && !kinds.includes(event.kind)) return false;
  if (side !== null && event.side !== side) return false;
  if (user !== null && event.user !== user) return false;
  if (level !== null && !rowHolds(level, event.side, event.level)) return false;
  return leastSz === null || compare(movedSize(event), leastSz) >= 0;
}

function tapeRow(event: FlowEvent, { height, time }: BlockMark, place: number, index: number): TapeRow {
  const { kind, inferred, reason, oid, user, side, px, refill, other } = event;
  const id = `${place} ${index}`;
  return { id, place, height, time, kind, inferred, reason, oid, user, side, px, refill, other, sz: movedSize(event) };
}

export const flow: PaneComputer<FlowParams, FlowData> = {
  open:
    () =>
    (shown, { level }) => {
      const { past } = shown;
      const place = past.placeOf(shown);
      if (place === undefined) return { windows: [] };
      const windows = past.windows.map((window) => {
        window.moveTo(past.line, place);
        const moved = window.totals.row(level.side, level.px, level.tick);
        return { spanMs: window.spanMs, isWhole: window.isWhole, flow: moved };
      });
      return { windows };
    },
};

/** A scan over all kept blocks is repeated at most this often, in ms of block time, unless its key changed. */
const WHOLE_SCAN_MS = 2_000;

/** The last result of a scan, valid for the same line and key until it is too old for the newest block. */
class Scanned<Value> {
  #last: { readonly line: TimeLine; readonly key: string; readonly time: number; readonly value: Value } | undefined;

  get(line: TimeLine, key: string, scan: () => Value): Value {
    const last = this.#last;
    const { time } = line.markAt(line.last);
    const age = last === undefined ? Number.NaN : time - last.time;
    if (last?.line === line && last.key === key && age >= 0 && age < WHOLE_SCAN_MS) return last.value;
    const value = scan();
    this.#last = { line, key, time, value };
    return value;
  }
}

/** Shortest block time that one order is shown before another one that changed. */
const FOLLOWED_MS = 2_000;

export const life: PaneComputer<LifeParams, LifeData> = {
  open: () => {
    const scanned = new Scanned<OrderLife | undefined>();
    let followed: { readonly oid: number; readonly time: number } | undefined;
    /** The order that changed last. While the book is live, each is shown for a moment: others change many times a second. */
    const lastChanged = ({ position: { height, blockTime: time }, frozen, memory, past }: Shown) => {
      const oid = past.recorded === undefined ? memory.changedUpTo(height) : undefined;
      const age = followed === undefined ? Number.NaN : time - followed.time;
      if (!frozen && age >= 0 && age < FOLLOWED_MS) return followed?.oid;
      if (oid !== followed?.oid) followed = oid === undefined ? undefined : { oid, time };
      return oid;
    };
    return (shown, params) => {
      const { book, past } = shown;
      const { line } = past;
      const oid = params.oid ?? lastChanged(shown);
      const isKept = line.first >= 0;
      const first = isKept ? keptBlock(line.markAt(line.first)) : undefined;
      if (oid === undefined) return { oid: null, life: null, now: null, first };
      const newest = isKept ? line.newestBook() : undefined;
      // Changes of the order itself show at once: each of them changes its size, and so the key.
      const key = `${oid} ${newest?.order(oid)?.sz}`;
      const place = book.place(oid);
      const sz = place && book.order(oid)?.sz;
      return {
        oid,
        life: (newest && scanned.get(line, key, () => orderLife(line, newest, oid))) ?? null,
        now:
          place === undefined || sz === undefined
            ? null
            : { ordersAhead: place.ordersAhead, szAhead: place.szAhead, sz },
        first,
      };
    };
  },
};

export const difference: PaneComputer<DifferenceParams, DifferenceData> = {
  open: () => {
    const scanned = new Scanned<DifferenceData>();
    return ({ position: { height }, frozen, past: { line, recorded } }, { since, limit }) => {
      if (line.first < 0) return undefined;
      // Of a recording only the part around the shown block is read.
      if (recorded !== undefined && !(recorded.has(since) && recorded.has(height))) return undefined;
      // Compared with the live block it would be new with each block; compared with a held moment it is computed exactly.
      const key = `${since} ${frozen ? height : 'live'} ${limit}`;
      return scanned.get(line, key, () => differenceOf(line, since, height, limit));
    };
  },
};

/** What changed from the earlier of two blocks to the later one; what moved in between is always counted forward. */
function differenceOf(line: TimeLine, a: number, b: number, limit: number): DifferenceData {
  const places = [placeAtHeight(line, a), placeAtHeight(line, b)];
  const difference = differenceBetween(line, Math.min(...places), Math.max(...places));
  const { flow, gaps, levels, orders, ...rest } = difference;
  return {
    ...rest,
    gaps: gaps.map(keptGap),
    flow: flow.total(),
    levelCount: levels.length,
    orderCount: orders.length,
    levels: levels.slice(0, limit),
    orders: orders.slice(0, limit),
  };
}

function keptBlock({ height, time }: BlockMark): KeptBlock {
  return { height, time };
}

function keptGap({ place, from, to, reason }: TimeGap): KeptGap {
  return { id: place, from: keptBlock(from), to: keptBlock(to), reason };
}
