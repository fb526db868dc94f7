import { classNames } from '../class-names.ts';

/** A row as the twin says it. */
export interface TwinRow {
  readonly key: string;
  readonly isSelected: boolean;
  /** What each cell says. */
  readonly words: readonly string[];
}

/** The rows in sight; the first one is row `first` of the grid. */
export interface TwinView {
  readonly columns: readonly string[];
  readonly first: number;
  readonly rows: readonly TwinRow[];
  readonly rowHeight: number;
  /** The block that the rows are of. */
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
 * The rows of a live grid for who does not see them: what a screen reader reads, what the pointer is on, and what tests
 * compare. They lie unpainted where the rows are drawn. Cells carry their words as names, for unseen text would be laid out
 * anew each time; rows stay where they are and are written over, and only what differs is touched.
 */
export class TwinRows {
  readonly #body: HTMLElement;
  readonly #id: string;
  /** Moves with the rows in sight: that they lie elsewhere lays none of them out. */
  readonly #list = document.createElement('div');
  #rows: SaidRow[] = [];
  #columns: readonly string[] = [];
  #top = '';
  #rowHeight = 0;
  #height: number | undefined;
  #active: HTMLElement | undefined;
  /** The name that the active cell was given. */
  #activeId: string | undefined;

  /** `id` begins the name of the active cell. */
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

  /** The cell at a place; undefined where the row is not in sight. */
  cell(row: number, column: number): HTMLElement | undefined {
    return this.#rows.find(({ index }) => index === row)?.cells[column];
  }

  /** Names the keyboard's cell, and no other: names that change with a row's place would be a new style of every cell. */
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
    // Of a chosen row the system's colours would cover what is drawn below.
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
