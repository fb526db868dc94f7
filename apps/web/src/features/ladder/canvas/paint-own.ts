import type { OwnPlace } from '../../../book-worker/ladder-frame.ts';
import { isolated } from '../../../ui/format.ts';
import { ownPlaceText, ownShortText, ownText } from '../own-text.ts';
import type { Brush, Extent } from './brush.ts';
import { type Column, outermost, PAD, type SideColumns } from './columns.ts';
import { TAIL_LABEL } from './lane.ts';
import type { LaneMark } from './theme.ts';

/** A lane as narrow as on a phone is left to its bar: a label over it would hide it. */
const LANE_NARROW = 200;
/** The largest share of a wider lane that a label may cover of a long bar. */
const COVERED_SHARE = 0.5;

/** Padding beside a letter without text, and beside a text in place of the number of folded orders, px. */
const EDGE = 3;
const SLIM = 2;

const COVERED = '… ';

interface OwnArea extends Column {
  /** The outer end is the left one. */
  readonly mirrored: boolean;
}

/** The area for a watched order's place: the outer end of the lane, or of what the numbers leave. */
function ownArea(half: SideColumns, width: number): OwnArea {
  const { lane } = half;
  if (lane !== undefined) return { ...lane, mirrored: half.laneMirrored };
  const outer = outermost(half);
  const edge = half.mirrored ? 0 : outer.x + outer.width;
  return { x: edge, width: half.mirrored ? outer.x : width - edge, mirrored: half.mirrored };
}

/** A longer name is cut if its place needs the room. */
const NAME_CUT = 10;

type Fits = (text: string) => boolean;

/**
 * The text for the place in a row: the full text beside a bar that leaves room; over a long bar at most a share of the lane; if
 * neither fits, an empty text.
 */
function ownWords(own: OwnPlace, name: string, sizeDecimals: number, isFree: Fits, isOver: Fits): string {
  const letters = Array.from(name);
  const cut = letters.length > NAME_CUT ? `${letters.slice(0, NAME_CUT - 1).join('')}…` : name;
  // The letter before the text also identifies the wallet: the size ahead is worth more than the name.
  const names = [name, cut, ''].map(isolated);
  const whole = names.map((called) => ownText(own, called, sizeDecimals));
  const places = [...names.map((called) => ownPlaceText(own, called)), ownPlaceText({ ...own, more: 0 }, '')];
  return [...whole, ...places].find(isFree) ?? places.find(isOver) ?? '';
}

/** The place as far as it fits beside a bar where otherwise the number of folded orders is; an empty text if nothing fits. */
function tightWords(own: OwnPlace, isFree: Fits): string {
  return [ownPlaceText(own, ''), ownPlaceText({ ...own, more: 0 }, ''), ownShortText(own)].find(isFree) ?? '';
}

interface OwnLook {
  readonly width: number;
  readonly row: Extent;
  readonly surface: string;
  readonly marks: readonly LaneMark[];
  readonly sizeDecimals: number;
  readonly bar: number;
  /** Width of the number of folded orders with its distance from the bar. */
  readonly folded: number;
}

/**
 * Draws the place of a row's foremost watched order, with its wallet's letter, at the lane's outer end; in a narrow lane in place of
 * the number of folded orders if need be. Without room for the place only the letter is drawn: the row's queue, one press away,
 * shows the rest. Without a lane the background is drawn too.
 */
export function paintOwnPlace(brush: Brush, half: SideColumns, own: OwnPlace | undefined, look: OwnLook): void {
  const { context, theme } = brush;
  const { row, surface } = look;
  const area = ownArea(half, look.width);
  if (half.lane === undefined) {
    context.fillStyle = surface;
    brush.fillRect(area.x, row.y, area.width, row.height);
  }
  if (own === undefined) return;
  const mark = look.marks[own.mark - 1];
  const letter = mark === undefined ? '' : `${mark.letter} `;
  const room = area.width - 2 * PAD;
  const letterWidth = brush.smallWidth(letter);
  const within = (room: number) => (words: string) => letterWidth + brush.smallWidth(words) <= room;
  const bar = half.lane === undefined ? 0 : look.bar + Math.max(TAIL_LABEL, look.folded);
  const over = area.width < LANE_NARROW ? 0 : room * COVERED_SHARE;
  context.font = theme.smallFont;
  const words = ownWords(own, mark?.name ?? '', look.sizeDecimals, within(room - bar), within(over));
  const outer = area.width - PAD - look.bar;
  const isTight = words === '';
  const text = isTight ? tightWords(own, within(outer - 2 * SLIM)) : words;
  const baseline = brush.baseline(row.y, row.height);
  if (text === '') {
    // At the very edge, where neither a bar nor the number of folded orders reaches.
    const width = brush.smallWidth(mark?.letter ?? '');
    if (mark !== undefined) paintChip(brush, mark, area.mirrored ? EDGE : area.x + area.width - width - EDGE, look);
    return;
  }
  const pad = isTight ? SLIM : PAD;
  const width = letterWidth + brush.smallWidth(text);
  const x = area.mirrored ? area.x + pad : area.x + area.width - pad - width;
  const isCovered = !isTight && bar > room - width;
  const lead = isCovered ? COVERED.length * brush.smallCharWidth : 0;
  // The number of folded orders is covered as a whole: the rest of it would be another number.
  const covered = PAD + width + 4 + lead;
  const ground = isTight ? outer - 1 : isCovered ? Math.max(covered, outer - 1) : covered;
  context.fillStyle = surface;
  brush.fillRect(area.mirrored ? area.x : area.x + area.width - ground, row.y + 1, ground, row.height - 2);
  if (isCovered) {
    context.fillStyle = theme.dim;
    context.fillText(COVERED.trim(), area.mirrored ? x + width + brush.smallCharWidth : x - lead, baseline);
  }
  if (mark !== undefined) {
    context.fillStyle = theme.wallets[mark.hue];
    context.fillText(mark.letter, x, baseline);
  }
  context.fillStyle = theme.text;
  context.fillText(text, x + letterWidth, baseline);
}

/** The letter is cut out of the wallet's colour, so that it is not read as part of the number beside it. */
function paintChip(brush: Brush, { hue, letter }: LaneMark, x: number, { row, surface }: OwnLook): void {
  const { context, theme } = brush;
  context.fillStyle = theme.wallets[hue];
  brush.fillRect(x - 2, row.y + 2, brush.smallWidth(letter) + 4, row.height - 4);
  context.fillStyle = surface;
  context.fillText(letter, x, brush.baseline(row.y, row.height));
}
