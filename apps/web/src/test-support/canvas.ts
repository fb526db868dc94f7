import { vi } from 'vitest';
import type { CanvasTheme } from '../features/ladder/canvas/theme.ts';

interface Outline {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Texts drawn on the canvas since the last call, in order. */
export interface DrawnTexts {
  take(): readonly { readonly text: string; readonly color: string; readonly x: number; readonly y: number }[];
  /** Number of filled paths other than rectangles: the cuts through broken bars. */
  cuts(): number;
  /** All rectangles filled with one colour since the canvas was created. */
  rects(color: string): readonly { readonly x: number; readonly y: number; readonly width: number }[];
  /** The same with their heights. */
  boxes(color: string): readonly Outline[];
  /** All rectangles outlined in one colour since the canvas was created. */
  outlines(color: string): readonly Outline[];
}

/** A character is 7 px wide, one of a fallback font 14, and one that only sets the direction of others 0. */
export function widthOf(text: string): number {
  return Array.from(text).reduce((sum, one) => sum + (/\p{Cf}/u.test(one) ? 0 : one > '\u2e7f' ? 14 : 7), 0);
}

/** A canvas that draws nothing and records every text. */
export function stubCanvas(): DrawnTexts {
  let drawn: { text: string; color: string; x: number; y: number }[] = [];
  let cuts = 0;
  const rects: (Outline & { color: string })[] = [];
  const outlines: (Outline & { color: string })[] = [];
  const context = {
    fillStyle: '',
    font: '',
    fillText(text: string, x: number, y: number) {
      drawn.push({ text, color: this.fillStyle, x, y });
    },
    measureText: (text: string) => ({ width: widthOf(text) }),
    fillRect(x: number, y: number, width: number, height: number) {
      rects.push({ color: this.fillStyle, x, y, width, height });
    },
    strokeStyle: '',
    strokeRect(x: number, y: number, width: number, height: number) {
      outlines.push({ color: this.strokeStyle, x, y, width, height });
    },
    setLineDash() {},
    roundRect() {},
    stroke() {},
    beginPath() {},
    moveTo() {},
    lineTo() {},
    fill() {
      cuts += 1;
    },
    setTransform() {},
    createPattern: () => null,
  };
  // A port can be transferred to a worker, as a canvas can in a browser.
  vi.spyOn(HTMLCanvasElement.prototype, 'transferControlToOffscreen').mockImplementation(
    () => new MessageChannel().port1 as unknown as OffscreenCanvas,
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  return {
    take() {
      const taken = drawn;
      drawn = [];
      return taken;
    },
    cuts: () => cuts,
    boxes: (wanted) => rects.flatMap(({ color, ...box }) => (color === wanted ? [box] : [])),
    outlines: (wanted) => outlines.flatMap(({ color, ...outline }) => (color === wanted ? [outline] : [])),
    rects: (wanted) => rects.filter(({ color }) => color === wanted).map(({ x, y, width }) => ({ x, y, width })),
  };
}

const side = (name: string) => ({
  text: `${name}-text`,
  mark: name,
  tail: name,
  depth: `${name}-depth`,
  striped: false,
});

/** A theme in which each colour is named after its use. */
export const theme: CanvasTheme = {
  surface: 'surface',
  hover: 'hover',
  selected: 'selected',
  line: 'line',
  text: 'text',
  strong: 'strong',
  dim: 'dim',
  accent: 'accent',
  bid: side('bid'),
  ask: side('ask'),
  wallets: { grey: 'grey', blue: 'blue', orange: 'orange', green: 'green', magenta: 'magenta', yellow: 'yellow' },
  numberFont: 'number',
  smallFont: 'small',
  priceFont: 'price',
  headingFont: 'heading',
};
