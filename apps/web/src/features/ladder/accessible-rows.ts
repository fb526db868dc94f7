import type { LevelRef } from '../../book-worker/position.ts';
import { decimalText, grouped, wholeText } from '../../ui/format.ts';
import { type Written, writeAttributes } from '../../ui/write-attributes.ts';
import type { PaneView } from './canvas/pane-types.ts';
import type { LaneMark } from './canvas/theme.ts';
import { ownText } from './own-text.ts';
import type { LadderSnapshot, SnapshotRow } from './snapshot.ts';

/** Cells of a row: side, price, size, orders, cumulative, recent changes, the place of a watched order. */
const CELLS = 7;

/**
 * Writes the content of the accessible grid directly into its table: sixty rows change at once, a few times a second, and only
 * differences are written. A row stays the same element while its price is visible, so that a screen reader keeps its place.
 * Roles are explicit and the boxes are not table boxes, because otherwise every row added or removed would cause a layout of all
 * of them.
 */
export class AccessibleRows {
  readonly #table: HTMLTableElement;
  readonly #body: HTMLTableSectionElement;
  readonly #id: string;
  readonly #spread = rowOf(1);
  readonly #written = { table: new Map() as Written, spread: new Map() as Written, spreadCell: new Map() as Written };
  /** By row id. */
  #rows = new Map<string, TwinRow>();
  #coin = '';
  #active: number | undefined;
  #selected: LevelRef | undefined;
  #marks: readonly Pick<LaneMark, 'name'>[] = [];

  /** `id` is the prefix of the row ids. */
  constructor(table: HTMLTableElement, body: HTMLTableSectionElement, id: string) {
    this.#table = table;
    this.#body = body;
    this.#id = id;
    this.#spread.element.dataset.part = 'spread';
  }

  /** Follows a coin; rows of another coin are cleared. */
  follow(coin: string): void {
    this.#coin = coin;
    if (this.#table.dataset.coin !== coin) this.#clear();
  }

  show({ snapshot, active }: PaneView): void {
    if (snapshot?.coin === this.#coin) this.#fill(snapshot);
    else this.#clear();
    const isNew = active !== undefined && this.#active === undefined;
    this.#active = active;
    writeAttributes(this.#table, { 'aria-activedescendant': this.#activeRow()?.said?.id }, this.#written.table);
    this.#mark();
    // An arrow key anywhere on the page starts here: the focus moves to where the rows are read.
    if (isNew) this.#table.focus();
  }

  /** Marks the row whose queue is open. */
  select(level: LevelRef | undefined): void {
    this.#selected = level;
    this.#mark();
  }

  /** Sets the names of the marked wallets from the next frame on. */
  name(marks: readonly Pick<LaneMark, 'name'>[]): void {
    this.#marks = marks;
  }

  /** The id of the row of a price and a side: in a locked book both sides have a row at one price. */
  #rowId({ index, side }: Pick<SnapshotRow, 'index' | 'side'>): string {
    return `${this.#id}-${side}${index}`;
  }

  /** The keyboard's row; if two rows have its price, the ask. */
  #activeRow(): TwinRow | undefined {
    const index = this.#active;
    if (index === undefined) return undefined;
    return this.#rows.get(this.#rowId({ index, side: 'A' })) ?? this.#rows.get(this.#rowId({ index, side: 'B' }));
  }

  #clear(): void {
    this.#rows.clear();
    this.#body.replaceChildren();
    this.#say(undefined);
  }

