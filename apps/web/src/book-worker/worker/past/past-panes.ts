import { compare } from '@l4desk/decimal';
import {
  type BlockMark,
  differenceBetween,
  type FlowEvent,
  movedSize,
  type OrderLife,
  orderLife,
  placeAtHeight,
  printsOf,
  type TimeGap,
  type TimeLine,
} from '@l4desk/insight';
import type {
  DifferenceAsk,
  DifferenceResponse,
  FlowAsk,
  FlowResponse,
  KeptBlock,
  KeptGap,
  LifeAsk,
  LifeResponse,
  ListedRow,
  TapeAsk,
  TapeResponse,
  TapeRow,
  TimeAsk,
  TimeResponse,
} from '../../panes/past.ts';
import { rowHolds } from '../../prices.ts';
import { SlowPane } from '../panes/slow-pane.ts';
import { Activity } from './activity.ts';
import type { Past } from './past.ts';

/** The time strip is an overview: once a second is enough. */
const TIME_MS = 1_000;

/** Blocks that one response of the tape searches at most. */
const TAPE_BLOCKS_MAX = 4_000;

export const timePane = (past: Past) => {
  let known: Activity | undefined;
  return new SlowPane<TimeAsk, TimeResponse>(
    (shown, { serial, bars }) => {
      const { line, recorded } = past;
      const { blocks, changes } = line.size;
      const { blocks: blocksMax, changes: changesMax } = line.bounds;
      const isEmpty = line.first < 0;
      known = known?.isOf(line) === true ? known : new Activity(line);
      if (recorded !== undefined) {
        const { from, to, gaps } = recorded.facts;
        return {
          serial,
          height: shown.position.height,
          first: from,
          last: to,
          isKept: true,
          activity: recorded.activity(bars),
          gaps,
          blocks,
          changes,
          blocksMax,
          changesMax,
        };
      }
      return {
        serial,
        height: shown.position.height,
        first: isEmpty ? undefined : keptBlock(line.markAt(line.first)),
        last: isEmpty ? undefined : keptBlock(line.markAt(line.last)),
        isKept: past.placeOf(shown) !== undefined,
        activity: known.parts(bars),
        gaps: line.gaps.map(keptGap),
        blocks,
        changes,
        blocksMax,
        changesMax,
      };
    },
    { everyMs: TIME_MS },
  );
};

/** The last tape response, and the history and request that it was read from. */
interface ReadTape {
  readonly serial: number;
  readonly line: TimeLine;
  readonly response: TapeResponse;
}

export const tapePane = (past: Past) => {
  let last: ReadTape | undefined;
  return new SlowPane<TapeAsk, TapeResponse>((shown, ask) => {
    const { line } = past;
    const { serial, limit } = ask;
    const { height } = shown.position;
    const end = past.placeOf(shown);
    if (end === undefined) {
      last = undefined;
      return { serial, height, end: -1, rows: [], back: undefined, isCut: false };
    }
    const oldest = Math.max(line.first, end - TAPE_BLOCKS_MAX + 1);
    // Only the blocks since the last response are searched: a filter with few matches would scan all of them every time.
    const known = last?.serial === serial && last.line === line ? last.response : undefined;
    const isContinued = known !== undefined && known.end <= end && known.end >= oldest;
    const rows = listed(line, end, isContinued ? known.end + 1 : oldest, ask).slice(0, limit);
    const before = isContinued ? known.rows.filter(({ place }) => place >= oldest) : [];
    const all = [...rows, ...before].slice(0, limit);
    const back = { ...keptBlock(line.markAt(oldest)), place: oldest };
    const response = { serial, height, end, rows: all, back, isCut: all.length >= limit };
    last = { serial, line, response };
    return response;
  });
};

