import { classNames } from '../class-names.ts';

/** A row of the twin. */
export interface TwinRow {
  readonly key: string;
  readonly isSelected: boolean;
  /** The text of each cell. */
  readonly words: readonly string[];
}

/** The visible rows; the first one is row `first` of the grid. */
export interface TwinView {
  readonly columns: readonly string[];
  readonly first: number;
  readonly rows: readonly TwinRow[];
  readonly rowHeight: number;
  /** The block that the rows belong to. */
  readonly height: number | undefined;
}

interface SaidRow {
  readonly element: HTMLElement;
  readonly cells: readonly HTMLElement[];
  index: number;
  key: string;
  isSelected: boolean;
  words: readonly string[];
}

/**
 * The unpainted DOM copy of a live grid's rows: it is read by screen readers, hit by the pointer and compared by tests, and
 * lies exactly over the drawn rows. Cells carry their text as labels, because hidden text would be laid out again each time.
 * Rows stay in place and are updated; only what differs is written.
 */
export class TwinRows {
  readonly #body: HTMLElement;
  readonly #id: string;
  /** Moves with the visible rows, so that their new position causes no layout. */
  readonly #list = document.createElement('div');
  #rows: SaidRow[] = [];
  #columns: readonly string[] = [];
  #top = '';
  #rowHeight = 0;
  #height: number | undefined;
  #active: HTMLElement | undefined;
  /** The id given to the active cell. */
  #activeId: string | undefined;

  /** `id` is the prefix of the active cell's id. */
  constructor(body: HTMLElement, id: string) {
    this.#body = body;
    this.#id = id;
    this.#list.className = 'absolute inset-x-0';
    body.append(this.#list);
  }

  write({ columns, first, rows, rowHeight, height }: TwinView): void {
    if (columns.join() !== this.#columns.join() || rowHeight !== this.#rowHeight) this.#reset(columns, rowHeight);
    const top = `${first * rowHeight}px`;
    if (top !== this.#top) this.#list.style.top = top;
    this.#top = top;
    for (const left of this.#rows.splice(rows.length)) left.element.remove();
    for (const [at, row] of rows.entries()) this.#write(this.#rows[at] ?? this.#add(), first + at, row);
    if (height === this.#height) return;
    this.#height = height;
    if (height === undefined) delete this.#body.dataset.height;
    else this.#body.dataset.height = String(height);
  }

  close(): void {
    delete this.#body.dataset.height;
    this.#list.remove();
  }

  /** The cell at a position; undefined if the row is not in view. */
  cell(row: number, column: number): HTMLElement | undefined {
    return this.#rows.find(({ index }) => index === row)?.cells[column];
  }

  /**
   * Sets the id of the active cell only: ids that change with a row's position would cost a style recalculation of every cell.
   */
  activate(row: number, column: number): string | undefined {
    const cell = this.cell(row, column);
    if (cell !== this.#active) {
      this.#active?.removeAttribute('id');
      this.#active = cell;
      this.#activeId = undefined;
    }
    if (cell === undefined) return undefined;
    const id = `${this.#id}-${row}-${column}`;
    if (id !== this.#activeId) cell.id = id;
    this.#activeId = id;
    return id;
  }

  #reset(columns: readonly string[], rowHeight: number): void {
    this.#columns = columns;
    this.#rowHeight = rowHeight;
    this.#rows = [];
    this.#list.replaceChildren();
  }

  #add(): SaidRow {
    const element = document.createElement('div');
    element.setAttribute('role', 'row');
    element.className = 'grid w-full grid-cols-(--columns)';
    element.style.height = `${this.#rowHeight}px`;
    // Otherwise the system's selection colours would cover a selected row that is drawn below.
    element.style.background = 'none';
    const cells = this.#columns.map((column, at) => {
      const cell = document.createElement('div');
      cell.setAttribute('role', 'gridcell');
      cell.dataset.column = column;
      cell.setAttribute('aria-colindex', String(at + 1));
      cell.className = classNames('min-w-0', at === 1 && 'col-start-3');
      return cell;
    });
    element.setAttribute('aria-selected', 'false');
    element.append(...cells);
    this.#list.append(element);
    const said = { element, cells, index: -1, key: '', isSelected: false, words: [] };
    this.#rows.push(said);
    return said;
  }

  #write(said: SaidRow, index: number, { key, isSelected, words }: TwinRow): void {
    const { element, cells } = said;
    if (said.index !== index) {
      element.dataset.row = String(index);
      element.setAttribute('aria-rowindex', String(index + 2));
    }
    if (said.key !== key) element.dataset.key = key;
    if (said.isSelected !== isSelected) element.setAttribute('aria-selected', String(isSelected));
    for (const [at, cell] of cells.entries()) {
      const word = words[at] ?? '';
      if (word === said.words[at]) continue;
      if (word === '') cell.removeAttribute('aria-label');
      else cell.setAttribute('aria-label', word);
    }
    Object.assign(said, { index, key, isSelected, words });
  }
}