  /** Writes the snapshot's rows, from the highest price down, with the spread between the sides. */
  #fill(snapshot: LadderSnapshot): void {
    const { rows, sizeDecimals } = snapshot;
    const before = this.#rows;
    this.#rows = new Map();
    for (const row of rows) {
      const id = this.#rowId(row);
      const kept = before.get(id);
      if (kept !== undefined) this.#rows.set(id, kept);
      before.delete(id);
    }
    const spare = [...before.values()];
    for (const { element } of spare) element.remove();
    let next = this.#body.firstElementChild;
    const place = ({ element }: TwinRow) => {
      if (element === next) next = element.nextElementSibling;
      else this.#body.insertBefore(element, next);
    };
    const firstBid = rows.findIndex(({ side }) => side === 'B');
    for (const [at, row] of rows.entries()) {
      if (at === firstBid) place(this.#spread);
      const id = this.#rowId(row);
      const twin = this.#rows.get(id) ?? spare.pop() ?? rowOf(CELLS);
      this.#rows.set(id, twin);
      const own = row.own && ownText(row.own, this.#marks[row.own.mark - 1]?.name ?? '', sizeDecimals);
      sayRow(twin, { ...row, id, own, decimals: sizeDecimals });
      place(twin);
    }
    if (firstBid < 0) place(this.#spread);
    this.#saySpread(snapshot);
    this.#say(snapshot);
  }

  #say(snapshot: LadderSnapshot | undefined): void {
    const rows = snapshot === undefined ? 'no rows yet' : `grouped by ${snapshot.tick}`;
    const { coin, tick, height, seq, epoch } = snapshot ?? {};
    const data = { 'data-coin': coin, 'data-tick': tick, 'data-height': height, 'data-seq': seq, 'data-epoch': epoch };
    writeAttributes(this.#table, { 'aria-label': `${this.#coin} order book, ${rows}`, ...data }, this.#written.table);
  }

  #saySpread({ spread, spreadBps, mid }: LadderSnapshot): void {
    const { element, cells } = this.#spread;
    const data = { 'data-spread': spread, 'data-bps': spreadBps, 'data-mid': mid };
    writeAttributes(element, data, this.#written.spread);
    const words = spread === '' ? 'No spread' : `Spread ${spread}, ${spreadBps} basis points, mid ${mid}`;
    const [cell] = cells;
    if (cell !== undefined) writeAttributes(cell, { 'aria-label': words }, this.#written.spreadCell);
  }

  #mark(): void {
    const { side, px } = this.#selected ?? {};
    const active = this.#activeRow();
    for (const row of this.#rows.values()) {
      const isActive = row === active;
      const isSelected = row.said?.side === side && row.said?.px === px;
      if (isActive !== row.isActive) write(row.element, 'data-active', isActive);
      if (isSelected !== row.isSelected) write(row.element, 'aria-selected', isSelected);
      row.isActive = isActive;
      row.isSelected = isSelected;
    }
  }
}

/** A row of the table. Its last content is stored, because reading it back from the page would cost more than writing. */
interface TwinRow {
  readonly element: HTMLElement;
  readonly cells: readonly HTMLElement[];
  said: SaidRow | undefined;
  isActive: boolean | undefined;
  isSelected: boolean | undefined;
}

function rowOf(cellCount: number): TwinRow {
  const element = document.createElement('tr');
  element.role = 'row';
  element.className = 'flex h-5';
  const cells = Array.from({ length: cellCount }, () => {
    const cell = document.createElement('td');
    cell.role = 'gridcell';
    cell.className = 'flex-1';
    return cell;
  });
  element.append(...cells);
  return { element, cells, said: undefined, isActive: undefined, isSelected: undefined };
}

/** A row's content: attributes and words are written from it. */
interface SaidRow extends Omit<SnapshotRow, 'own'> {
  readonly id: string;
  readonly own: string | undefined;
  readonly decimals: number;
}

function sayRow(twin: TwinRow, row: SaidRow): void {
  const { element, cells, said: last } = twin;
  const { id, side, px, sz, count, cumulative, flow, own, decimals } = row;
  const say = (at: number, word: string) => cells[at]?.setAttribute('aria-label', word);
  const isOther = decimals !== last?.decimals;
  // With another grouping the same place has another price.
  if (id !== last?.id || px !== last.px) {
    write(element, 'id', id);
    write(element, 'data-side', side);
    write(element, 'data-px', px);
    say(0, side === 'A' ? 'Ask' : 'Bid');
    say(1, grouped(px));
  }
  if (isOther || sz !== last.sz) {
    write(element, 'data-sz', sz);
    say(2, decimalText(sz, decimals));
  }
  if (count !== last?.count) {
    write(element, 'data-count', count);
    say(3, wholeText(count));
  }
  if (isOther || cumulative !== last.cumulative) {
    write(element, 'data-cum', cumulative);
    say(4, decimalText(cumulative, decimals));
  }
  if (last === undefined || flow !== last.flow) {
    write(element, 'data-flow', flow || undefined);
    say(5, flow || 'nothing');
  }
  if (last === undefined || own !== last.own) {
    write(element, 'data-own', own);
    say(6, own ?? 'none');
  }
  twin.said = row;
}

/** Writes an attribute; undefined removes it. */
function write(element: Element, name: string, value: string | number | boolean | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}
