import { type CanvasContext, openContext } from '../draw/canvas-context.ts';
import type { DrawTheme } from '../draw/draw-theme.ts';
import type { CanvasSize, Painter, ToPainter } from '../draw/painter.ts';
import { withoutFaces } from '../draw/worker-faces.ts';
import type { Cell } from '../grid/grid-cell.ts';
import type { BarPart, CellPart, DrawnColumn, MarkOutline, MarkPart, TextPart } from './live-column.ts';

/** Everything needed to draw the visible rows, in CSS pixels. */
export interface GridScene {
  readonly rowHeight: number;
  readonly columns: readonly DrawnColumn[];
  /** The visible rows, each with its cells; the first one is row `first` of the grid. */
  readonly rows: readonly (readonly (readonly CellPart[])[])[];
  readonly first: number;
  /** Scroll position. */
  readonly top: number;
  readonly left: number;
  readonly selected: number | undefined;
  /** The cell under the pointer. */
  readonly pointed: Cell | undefined;
  /** The active cell, while the grid has the focus. */
  readonly active: Cell | undefined;
  /** Hides private parts. */
  readonly hidesPrivate: boolean;
}

/** Px beside the text of a cell, left of the first cell's text, and between parts. */
const PAD = 8;
const FIRST_PAD = 12;
const GAP = 4;
/** The side of a mark, and the width it takes up: the gap after a mark is a little larger than between other parts. */
const MARK = 16;
const MARK_ROOM = 18;
/** Width of the edge of the selected row. */
const EDGE = 3;
/** Distance from the middle of a row down to the baseline. */
const BASELINE = 4;
/** Opacities of the line below a row, of a bar behind a text, and of the bar that replaces private parts. */
const LINE_OPACITY = 0.6;
const BAR_OPACITY = 0.3;
const BAR_HEIGHT = 14;
const HIDDEN_OPACITY = 0.35;
const HIDDEN_HEIGHT = 8;

const NUMBERS = '"JetBrains Mono Variable", ui-monospace, monospace';
const WORDS = '"Inter Variable", system-ui, sans-serif';

const DASHES: Readonly<Record<MarkOutline, readonly number[]>> = {
  plain: [],
  striped: [3, 2],
  dotted: [1, 2],
  hollow: [],
};

/** Parts that take up width in a cell. */
type PlacedPart = Exclude<CellPart, BarPart>;

/** The most word widths cached; the width of a number follows from its length. */
const WIDTHS_MAX = 2_000;

/** Draws the rows of a live grid. */
export class GridPainter implements Painter<GridScene> {
  readonly #canvas: HTMLCanvasElement | OffscreenCanvas;
  readonly #context: CanvasContext;
  readonly #widths = new Map<string, number>();
  /** Width of a digit, by font size. */
  readonly #digits = new Map<TextPart['size'], number>();
  #theme: DrawTheme;
  #size: CanvasSize = { width: 0, height: 0, deviceWidth: 0, deviceHeight: 0, ratio: 1 };
  #scene: GridScene | undefined;
  #font = '';
  #hasFaces: boolean;

  /** Without `hasFaces`, the page's fonts are still loading: call `remeasure` once they are loaded. */
  constructor(canvas: HTMLCanvasElement | OffscreenCanvas, theme: DrawTheme, hasFaces: boolean) {
    this.#canvas = canvas;
    const onRestored = () => {
      this.#prepare();
      this.#paint();
    };
    this.#context = openContext(canvas, onRestored, { alpha: false });
    this.#theme = theme;
    this.#hasFaces = hasFaces;
  }

  receive(message: ToPainter<GridScene>): void {
    switch (message.kind) {
      case 'theme':
        this.#theme = message.theme;
        break;
      case 'size':
        this.#resize(message.size);
        break;
      case 'paint':
        this.#scene = message.scene;
    }
    this.#paint();
  }

  /** Called when fonts are loaded: measures and draws again. */
  remeasure(): void {
    this.#hasFaces = true;
    this.#widths.clear();
    this.#digits.clear();
    this.#font = '';
    this.#paint();
  }

