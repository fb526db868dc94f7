import { drawLater } from '../../state/draw-later.ts';
import type { PainterHandle } from '../draw/open-painter.ts';
import type { CanvasSize } from '../draw/painter.ts';
import { type Cell, cellAfter, pageOf, revealCell } from '../grid/grid-cell.ts';
import type { RowSource } from '../grid/grid-column.ts';
import { HEAD_HEIGHT } from '../grid/grid-edges.tsx';
import { leftEdges, range } from '../grid/grid-tracks.ts';
import { type Written, writeAttributes } from '../write-attributes.ts';
import type { GridScene } from './grid-painter.ts';
import { type CellPart, type LiveColumn, placeColumns, wordsOf } from './live-column.ts';
import { TwinRows } from './twin-rows.ts';

/** The rows of a live grid at one moment. */
export interface LiveRows<Row> {
  readonly rows: RowSource<Row>;
  /** The block that the rows belong to; undefined before there is one. */
  readonly height: number | undefined;
  /** Whether the shown book is held, so that the rows do not change; the twin then always shows the drawn rows. */
  readonly isStill: boolean;
  /** The list has more rows than these. */
  readonly isCut: boolean;
}

/** The parts of a row's cells, by column. */
type Parts = readonly (readonly CellPart[])[];

/** How much of a live grid is seen. */
export interface Sight {
  /** Rows for which there is room. */
  readonly rows: number;
  /** It is scrolled, or has the pointer or the focus: any row may be wanted next. */
  readonly isUsed: boolean;
}

/** How a live grid shows its rows. */
export interface LiveOptions<Row extends object> {
  readonly columns: readonly LiveColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly selected: string | undefined;
  /** The keyboard stays on its row when the rows move. */
  readonly followsRow: boolean;
  readonly onOpen: (row: Row) => void;
  /** Called with every change of what is seen. */
  readonly onSight: (sight: Sight) => void;
  readonly rowHeight: number;
  readonly hidesPrivate: boolean;
}

/** Shortest time between two writes of the twin while nobody reads it, in ms. */
export const TWIN_REST_MS = 1_000;

/**
 * The rows of a live grid. Has the visible ones drawn, keeps their DOM copy (the twin) up to date, and turns scrolling, pointer
 * and keys into selections.
 *
 * Loop "twin": changes within a second of the last write of the twin are written once, in a turn after that second.
 */
export class LiveView<Row extends object> {
  readonly #scroller: HTMLElement;
  readonly #body: HTMLElement;
  readonly #painter: PainterHandle<GridScene>;
  readonly #twin: TwinRows;
  readonly #written: Written = new Map();
  readonly #ending = new AbortController();
  /**
   * The parts of the visible rows' cells; rows that stay are the same objects. A WeakMap would keep the parts of rows that are gone
   * until the next major garbage collection.
   */
  #parts: ReadonlyMap<Row, Parts> = new Map();
  #options: LiveOptions<Row>;
  #live: LiveRows<Row>;
  /** The visible height of the rows, and the width without the scroll bar. */
  #height = 0;
  #width = 0;
  #scrolled = { top: 0, left: 0 };
  #cell: Cell = { row: 0, column: 0 };
  /** The key of the row that the keyboard stays on. */
  #followed: string | undefined;
  #hasFocus = false;
  /** The pointer position, px from the upper left corner of the grid. */
  #pointer: { readonly x: number; readonly y: number } | undefined;
  #hinted: HTMLElement | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #isUnsaid = false;
  /** The second after the last write has passed, and the next write waits for its turn. */
  #isDue = false;
  readonly #writeDue = () => {
    if (this.#isDue && !this.#ending.signal.aborted) this.#write();
  };
  #sight: Sight = { rows: 0, isUsed: false };
  /** The room for all rows in the scroller, px, as it was written last. */
  #room = 0;

