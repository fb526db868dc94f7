// @vitest-environment happy-dom
import type { DecimalString } from '@l4desk/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OwnPlace } from '../../../book-worker/ladder-frame.ts';
import type { Direction } from '../../../book-worker/position.ts';
import { type DrawnTexts, stubCanvas, theme, widthOf } from '../../../test-support/canvas.ts';
import { ladderFrame, rowChoice } from '../../../test-support/ladder-frame.ts';
import { must } from '../../../test-support/must.ts';
import { HEADING, headingsHeight, unitOf } from './paint-lines.ts';
import { Painter, type Picture } from './painter.ts';

const ROW = 20;
const SLOTS = 20;
let drawn: DrawnTexts;
let painter: Painter;

beforeEach(() => {
  drawn = stubCanvas();
  painter = new Painter(document.createElement('canvas'), theme);
  painter.resize(1_200, HEADING + SLOTS * ROW, 1);
});

function scene(change: Parameters<typeof ladderFrame>[0]): Picture {
  return {
    frame: ladderFrame({ slots: SLOTS, ...change }),
    choice: rowChoice,
    rowHeight: ROW,
    marks: [{ hue: 'magenta', pattern: 'plain', letter: 'M', name: 'Maker' }],
    hover: undefined,
    active: undefined,
    selected: undefined,
    crosshair: undefined,
    alerts: new Set(),
    lane: undefined,
    band: undefined,
    motion: false,
  };
}

const asks = [
  { px: '101', sz: '4', cumulative: '4', count: 2 },
  { px: '104', sz: '1', cumulative: '5', count: 1 },
] as const;
const bids = [{ px: '100', sz: '2', cumulative: '2', count: 1 }] as const;

/** Width of the depth drawn in the row of a price; the best ask of this book is in the tenth row. */
function depthOf(px: number): number {
  const y = HEADING + (9 - (px - 101)) * ROW;
  return (
    drawn
      .rects('ask-depth')
      // Left of the middle is the mark of the best price.
      .filter((rect) => rect.y === y && rect.x > 600)
      .reduce((sum, rect) => sum + rect.width, 0)
  );
}

/** The texts drawn in the one-sided layout, with the twelfth of 58 orders watched in the row of the best ask. */
function ownRow(width: number, sz: DecimalString, name = 'Maker') {
  painter.resize(width, HEADING + SLOTS * ROW, 1);
  const own: OwnPlace = { mark: 1, place: 12, orders: 58, szAhead: '4.28', more: 2 };
  const rows = [
    { ...asks[0], sz, own },
    { px: '104', sz: '4', cumulative: '8', count: 1 },
  ] as const;
  const { choice, ...rest } = scene({ asks: rows, bids, sizeDecimals: 5 });
  const marks = [{ hue: 'magenta', pattern: 'plain', letter: Array.from(name)[0] ?? '', name }] as const;
  painter.paint({ ...rest, marks, choice: { ...choice, layout: 'single' } }, 0);
  return drawn.take();
}

/** The y positions at which the lines at the best prices were last drawn. */
function edges() {
  const last = (color: string) => drawn.rects(color).findLast(({ x, width }) => x === 0 && width === 1_200)?.y;
  return { ask: last('ask'), bid: last('bid') };
}