  #resize(size: CanvasSize): void {
    this.#size = size;
    this.#canvas.width = Math.max(1, size.deviceWidth);
    this.#canvas.height = Math.max(1, size.deviceHeight);
    this.#prepare();
  }

  /** Sets the drawing state, which a resized or restored canvas has lost. */
  #prepare(): void {
    const context = this.#context;
    const { ratio } = this.#size;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.textBaseline = 'alphabetic';
    this.#font = '';
  }

  #paint(): void {
    const { width, height } = this.#size;
    if (width === 0 || height === 0) return;
    const context = this.#context;
    const scene = this.#scene;
    context.fillStyle = this.#theme['surface-0'];
    context.fillRect(0, 0, width, height);
    if (scene === undefined) return;
    for (const [at, cells] of scene.rows.entries()) this.#row(scene, scene.first + at, cells);
    this.#outline(scene);
  }

  #row(scene: GridScene, row: number, cells: GridScene['rows'][number]): void {
    const context = this.#context;
    const { width, ratio } = this.#size;
    const { rowHeight, columns, pointed, selected, left, hidesPrivate } = scene;
    const y = this.#top(scene, row);
    if (row === selected || row === pointed?.row) {
      context.fillStyle = this.#theme[row === selected ? 'accent-soft' : 'surface-2'];
      context.fillRect(0, y, width, rowHeight);
    }
    const line = Math.max(1, Math.round(ratio)) / ratio;
    if (row === selected) {
      // With forced colours, the background alone is hardly visible.
      context.fillStyle = this.#theme.accent;
      context.fillRect(0, y, EDGE, rowHeight);
    }
    context.globalAlpha = LINE_OPACITY;
    context.fillStyle = this.#theme.line;
    context.fillRect(0, y + rowHeight - line, width, line);
    context.globalAlpha = 1;
    const middle = y + (rowHeight - 1) / 2;
    for (const [at, column] of columns.entries()) {
      const parts = cells[at];
      if (parts === undefined || parts.length === 0) continue;
      const isPointed = pointed?.row === row && pointed.column === at;
      const room = { start: column.x - left + (at === 0 ? FIRST_PAD : PAD), end: column.x - left + column.width - PAD };
      this.#cell(parts, room, column.isEnd, middle, hidesPrivate && !isPointed);
    }
  }

  /** The upper edge of a row, on a whole device pixel. */
  #top({ rowHeight, top }: GridScene, row: number): number {
    return Math.round((row * rowHeight - top) * this.#size.ratio) / this.#size.ratio;
  }

  #cell(
    whole: readonly CellPart[],
    room: { readonly start: number; readonly end: number },
    isEnd: boolean,
    middle: number,
    hidesPrivate: boolean,
  ): void {
    const context = this.#context;
    const placed: PlacedPart[] = [];
    for (const part of whole) {
      if (part.kind === 'bar') this.#bar(part, room, middle);
      else placed.push(part);
    }
    const parts = this.#fitting(placed, room.end - room.start);
    let x = isEnd ? room.end - this.#width(parts) : room.start;
    for (const part of parts) {
      const width = this.#partWidth(part);
      if (part.isPrivate === true && hidesPrivate) {
        context.globalAlpha = HIDDEN_OPACITY;
        context.fillStyle = this.#theme['text-dim'];
        context.fillRect(x, middle - HIDDEN_HEIGHT / 2, width, HIDDEN_HEIGHT);
        context.globalAlpha = 1;
      } else if (part.kind === 'mark') this.#mark(part, x, middle);
      else {
        this.#face(part);
        context.fillStyle = this.#theme[part.tone];
        context.fillText(part.text, x, Math.floor(middle + BASELINE + 0.5));
      }
      x += width + GAP;
    }
  }

  #bar({ share, tone }: BarPart, room: { readonly start: number; readonly end: number }, middle: number): void {
    const context = this.#context;
    context.globalAlpha = BAR_OPACITY;
    context.fillStyle = this.#theme[tone];
    context.fillRect(room.start, Math.round(middle - BAR_HEIGHT / 2), share * (room.end - room.start), BAR_HEIGHT);
    context.globalAlpha = 1;
  }

  #mark({ letter, tone, outline }: MarkPart, x: number, middle: number): void {
    const context = this.#context;
    const top = Math.round(middle - MARK / 2);
    const left = Math.round(x);
    context.strokeStyle = this.#theme[tone];
    context.lineWidth = 1;
    context.setLineDash([...DASHES[outline]]);
    context.beginPath();
    context.roundRect(left + 0.5, top + 0.5, MARK - 1, MARK - 1, outline === 'hollow' ? MARK / 2 : PAD / 2);
    context.stroke();
    context.setLineDash([]);
    this.#setFont(`600 11px ${NUMBERS}`);
    context.fillStyle = this.#theme[tone];
    context.fillText(letter, left + (MARK - context.measureText(letter).width) / 2, top + MARK / 2 + BASELINE);
  }

  #outline(scene: GridScene): void {
    const { active, columns, rowHeight, left } = scene;
    const column = active === undefined ? undefined : columns[active.column];
    if (active === undefined || column === undefined) return;
    const context = this.#context;
    context.strokeStyle = this.#theme.accent;
    context.lineWidth = 2;
    context.strokeRect(column.x - left + 1, this.#top(scene, active.row) + 1, column.width - 2, rowHeight - 3);
  }

  /** The parts, with the last text cut so that all of them fit. */
  #fitting(parts: readonly PlacedPart[], room: number): readonly PlacedPart[] {
    const over = this.#width(parts) - room;
    // A number that is hardly too wide, as in a fallback font, is drawn whole and closer to its neighbour.
    if (over <= (parts.every((part) => part.kind === 'text' && part.isNumber) ? PAD : 0)) return parts;
    const at = parts.findLastIndex(({ kind }) => kind === 'text');
    const part = parts[at];
    if (part?.kind !== 'text') return parts;
    return parts.with(at, { ...part, text: this.#cut(part, this.#partWidth(part) - over) });
  }

  /** As many characters as fit, followed by an ellipsis. */
  #cut(part: TextPart, room: number): string {
    const characters = Array.from(part.text);
    let fits = 0;
    let end = characters.length;
    while (fits < end) {
      const middle = Math.ceil((fits + end) / 2);
      const text = `${characters.slice(0, middle).join('')}…`;
      if (this.#partWidth({ ...part, text }) <= room) fits = middle;
      else end = middle - 1;
    }
    return `${characters.slice(0, fits).join('')}…`;
  }

  #width(parts: readonly PlacedPart[]): number {
    return parts.reduce((sum, part) => sum + this.#partWidth(part), (parts.length - 1) * GAP);
  }

  #partWidth(part: PlacedPart): number {
    if (part.kind === 'mark') return MARK_ROOM;
    const { text, size, isNumber } = part;
    if (isNumber) return text.length * this.#digit(part);
    const key = `${size} ${text}`;
    const known = this.#widths.get(key);
    if (known !== undefined) return known;
    if (this.#widths.size >= WIDTHS_MAX) this.#widths.clear();
    this.#face(part);
    const { width } = this.#context.measureText(text);
    this.#widths.set(key, width);
    return width;
  }

  #digit(part: TextPart): number {
    const known = this.#digits.get(part.size);
    if (known !== undefined) return known;
    this.#face(part);
    const width = this.#context.measureText('0000000000').width / 10;
    this.#digits.set(part.size, width);
    return width;
  }

  #face({ size, isNumber }: Pick<TextPart, 'size' | 'isNumber'>): void {
    if (!this.#setFont(`400 ${size}px ${isNumber ? NUMBERS : WORDS}`)) return;
    const context = this.#context;
    // Digits of equal width need neither kerning nor ligatures; drawing text without them costs half.
    context.fontKerning = isNumber ? 'none' : 'auto';
    context.textRendering = isNumber ? 'optimizeSpeed' : 'auto';
  }

  /** Sets the font only if it differs, because setting the same font costs as much. Returns whether it was set. */
  #setFont(named: string): boolean {
    const font = this.#hasFaces ? named : withoutFaces(named);
    if (font === this.#font) return false;
    this.#font = font;
    this.#context.font = font;
    return true;
  }
}