  constructor(
    scroller: HTMLElement,
    body: HTMLElement,
    id: string,
    painter: PainterHandle<GridScene>,
    options: LiveOptions<Row>,
    live: LiveRows<Row>,
  ) {
    this.#scroller = scroller;
    this.#body = body;
    this.#painter = painter;
    this.#twin = new TwinRows(body, id);
    this.#options = options;
    this.#live = live;
    this.#fit();
    const { signal } = this.#ending;
    scroller.addEventListener('scroll', () => this.#onScroll(), { signal, passive: true });
    scroller.addEventListener('keydown', (event) => this.#onKey(event), { signal });
    scroller.addEventListener('click', (event) => this.#onClick(event), { signal });
    scroller.addEventListener('pointerenter', (event) => this.#onPointer(event), { signal });
    scroller.addEventListener('pointermove', (event) => this.#onPointer(event), { signal });
    scroller.addEventListener('pointerleave', () => this.#onPointer(undefined), { signal });
    scroller.addEventListener('focus', () => this.#onFocus(true), { signal });
    scroller.addEventListener('blur', () => this.#onFocus(false), { signal });
  }

  close(): void {
    this.#ending.abort();
    clearTimeout(this.#rest);
    this.#options.onSight({ rows: 0, isUsed: false });
    this.#twin.close();
    this.#painter.close();
  }

  /** `width` is that of the columns: without the scroll bar. */
  resize(size: CanvasSize, width: number): void {
    this.#height = size.height;
    this.#width = width;
    this.#painter.post({ kind: 'size', size });
    this.#show(true);
  }

  setOptions(options: LiveOptions<Row>): void {
    const before = this.#options;
    this.#options = options;
    if (options.columns !== before.columns) this.#parts = new Map();
    this.#fit();
    this.#show(true);
  }

  /** Shows other rows; called several times a second. */
  setRows(live: LiveRows<Row>): void {
    const before = this.#live;
    this.#live = live;
    this.#fit();
    // The browser scrolls back to the remaining rows, and fires the event a moment later.
    if (this.#scrolled.top > 0 && live.rows.length < before.rows.length) this.#readScroll();
    this.#follow();
    // A list that becomes empty, or is no longer empty, is written to the twin at once.
    this.#show(live.isStill !== before.isStill || (live.rows.length === 0) !== (before.rows.length === 0));
  }

  /**
   * Makes room for all rows in the scroller, and states their number. Each change of the room makes the browser lay out the list and
   * its scroll bar again, so a list that nobody uses keeps its room while that is wrong by less than a view, and there is more of it
   * than the view shows.
   */
  #fit(): void {
    const { length } = this.#live.rows;
    const room = length * this.#options.rowHeight;
    const isNear = Math.abs(room - this.#room) < this.#height && Math.min(room, this.#room) > this.#height;
    const isKept = isNear && !this.#isUsed() && !this.#live.isStill;
    if (room !== this.#room && !isKept) {
      this.#body.style.height = `${room}px`;
      this.#room = room;
    }
    // -1 says that the number is not known.
    writeAttributes(this.#scroller, { 'aria-rowcount': this.#live.isCut ? -1 : length + 1 }, this.#written);
  }

  #show(atOnce: boolean): void {
    this.#reportSight();
    this.#paint();
    this.#say(atOnce);
  }

  /** Whether it is scrolled, or has the pointer or the focus. */
  #isUsed(): boolean {
    return this.#hasFocus || this.#pointer !== undefined || this.#scrolled.top > 0;
  }

  #reportSight(): void {
    const rows = Math.ceil(this.#height / this.#options.rowHeight);
    const isUsed = this.#isUsed();
    if (rows === this.#sight.rows && isUsed === this.#sight.isUsed) return;
    this.#sight = { rows, isUsed };
    this.#fit();
    this.#options.onSight(this.#sight);
  }

  /** The rows that are at least partly visible. */
  #inSight(): { readonly first: number; readonly rows: readonly Row[] } {
    const { rowHeight } = this.#options;
    const { rows } = this.#live;
    const { top } = this.#scrolled;
    const first = Math.floor(top / rowHeight);
    const end = Math.min(rows.length, Math.ceil((top + this.#height) / rowHeight));
    return { first, rows: range(first, end).flatMap((index) => rows.at(index) ?? []) };
  }

  /** Returns the parts of the visible rows, and forgets those of all others. */
  #refreshParts(rows: readonly Row[]): readonly Parts[] {
    const { columns } = this.#options;
    const known = this.#parts;
    const parts = rows.map((row) => known.get(row) ?? columns.map((column) => column.parts(row)));
    this.#parts = new Map(rows.map((row, index) => [row, parts[index] ?? []]));
    return parts;
  }

  #paint(): void {
    if (this.#width === 0) return;
    const { columns, rowHeight, hidesPrivate } = this.#options;
    const { first, rows } = this.#inSight();
    this.#painter.post({
      kind: 'paint',
      scene: {
        rowHeight,
        columns: placeColumns(columns, this.#width),
        rows: this.#refreshParts(rows),
        first,
        ...this.#scrolled,
        selected: this.#selectedRow(first, rows),
        pointed: this.#pointedCell(),
        active: this.#hasFocus ? this.#activeCell() : undefined,
        hidesPrivate,
      },
    });
  }

  #selectedRow(first: number, rows: readonly Row[]): number | undefined {
    const { selected, keyOf } = this.#options;
    const at = selected === undefined ? -1 : rows.findIndex((row) => keyOf(row) === selected);
    return at < 0 ? undefined : first + at;
  }

  #activate(cell: Cell): void {
    this.#cell = cell;
    const { followsRow, keyOf } = this.#options;
    const row = followsRow ? this.#live.rows.at(cell.row) : undefined;
    this.#followed = row && keyOf(row);
  }

  /** Moves the keyboard with its row; once that has left the view, to the first row in view, where it stays until the next key. */
  #follow(): void {
    if (this.#followed === undefined) return;
    const { keyOf, rowHeight } = this.#options;
    const { rows } = this.#live;
    const { row: last, column } = this.#cell;
    const isThere = (index: number) => {
      const row = rows.at(index);
      return row !== undefined && keyOf(row) === this.#followed;
    };
    if (rows.length === 0 || isThere(last)) return;
    const { top } = this.#scrolled;
    const first = Math.floor(top / rowHeight);
    const row = range(first, Math.min(rows.length, Math.ceil((top + this.#height) / rowHeight))).find(isThere);
    if (row === undefined) this.#followed = undefined;
    this.#cell = { row: row ?? first, column };
  }

  /** The active cell, clamped to the existing rows. */
  #activeCell(): Cell | undefined {
    const { columns } = this.#options;
    const { rows } = this.#live;
    if (rows.length === 0) return undefined;
    return {
      row: Math.min(this.#cell.row, rows.length - 1),
      column: Math.min(this.#cell.column, columns.length - 1),
    };
  }

  /** The cell under the pointer. Uses the current scroll position, which may have changed since the pointer moved. */
  #pointedCell(): Cell | undefined {
    if (this.#pointer === undefined) return undefined;
    const { columns, rowHeight } = this.#options;
    const { rows } = this.#live;
    const { x, y } = this.#pointer;
    const row = Math.floor((y - HEAD_HEIGHT + this.#scrolled.top) / rowHeight);
    if (y < HEAD_HEIGHT || y >= HEAD_HEIGHT + this.#height || row >= rows.length) return undefined;
    const at = x + this.#scrolled.left;
    const placed = placeColumns(columns, this.#width);
    const column = placed.findIndex((each) => at >= each.x && at < each.x + each.width);
    return column < 0 ? undefined : { row, column };
  }

  /** Writes the twin at once if it is being read, otherwise once a second. */
  #say(atOnce: boolean): void {
    this.#isUnsaid = true;
    const isRead = this.#hasFocus || this.#pointer !== undefined || this.#live.isStill;
    if (atOnce || isRead || (this.#rest === undefined && !this.#isDue)) this.#write();
    // Added again, because the page may have been hidden meanwhile: then there are no turns, and it is written at once.
    else if (this.#isDue) drawLater(this.#writeDue);
  }

  #write(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      if (!this.#isUnsaid) return;
      this.#isDue = true;
      drawLater(this.#writeDue);
    }, TWIN_REST_MS);
    this.#isUnsaid = false;
    this.#isDue = false;
    const { columns, keyOf, selected, rowHeight } = this.#options;
    const { first, rows } = this.#inSight();
    const parts = this.#refreshParts(rows);
    this.#twin.write({
      columns: columns.map(({ id }) => id),
      first,
      rows: rows.map((row, index) => {
        const key = keyOf(row);
        return { key, isSelected: key === selected, words: (parts[index] ?? []).map(wordsOf) };
      }),
      rowHeight,
      height: this.#live.height,
    });
    const active = this.#activeCell();
    const id = active && this.#twin.activate(active.row, active.column);
    writeAttributes(this.#scroller, { 'aria-activedescendant': id }, this.#written);
    this.#hint();
  }

  /** Sets the tooltip of the cell under the pointer. */
  #hint(): void {
    const pointed = this.#pointedCell();
    const cell = pointed && this.#twin.cell(pointed.row, pointed.column);
    if (cell !== this.#hinted) this.#hinted?.removeAttribute('title');
    this.#hinted = cell;
    if (pointed === undefined || cell === undefined) return;
    const row = this.#live.rows.at(pointed.row);
    const hint = row && this.#options.columns[pointed.column]?.hintOf?.(row);
    if (!hint) cell.removeAttribute('title');
    else if (cell.title !== hint) cell.title = hint;
  }

  #onScroll(): void {
    this.#readScroll();
    this.#show(true);
  }

  #readScroll(): void {
    const { scrollTop, scrollLeft } = this.#scroller;
    this.#scrolled = { top: Math.max(0, scrollTop), left: Math.max(0, scrollLeft) };
  }

  #onFocus(hasFocus: boolean): void {
    this.#hasFocus = hasFocus;
    const active = this.#activeCell();
    if (!hasFocus) this.#followed = undefined;
    else if (active !== undefined) this.#activate(active);
    this.#show(true);
  }

  #onPointer(event: PointerEvent | undefined): void {
    const before = this.#pointedCell();
    const wasHere = this.#pointer !== undefined;
    const { left = 0, top = 0 } = event === undefined ? {} : this.#scroller.getBoundingClientRect();
    this.#pointer = event && { x: event.clientX - left, y: event.clientY - top };
    this.#reportSight();
    const now = this.#pointedCell();
    const isSame = before?.row === now?.row && before?.column === now?.column;
    if (!isSame) this.#paint();
    if (!isSame || !wasHere) this.#say(true);
  }

  #onClick({ target }: MouseEvent): void {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
    const index = Number(cell?.closest<HTMLElement>('[data-row]')?.dataset.row ?? -1);
    const { columns, onOpen } = this.#options;
    const row = index < 0 ? undefined : this.#live.rows.at(index);
    if (row === undefined) return;
    const column = columns.findIndex(({ id }) => id === cell?.dataset.column);
    this.#activate({ row: index, column: Math.max(0, column) });
    this.#show(true);
    onOpen(row);
  }

  #onKey(event: KeyboardEvent): void {
    const { columns, rowHeight, onOpen } = this.#options;
    const { rows } = this.#live;
    const active = this.#activeCell();
    if (event.altKey || active === undefined) return;
    const to = cellAfter(event, active, {
      rowCount: rows.length,
      columnCount: columns.length,
      page: pageOf(this.#scroller, rowHeight),
      firstRow: 0,
    });
    const row = rows.at(active.row);
    if (to !== undefined) {
      this.#activate(to);
      revealCell(this.#scroller, to, { rowHeight, lefts: leftEdges(columns), hasTotals: false });
      this.#onScroll();
    } else if (event.key !== 'Enter') return;
    else if (row !== undefined) onOpen(row);
    event.preventDefault();
    event.stopPropagation();
  }
}