/** Rows from place `from` back to place `back`, newest first, as many as requested. */
function listed(line: TimeLine, from: number, back: number, ask: TapeAsk): readonly ListedRow[] {
  const rows: ListedRow[] = [];
  for (let place = from; place >= back && rows.length < ask.limit; place -= 1) {
    const block = line.blockAt(place);
    if (block === undefined) {
      const gap = line.gaps.find((one) => one.place === place);
      if (gap !== undefined) rows.push({ id: `gap ${place}`, place, gap: keptGap(gap) });
      continue;
    }
    if (ask.user !== null && !block.mayHave(ask.user)) continue;
    const events = block.events();
    if (ask.prints) {
      rows.push(...printRows(events, block.mark, place, ask));
      continue;
    }
    for (let index = events.length - 1; index >= 0; index -= 1) {
      const event = events[index] as FlowEvent;
      if (isListed(event, ask)) rows.push(tapeRow(event, block.mark, place, index));
    }
  }
  return rows;
}

/** The prints of a block, the last one first. */
function printRows(events: readonly FlowEvent[], mark: BlockMark, place: number, ask: TapeAsk): readonly TapeRow[] {
  const executed = events.filter(({ kind }) => kind === 'executed');
  return printsOf(executed)
    .toReversed()
    .flatMap((print) => {
      const taken = executed.filter(({ side }) => (side === 'A') === (print.side === 'buy'));
      const first = taken.find((event) => isListed(event, { ...ask, kinds: [], leastSz: null }));
      if (first === undefined || (ask.leastSz !== null && compare(print.sz, ask.leastSz) < 0)) return [];
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

function isListed(event: FlowEvent, { kinds, side, level, user, leastSz }: TapeAsk): boolean {
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

export const flowPane = (past: Past) =>
  new SlowPane<FlowAsk, FlowResponse>((shown, { serial, level }) => {
    const place = past.placeOf(shown);
    const { height } = shown.position;
    if (place === undefined) return { serial, height, windows: [] };
    const windows = past.windows.map((window) => {
      window.moveTo(past.line, place);
      const flow = window.totals.row(level.side, level.px, level.tick);
      return { spanMs: window.spanMs, isWhole: window.isWhole, flow };
    });
    return { serial, height, windows };
  });

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

export const lifePane = (past: Past) => {
  const scanned = new Scanned<OrderLife | undefined>();
  return new SlowPane<LifeAsk, LifeResponse>(({ book: shown, position }, { serial, oid }) => {
    const { line } = past;
    const isKept = line.first >= 0;
    const newest = isKept ? line.newestBook() : undefined;
    // Changes of the order itself show at once: each of them changes its size, and so the key.
    const key = `${oid} ${newest?.order(oid)?.sz}`;
    const life = newest && scanned.get(line, key, () => orderLife(line, newest, oid));
    const place = shown.place(oid);
    const sz = place && shown.order(oid)?.sz;
    return {
      serial,
      height: position.height,
      oid,
      life: life ?? null,
      now:
        place === undefined || sz === undefined ? null : { ordersAhead: place.ordersAhead, szAhead: place.szAhead, sz },
      first: isKept ? keptBlock(line.markAt(line.first)) : undefined,
    };
  });
};

export const differencePane = (past: Past) => {
  const scanned = new Scanned<Omit<DifferenceResponse, 'serial' | 'height'>>();
  return new SlowPane<DifferenceAsk, DifferenceResponse | undefined>(
    ({ position, frozen }, ask) => {
      const { line, recorded } = past;
      if (line.first < 0) return undefined;
      const { serial, since, limit } = ask;
      const { height } = position;
      // Of a recording only the part around the shown block is read.
      if (recorded !== undefined && !(recorded.has(since) && recorded.has(height))) return undefined;
      // Compared with the live block it would be new with each block; compared with a held moment it is computed exactly.
      const key = `${since} ${frozen ? height : 'live'} ${limit}`;
      const response = scanned.get(line, key, () => differenceOf(line, since, height, limit));
      return { ...response, serial, height };
    },
    { known: () => past.recorded?.line.last },
  );
};

/** What changed from the earlier of two blocks to the later one; what moved in between is always counted forward. */
function differenceOf(line: TimeLine, a: number, b: number, limit: number) {
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