describe('the painter', () => {
  it('draws the depth through prices without orders', () => {
    painter.paint(scene({ asks, bids }), 0);
    expect(depthOf(101)).toBeGreaterThan(0);
    expect([depthOf(102), depthOf(103)]).toEqual([depthOf(101), depthOf(101)]);
    expect(depthOf(104)).toBeGreaterThan(depthOf(103));
    expect(depthOf(110)).toBe(depthOf(104));
  });

  /** The texts of the bar: those in the row of the mid. */
  const barTexts = (height = ROW) => {
    const texts = drawn.take();
    const mid = must(texts.find(({ text }) => text === '100.5' || text === '103.0'));
    return texts.filter(({ y }) => Math.abs(y - mid.y) < height / 2).map(({ text }) => text);
  };

  it('draws the mid and the spread in a row of their own between the best prices, which are marked', () => {
    painter.paint(scene({ asks, bids }), 0);
    expect(edges()).toEqual({ ask: HEADING + 10 * ROW - 1, bid: HEADING + 11 * ROW });
    const [bar] = drawn.boxes('hover');
    expect(bar).toMatchObject({ x: 0, y: HEADING + 10 * ROW, width: 1_200, height: ROW });
    expect(barTexts()).toEqual(['100.5', 'spread 1 · 0.12 bps', 'drag up to buy, down to sell']);
  });

  it('marks the true best prices while the rows are held, and the bar stays where it is, with the new mid and how far it is', () => {
    const { axis } = ladderFrame({ slots: SLOTS, asks, bids });
    painter.paint(scene({ asks, bids }), 0);
    drawn.take();
    const risen = scene({
      asks: [{ px: '104', sz: '1', cumulative: '1', count: 1 }],
      bids: [{ px: '102', sz: '7', cumulative: '7', count: 1 }],
      axis,
    });
    painter.paint({ ...risen, frame: { ...risen.frame, mid: '103' } }, 1);
    expect(edges()).toEqual({ ask: HEADING + 7 * ROW - 1, bid: HEADING + 8 * ROW });
    expect(must(drawn.boxes('hover').at(-1)).y).toBe(HEADING + 10 * ROW);
    expect(barTexts().slice(0, 2)).toEqual(['103.0', 'rows held, market 2 up · spread 1 · 0.12 bps']);
  });

  it.each([
    [380, ['100.5', 'spread 1 · 0.12 bps']],
    [170, ['100.5', 'spread 1']],
    [110, ['100.5', '']],
  ])('%i px wide, the bar leaves out what has no room', (width, expected) => {
    painter.resize(width, HEADING + SLOTS * ROW, 1);
    const one = scene({ asks, bids });
    painter.paint({ ...one, choice: { ...one.choice, layout: 'single' } }, 0);
    expect(barTexts()).toEqual(expected);
  });

  it('the bar has the colour of the mid’s last direction', () => {
    const colourOf = (direction: Direction | undefined) => {
      const one = scene({ asks, bids });
      painter.paint({ ...one, frame: { ...one.frame, direction } }, 0);
      return drawn.take().find(({ text }) => text === '100.5')?.color;
    };
    expect(colourOf(undefined)).toBe('text');
    expect(colourOf('up')).toBe('bid-text');
    expect(colourOf('down')).toBe('ask-text');
  });

  it('draws no depth between best prices that moved away from the held rows', () => {
    const { axis } = ladderFrame({ slots: SLOTS, asks, bids });
    const risen = [{ px: '102', sz: '7', cumulative: '7', count: 1 }] as const;
    painter.paint(scene({ asks: [{ px: '104', sz: '1', cumulative: '1', count: 1 }], bids: risen, axis }), 0);
    expect(depthOf(103)).toBe(0);
    expect(depthOf(104)).toBeGreaterThan(0);
    expect(depthOf(105)).toBe(depthOf(104));
  });

  it('grows from the price on both sides, behind numbers that stay the same', () => {
    const depths = (cumulative: '1' | '2') => {
      const near = { sz: '1', cumulative, count: 1 } as const;
      const far = { sz: '1', cumulative: '20', count: 1 } as const;
      const side = <Px extends DecimalString>(best: Px, last: Px) =>
        [
          { px: best, ...near },
          { px: last, ...far },
        ] as const;
      painter.paint(scene({ asks: side('101', '104'), bids: side('100', '97') }), 0);
      const behind = (color: string, row: number) => drawn.rects(color).filter(({ y }) => y === HEADING + row * ROW);
      return {
        ask: must(behind('ask-depth', 9).findLast(({ x }) => x > 600)),
        bid: must(behind('bid-depth', 11).findLast(({ x, width }) => x + width < 600)),
      };
    };
    const [before, after] = [depths('1'), depths('2')];
    expect(after.ask.width).toBeGreaterThan(before.ask.width);
    expect(after.ask.x).toBe(before.ask.x);
    expect(after.bid.width).toBe(after.ask.width);
    expect(after.bid.x + after.bid.width).toBe(before.bid.x + before.bid.width);
  });

  it.each([
    ['no asks', { bids }],
    ['no bids', { asks }],
  ])('the bar says that there are %s', (text, sides) => {
    painter.paint(scene(sides), 0);
    expect(drawn.take().map((one) => one.text)).toContain(text);
  });

  it('draws a watched order in its colour, and redraws it when only its mark changes', () => {
    painter.paint(scene({ asks, bids }), 0);
    expect(drawn.rects('magenta')).toEqual([]);
    const watched = scene({ asks, bids });
    watched.frame.marks[0] = 1;
    painter.paint(watched, 1);
    expect(drawn.rects('magenta')).toHaveLength(1);
  });

  it('draws a queue again when only the place of a watched order, or the order pointed at, changes', () => {
    const rowOf = (place: number) => [
      { ...asks[0], own: { mark: 1, place, orders: 58, szAhead: '4', more: 0 } satisfies OwnPlace },
    ];
    painter.paint(scene({ asks: rowOf(12), bids }), 0);
    drawn.take();
    const moved = scene({ asks: rowOf(11), bids });
    painter.paint(moved, 1);
    expect(drawn.take().map(({ text }) => text)).toContainEqual(expect.stringContaining('11 of 58'));
    const index = must(moved.frame.touch.ask);
    expect(drawn.rects('accent')).toEqual([]);
    painter.paint({ ...moved, lane: { side: 'A', index, place: 0 } }, 2);
    expect(drawn.rects('accent')).toHaveLength(2);
  });

  it('draws sizes added and withdrawn in two columns, and gives the known part of 5 s in the heading', () => {
    const moved = [{ ...asks[0], came: '1.2', withdrawn: '0.8' }] as const;
    const whole = { ...scene({ asks: moved, bids, flowMs: 5_000 }) };
    const choice = { ...whole.choice, layout: 'single', flow: true } as const;
    painter.paint({ ...whole, choice }, 0);
    const texts = drawn.take();
    const xOf = (text: string) => texts.find((one) => one.text === text)?.x ?? Number.NaN;
    expect(xOf('+1.2')).toBeLessThan(xOf('−0.8'));
    expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(['+ 5 s', '− 5 s']));
    painter.paint({ ...scene({ asks: moved, bids, flowMs: 2_400 }), choice }, 1);
    expect(drawn.take().map(({ text }) => text)).toEqual(expect.arrayContaining(['+ 2 of 5 s', '− 2 of 5 s']));
  });

  it.each([
    ['beside a short bar', 864, '0.1', 'Maker 12 of 58 · 4.28000 ahead +2'],
    ['over a long bar, half of the lane at most', 864, '4', 'Maker 12 of 58 +2'],
    ['on a phone, beside a short bar', 360, '0.1', '12 of 58'],
    ['on a phone, beside a bar that fills the lane', 360, '4', '#12'],
  ] as const)(
    '%s draws the letter of a watched order, and its name and place as far as they fit',
    (_, width, sz, expected) => {
      const texts = ownRow(width, sz);
      expect(texts.map(({ text }) => text)).toContain(expected);
      expect(texts.find(({ text }) => text === 'M')?.color).toBe('magenta');
    },
  );

  it('a long label is cut between two characters', () => {
    const texts = ownRow(864, '4', `longname${'🚀'.repeat(36)}`).map(({ text }) => text);
    expect(texts).toContain('longname🚀… 12 of 58 +2');
  });

  it('a label from right to left, or one that turns the direction, leaves its place as it is', () => {
    const drawnFor = (name: string) => ownRow(864, '0.1', name).map(({ text }) => text);
    expect(drawnFor('עברית 7')).toContain('\u2068עברית 7\u2069 12 of 58 · 4.28000 ahead +2');
    expect(drawnFor('\u202edesk')).toContain('\u2068desk\u2069 12 of 58 · 4.28000 ahead +2');
  });

  it.each(['plain', 'striped', 'dotted', 'hollow'] as const)(
    'distinguishes a watched order of pattern %s by more than colour: its letter and the cut in its bar',
    (pattern) => {
      const watched = {
        ...scene({ asks, bids: [{ ...bids[0], px: '99' }] }),
        marks: [{ hue: 'magenta', pattern, letter: 'W', name: '' }] as const,
      };
      watched.frame.marks[0] = 1;
      painter.paint(watched, 0);
      expect(drawn.take().map(({ text }) => text)).toContain('W');
      const [bar] = drawn.rects('magenta');
      const cut = drawn.rects('surface').filter(({ x, y }) => x === (bar?.x ?? 0) + 1 && y === (bar?.y ?? 0) + 3);
      expect(cut).toHaveLength(pattern === 'hollow' ? 1 : 0);
    },
  );

  it('draws a bar beyond the full size broken', () => {
    const wall = Array.from({ length: 8 }, (_, at) => ({
      px: String(101 + at) as '101',
      sz: at === 3 ? '90' : '2',
      cumulative: '5',
      count: 1,
    })) as never;
    painter.paint(scene({ asks: wall, bids }), 0);
    expect(drawn.cuts()).toBe(2);
    expect(drawn.take().map(({ text }) => text)).toContain('full bar 2 BTC');
  });

  it('when the full bar changes, draws the bars and the heading again, and no number that stays', () => {
    painter.paint(scene({ asks, bids }), 0);
    const barOf101 = () => drawn.boxes('ask').findLast(({ y, width }) => y === HEADING + 9 * ROW + 4 && width < 600);
    const before = must(barOf101());
    drawn.take();
    painter.paint(scene({ asks: [asks[0], { ...asks[1], sz: '8' }], bids }), 1);
    expect(must(barOf101()).width).toBeLessThan(before.width);
    const texts = drawn.take().map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['full bar 8 BTC', '8.0']));
    expect(texts).not.toContain('4.0');
  });

  it.each([
    ['under the pointer', { hover: 9 }],
    ['the keyboard’s', { active: 101 }],
    ['selected', { selected: { side: 'A', index: 101 } }],
    ['pointed at in another ladder', { crosshair: 101 }],
    ['that of an alert', { alerts: new Set([101]) }],
    ['in a band', { band: { kind: 'ruler', side: 'A', from: 101, to: 101 } }],
  ] as const)('draws a row when it becomes %s and when it no longer is, and not in between', (_, change) => {
    const one = scene({ asks, bids });
    const textsOf = (picture: Picture) => {
      painter.paint(picture, 0);
      return drawn.take().map(({ text }) => text);
    };
    textsOf(one);
    expect(textsOf({ ...one, ...change })).toEqual(expect.arrayContaining(['101', '4.0']));
    expect(textsOf({ ...one, ...change })).toEqual([]);
    expect(textsOf(one)).toEqual(expect.arrayContaining(['101', '4.0']));
  });

  it.each([0.5, 0.75, 1, 1.25, 1.5, 1.75])(
    'fills whole device pixels only, at least one, %d of them per CSS pixel',
    (ratio) => {
      drawn = stubCanvas();
      painter = new Painter(document.createElement('canvas'), theme);
      painter.resize(1_203, HEADING + SLOTS * ROW, ratio);
      const one = scene({ asks, bids });
      for (const hover of [undefined, 9, undefined]) painter.paint({ ...one, hover }, 0);
      const filled = ['surface', 'hover', 'line', 'ask', 'ask-depth', 'bid-depth'].flatMap((color) =>
        drawn.boxes(color),
      );
      const edges = filled.flatMap(({ x, y, width, height }) => [x, y, x + width, y + height]);
      expect(edges.filter((at) => Math.abs(at * ratio - Math.round(at * ratio)) > 1e-6)).toEqual([]);
      const lost = filled.filter(({ width, height }) => width > 0 && height * ratio < 0.99);
      expect(lost).toEqual([]);
    },
  );

  it('marks a row that becomes the best one, although its numbers stay', () => {
    // The largest size, by which all bars are drawn, stays too.
    const deep = [
      { ...bids[0], sz: '4', cumulative: '4' },
      { ...bids[0], px: '99', sz: '4', cumulative: '8' },
    ] as const;
    const { axis } = ladderFrame({ slots: SLOTS, asks, bids: deep });
    painter.paint(scene({ asks, bids: deep, axis }), 0);
    painter.paint(scene({ asks: asks.slice(1), bids: deep, axis }), 1);
    expect(edges().ask).toBe(HEADING + 7 * ROW - 1);
  });

  it.each([
    [1_200, true],
    [1_200, false],
    [1_600, true],
    [2_400, true],
  ])(
    'with two sides and %i px, every heading is over or under its column, and the queues are named where they begin',
    (width, hasCounts) => {
      const height = headingsHeight('split', width) + SLOTS * ROW;
      painter.resize(width, height, 1);
      const one = scene({ asks, bids });
      painter.paint({ ...one, choice: { ...one.choice, count: hasCounts, cumulative: hasCounts } }, 0);
      const texts = drawn.take();
      const line = (isTop: boolean) => {
        const found = texts.filter(({ y }) => (isTop ? y < HEADING : y > height - HEADING));
        return {
          texts: found.map(({ text }) => text),
          at: (text: string) => must(found.find((one) => one.text === text)).x,
        };
      };
      const [top, bottom] = [line(true), line(false)];
      const price = { from: top.at('price'), to: top.at('price') + widthOf('price') };
      expect(bottom.at('price')).toBe(price.from);
      const names = hasCounts ? ['size', 'n', 'cum'] : ['size'];
      for (const name of names) {
        expect(top.at(name)).toBeGreaterThan(price.to);
        expect(bottom.at(name) + widthOf(name)).toBeLessThan(price.from);
      }
      for (const { texts: all } of [top, bottom]) {
        expect(all.filter((text) => ['size', 'n', 'cum', 'price'].includes(text))).toHaveLength(names.length + 1);
      }
      // A queue begins at the price, where its bars do.
      const gaps = [price.from - top.at('ask queue') - widthOf('ask queue'), bottom.at('bid queue') - price.to];
      for (const gap of gaps) {
        expect(gap).toBeGreaterThan(0);
        expect(gap).toBeLessThan(40);
      }
    },
  );

  it('uses the coin without its dex prefix as the unit', () => {
    expect([unitOf('xyz:GOLD'), unitOf('BTC')]).toEqual(['GOLD', 'BTC']);
  });
});
