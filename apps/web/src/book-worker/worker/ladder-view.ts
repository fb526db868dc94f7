import { type L4Book, LadderWindow } from '@l4desk/book';
import { add, basisPoints, ceilToTick, floorToTick, middle, subtract } from '@l4desk/decimal';
import type { FlowKind, MovedRows } from '@l4desk/insight';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { type Axis, indicesIn, placeAxis, type Touch } from '../axis.ts';
import { FLOW_MS, type LadderFrame, type LadderRequest, type LadderRow, type OwnPlace } from '../ladder-frame.ts';
import { indexOfPrice, priceOfIndex, type TickGrid, tickGrid } from '../prices.ts';
import { sizeDecimalsOf } from './book-at.ts';
import { Lanes } from './lanes.ts';
import type { Marks } from './marks.ts';
import { rowFronts } from './own-places.ts';
import type { Shown } from './shown.ts';
import { aloneRows, Ghost } from './wallet-rows.ts';

/** One side of the frame being computed. */
interface SideOf {
  readonly shown: Shown;
  readonly side: Side;
  readonly grid: TickGrid;
  readonly axis: Axis;
  readonly best: number | undefined;
  readonly moved: MovedRows | undefined;
}

/** Computes the rows of one ladder; reuses its windows and lanes from frame to frame. */
export class LadderView {
  #asks = new LadderWindow(0, 0);
  #bids = new LadderWindow(0, 0);
  readonly #lanes: Lanes;
  readonly #marks: Marks;
  readonly #only: () => Address | undefined;
  #touchKey = '';
  #touchTexts = { spread: '', spreadBps: '', mid: '' };

  /** `only` returns the only wallet whose orders are shown; undefined for everybody's. */
  constructor(marks: Marks, only: () => Address | undefined) {
    this.#marks = marks;
    this.#lanes = new Lanes(marks);
    this.#only = only;
  }

  /** Returns the requested rows of a book; undefined while it is empty and rows cannot be placed. */
  frame(request: LadderRequest, tick: DecimalString, shown: Shown): LadderFrame | undefined {
    const grid = tickGrid(tick);
    if (grid === undefined) return undefined;
    const { book, position } = shown;
    const bid = book.best('B')?.px;
    const ask = book.best('A')?.px;
    const touch: Touch = {
      bid: bid && indexOfPrice(grid, floorToTick(bid, tick)),
      ask: ask && indexOfPrice(grid, ceilToTick(ask, tick)),
    };
    const axis = placeAxis(request.axis, touch, { ...request, rows: request.slots });
    if (axis === undefined) return undefined;
    this.#fit(request);
    this.#marks.leaveOut(request.without);
    this.#lanes.begin();
    const flow = request.flow ? shown.past.flowUpTo(shown, FLOW_MS) : undefined;
    const moved = flow?.totals.moved(tick);
    const asks = this.#side(this.#asks, { shown, side: 'A', grid, axis, best: touch.ask, moved }, request);
    const bids = this.#side(this.#bids, { shown, side: 'B', grid, axis, best: touch.bid, moved }, request);
    return {
      ...position,
      coin: book.coin,
      grid,
      axis,
      slots: request.slots,
      sizeDecimals: sizeDecimalsOf(book),
      bid,
      ask,
      touch,
      ...this.#aboutTouch(bid, ask),
      direction: shown.memory.directionOf({ bid, ask }),
      flowMs: request.flow ? (flow?.knownMs ?? 0) : undefined,
      rows: [...asks, ...bids],
      ...this.#lanes.filled,
    };
  }

  #fit({ slots, lane }: LadderRequest): void {
    if (this.#asks.maxRows === slots && this.#asks.maxLane === lane) return;
    this.#asks = new LadderWindow(slots, lane);
    this.#bids = new LadderWindow(slots, lane);
  }

