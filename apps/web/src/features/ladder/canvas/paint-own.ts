import { type OwnPlace, ownPlaceText } from '../../../book-worker/frame/own-place.ts';
import { grouped } from '../../../ui/format.ts';
import type { Brush } from './brush.ts';
import { type Column, outermost, PAD, type SideColumns } from './columns.ts';
import type { LaneMark } from './theme.ts';

/** So much of the lane is left to its bar, in pixels and as a part of a narrow one. */
const BAR_LEFT = 48;
const BAR_LEFT_SHARE = 0.2;

/** Stands where the text covers the rest of the bar. */
const COVERED = '… ';

interface OwnArea extends Column {
  /** The outer end is the left one. */
  readonly mirrored: boolean;
}

/** Where a row says the place of a watched order: at the outer end of the lane, or of what the numbers leave. */
function ownArea(half: SideColumns, width: number): OwnArea {
  const { lane } = half;
  if (lane !== undefined) return { ...lane, mirrored: half.laneMirrored };
  const outer = outermost(half);
  const edge = half.mirrored ? 0 : outer.x + outer.width;
  return { x: edge, width: half.mirrored ? outer.x : width - edge, mirrored: half.mirrored };
}

/** What a row says of the place, the longest first. */
function ownTexts(own: OwnPlace): readonly string[] {
  const { place, orders, more } = own;
  const of = `${grouped(String(place))} of ${grouped(String(orders))}`;
  const rest = more === 0 ? '' : ` +${more}`;
  return [ownPlaceText(own), `you ${of}${rest}`, `${of}${rest}`, of];
}

interface OwnLook {
  readonly width: number;
  readonly y: number;
  readonly rowHeight: number;
  readonly surface: string;
  readonly marks: readonly LaneMark[];
  /** How long the row's bar is. */
  readonly bar: number;
}

/**
 * The place of the foremost watched order of a row, with its wallet's letter: over the lane's outer end, as long as there
 * is room. Without a lane the ground is drawn too.
 */
export function paintOwnPlace(brush: Brush, half: SideColumns, own: OwnPlace | undefined, look: OwnLook): void {
  const { context, theme } = brush;
  const { y, rowHeight, surface } = look;
  const area = ownArea(half, look.width);
  if (half.lane === undefined) {
    context.fillStyle = surface;
    context.fillRect(area.x, y, area.width, rowHeight);
  }
  if (own === undefined) return;
  const mark = look.marks[own.mark - 1];
  const left = half.lane === undefined ? 0 : Math.min(BAR_LEFT, area.width * BAR_LEFT_SHARE);
  const room = area.width - 2 * PAD - left;
  const letter = mark === undefined ? '' : `${mark.letter} `;
  const fits = (text: string) => (letter.length + text.length) * brush.smallCharWidth <= room;
  const text = ownTexts(own).find(fits);
  if (text === undefined) return;
  const width = (letter.length + text.length) * brush.smallCharWidth;
  const x = area.mirrored ? area.x + PAD : area.x + area.width - PAD - width;
  context.font = theme.smallFont;
  context.fillStyle = surface;
  const isCovered = look.bar > area.width - 2 * PAD - width;
  const lead = isCovered ? COVERED.length * brush.smallCharWidth : 0;
  context.fillRect(x - 4 - (area.mirrored ? 0 : lead), y + 1, width + 8 + lead, rowHeight - 2);
  const baseline = brush.baseline(y, rowHeight);
  if (isCovered) {
    context.fillStyle = theme.dim;
    context.fillText(COVERED.trim(), area.mirrored ? x + width + brush.smallCharWidth : x - lead, baseline);
  }
  if (mark !== undefined) {
    context.fillStyle = theme.wallets[mark.hue];
    context.fillText(mark.letter, x, baseline);
  }
  context.fillStyle = theme.text;
  context.fillText(text, x + letter.length * brush.smallCharWidth, baseline);
}
