import { compare } from '@l4desk/decimal';
import {
  type BlockMark,
  differenceBetween,
  type FlowEvent,
  movedSize,
  orderLife,
  placeAtHeight,
  type TimeGap,
} from '@l4desk/insight';
import type {
  DifferenceAnswer,
  DifferenceAsk,
  FlowAnswer,
  FlowAsk,
  KeptBlock,
  KeptGap,
  LifeAnswer,
  LifeAsk,
  TapeAnswer,
  TapeAsk,
  TapeRow,
  TimeAnswer,
  TimeAsk,
} from '../../panes/past.ts';
import { rowHolds } from '../../prices.ts';
import { SlowPane } from '../panes/slow-pane.ts';
import type { Past } from './past.ts';

/** Blocks that one answer of the tape looks back at most. */
const TAPE_BLOCKS_MAX = 4_000;

export const timePane = (past: Past) =>
  new SlowPane<TimeAsk, TimeAnswer>(({ position }, { serial, bars }) => {
    const { line } = past;
    const { blocks, changes } = line.size;
    const { blocks: blocksMax, changes: changesMax } = line.bounds;
    const isEmpty = line.first < 0;
    return {
      serial,
      height: position.height,
      first: isEmpty ? undefined : keptBlock(line.markAt(line.first)),
      last: isEmpty ? undefined : keptBlock(line.markAt(line.last)),
      isKept: past.placeOf(position) !== undefined,
      activity: isEmpty ? [] : activityOf(past, bars),
      gaps: line.gaps.map(keptGap),
      blocks,
      changes,
      blocksMax,
      changesMax,
    };
  });

/** Changes by equal parts of the kept time. */
function activityOf({ line }: Past, bars: number): readonly number[] {
  const counts = Array.from({ length: bars }, () => 0);
  const from = line.markAt(line.first).time;
  const span = Math.max(1, line.markAt(line.last).time - from);
  for (let place = line.first; place <= line.last; place += 1) {
    const block = line.blockAt(place);
    if (block === undefined) continue;
    const bar = Math.min(bars - 1, Math.floor(((block.mark.time - from) / span) * bars));
    counts[bar] = (counts[bar] as number) + block.events.length;
  }
  return counts;
}

export const tapePane = (past: Past) =>
  new SlowPane<TapeAsk, TapeAnswer>(({ position }, ask) => {
    const { line } = past;
    const { serial, limit } = ask;
    const rows: TapeAnswer['rows'][number][] = [];
    const end = past.placeOf(position);
    let place = end ?? -1;
    const oldest = Math.max(line.first, place - TAPE_BLOCKS_MAX + 1);
    for (; place >= 0 && place >= oldest && rows.length < limit; place -= 1) {
      const block = line.blockAt(place);
      if (block === undefined) {
        const gap = line.gaps.find((one) => one.place === place);
        if (gap !== undefined) rows.push({ id: `gap ${place}`, gap: keptGap(gap) });
        continue;
      }
      for (let index = block.events.length - 1; index >= 0; index -= 1) {
        const event = block.events[index] as FlowEvent;
        if (isListed(event, ask)) rows.push(tapeRow(event, block.mark, index));
      }
    }
    const back = end === undefined ? undefined : keptBlock(line.markAt(Math.min(line.last, Math.max(oldest, place))));
    return { serial, height: position.height, rows: rows.slice(0, limit), back, isCut: rows.length >= limit };
  });

function isListed(event: FlowEvent, { kinds, side, level, user, leastSz }: TapeAsk): boolean {
  if (kinds.length > 0 && !kinds.includes(event.kind)) return false;
  if (side !== null && event.side !== side) return false;
  if (user !== null && event.user !== user) return false;
  if (level !== null && !rowHolds(level, event.side, event.level)) return false;
  return leastSz === null || compare(movedSize(event), leastSz) >= 0;
}

function tapeRow(event: FlowEvent, { height, time }: BlockMark, index: number): TapeRow {
  const { kind, inferred, reason, oid, user, side, px, refill, other } = event;
  const id = `${height} ${index}`;
  return { id, height, time, kind, inferred, reason, oid, user, side, px, refill, other, sz: movedSize(event) };
}

export const flowPane = (past: Past) =>
  new SlowPane<FlowAsk, FlowAnswer>(({ position }, { serial, level }) => {
    const place = past.placeOf(position);
    const { height } = position;
    if (place === undefined) return { serial, height, windows: [] };
    const windows = past.windows.map((window) => {
      window.moveTo(past.line, place);
      const flow = window.totals.row(level.side, level.px, level.tick);
      return { spanMs: window.spanMs, isWhole: window.isWhole, flow };
    });
    return { serial, height, windows };
  });

export const lifePane = (past: Past) =>
  new SlowPane<LifeAsk, LifeAnswer>(({ book: shown, position }, { serial, oid }) => {
    const { line } = past;
    const isKept = line.first >= 0;
    const life = isKept ? orderLife(line, line.newestBook(), oid) : undefined;
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

export const differencePane = (past: Past) =>
  new SlowPane<DifferenceAsk, DifferenceAnswer | undefined>(({ position }, ask) => {
    const { line } = past;
    if (line.first < 0) return undefined;
    const { serial, from, to, limit } = ask;
    const at = placeAtHeight(line, from);
    const end = placeAtHeight(line, to ?? position.height);
    const { flow, gaps, levels, orders, ...rest } = differenceBetween(line, at, end);
    return {
      ...rest,
      serial,
      height: position.height,
      gaps: gaps.map(keptGap),
      flow: flow.total(),
      levelCount: levels.length,
      orderCount: orders.length,
      levels: levels.slice(0, limit),
      orders: orders.slice(0, limit),
    };
  });

function keptBlock({ height, time }: BlockMark): KeptBlock {
  return { height, time };
}

function keptGap({ from, to, reason }: TimeGap): KeptGap {
  return { from: keptBlock(from), to: keptBlock(to), reason };
}