  #side(window: LadderWindow, of: SideOf, { slots, notional, without }: LadderRequest): readonly LadderRow[] {
    const { shown, side, grid, axis, best, moved } = of;
    const { book } = shown;
    const { highest, lowest } = indicesIn(axis, slots);
    const wallet = this.#only();
    if (wallet !== undefined) {
      const query = { side, grid, wallet, highest, lowest, lane: window.maxLane, notional };
      return aloneRows(book, query, this.#lanes);
    }
    const nearest = side === 'A' ? Math.max(lowest, best ?? lowest) : Math.min(highest, best ?? highest);
    const inSight = (index: number) => (side === 'A' ? index <= highest : index >= lowest);
    const indices: number[] = [];
    if (best !== undefined && inSight(nearest)) {
      const limit = 1 + (side === 'A' ? highest - nearest : nearest - lowest);
      book.fill(window, side, { tick: grid.tick, from: priceOfIndex(grid, nearest), limit });
      for (let row = 0; row < window.rowCount; row += 1) {
        const index = indexOfPrice(grid, window.pxText(row));
        if (index === undefined || !inSight(index)) break;
        indices.push(index);
      }
    }
    const unit = 10 ** window.szScale;
    const notionals = indices.length > 0 ? notionalsOf(book, side, grid, indices, notional) : [];
    const ghost = without === undefined ? undefined : new Ghost(book, side, grid, indices, without);
    const less = (name: Parameters<Ghost['less']>[0], index: number, amount: DecimalString) =>
      ghost?.less(name, index, amount) ?? amount;
    // Places count the whole book: without a wallet they would be different.
    const own = without === undefined ? this.#ownPlaces(window, of, indices) : undefined;
    return indices.map((index, row) => {
      const ntl = notionals[row];
      const change = moved?.at(side, window.pxText(row));
      const hasMoved = change !== undefined && change.size(MOVED) !== '0';
      return {
        side,
        index,
        // The lane shows all orders, ghosts too, so it is drawn by the full size.
        size: (window.sz[row] ?? 0) / unit,
        cumulative: (window.cumSz[row] ?? 0) / unit - (ghost?.cumulativeAt(index) ?? 0),
        count: (window.count[row] ?? 0) - (ghost?.ordersAt(index) ?? 0),
        sz: less('sz', index, window.szText(row)),
        cumSz: less('cumSz', index, window.cumSzText(row)),
        notional: ntl === undefined ? '' : less(notional === 'row' ? 'notional' : 'cumNotional', index, ntl),
        came: hasMoved ? change.size(CAME) : '',
        withdrawn: hasMoved ? change.size(WITHDRAWN) : '',
        own: own?.get(index),
        ...this.#lanes.add(
          window.laneCount[row] ?? 0,
          (place) => (window.laneSz[row * window.maxLane + place] ?? 0) / unit,
          (place) => window.laneUser[row * window.maxLane + place] ?? null,
        ),
      };
    });
  }

  #ownPlaces(
    window: LadderWindow,
    { shown, side, grid }: SideOf,
    indices: readonly number[],
  ): ReadonlyMap<number, OwnPlace> | undefined {
    if (indices.length === 0) return undefined;
    const rowOf = new Map(indices.map((index, row) => [index, row]));
    const orders = (index: number) => window.count[rowOf.get(index) ?? -1] ?? 0;
    // A row contains prices up to the next row's, above or below depending on the side.
    const low = priceOfIndex(grid, Math.max(0, Math.min(...indices) - 1));
    const high = priceOfIndex(grid, Math.max(...indices) + 1);
    const fronts = rowFronts(shown.book, side, grid, shown.memory.queues.fronts(shown, side, low, high), orders);
    const places = new Map<number, OwnPlace>();
    for (const [index, { user, ordersAhead, szAhead, own }] of fronts) {
      const mark = this.#marks.of(user);
      places.set(index, { mark, place: ordersAhead + 1, orders: orders(index), szAhead, more: own - 1 });
    }
    return places;
  }

  #aboutTouch(bid: DecimalString | undefined, ask: DecimalString | undefined) {
    const key = `${bid} ${ask}`;
    if (key !== this.#touchKey) {
      this.#touchKey = key;
      const both = bid !== undefined && ask !== undefined;
      this.#touchTexts = {
        spread: both ? subtract(ask, bid) : '',
        spreadBps: both ? (basisPoints(bid, ask, 2) ?? '') : '',
        mid: both ? middle(bid, ask) : '',
      };
    }
    return this.#touchTexts;
  }
}

/** The kinds of change by which size came to a row, or was withdrawn from it. Executions are neither. */
const CAME: readonly FlowKind[] = ['added', 'requotedIn', 'grown'];
const WITHDRAWN: readonly FlowKind[] = ['canceled', 'requotedOut', 'shrunk'];
const MOVED: readonly FlowKind[] = [...CAME, ...WITHDRAWN];

/** The exact notional of a side's visible rows, per row or summed from the best one. */
function notionalsOf(
  book: L4Book,
  side: Side,
  grid: TickGrid,
  indices: readonly number[],
  of: LadderRequest['notional'],
): readonly DecimalString[] {
  const [nearest = 0] = indices;
  const { tick } = grid;
  if (of === 'none') return [];
  if (of === 'row') {
    return book
      .rows(side, { tick, from: priceOfIndex(grid, nearest), limit: indices.length })
      .map(({ notional }) => notional);
  }
  const limit = indices.length + Math.abs(nearest - bestIndex(book, side, grid, nearest));
  let sum: DecimalString = '0';
  const sums = book.rows(side, { tick, limit }).map(({ px, notional }) => {
    sum = add(sum, notional);
    return { index: indexOfPrice(grid, px), sum };
  });
  const first = sums.findIndex(({ index }) => index === nearest);
  return first < 0 ? [] : sums.slice(first, first + indices.length).map((row) => row.sum);
}

/** The row of a side's best price. A side has at most as many rows as lie between it and another. */
function bestIndex(book: L4Book, side: Side, grid: TickGrid, otherwise: number): number {
  const [best] = book.rows(side, { tick: grid.tick, limit: 1 });
  return (best && indexOfPrice(grid, best.px)) ?? otherwise;
}
