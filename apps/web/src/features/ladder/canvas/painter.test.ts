// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { tickGrid } from '../../../book-worker/prices.ts';
import { type DrawnTexts, stubCanvas, theme } from '../../../test-support/canvas.ts';
import { ladderFrame } from '../../../test-support/ladder-frame.ts';
import { must } from '../../../test-support/must.ts';
import { HEADING, spreadText, unitOf } from './paint-lines.ts';
import { Painter, type Scene } from './painter.ts';

const ROW = 20;
const SLOTS = 20;

let drawn: DrawnTexts;
let painter: Painter;

beforeEach(() => {
  drawn = stubCanvas();
  painter = new Painter(document.createElement('canvas'), theme);
});

function scene(change: Parameters<typeof ladderFrame>[0]): Scene {
  return {
    frame: ladderFrame({ slots: SLOTS, ...change }),
    grid: must(tickGrid('1')),
    choice: { layout: 'split', count: true, cumulative: true, lane: true, bars: 'linear' },
    rowHeight: ROW,
    hover: undefined,
    active: undefined,
    selected: undefined,
    motion: false,
  };
}

const asks = [
  { px: '101', sz: '4', cumulative: '4', count: 2 },
  { px: '104', sz: '1', cumulative: '5', count: 1 },
] as const;
const bids = [{ px: '100', sz: '2', cumulative: '2', count: 1 }] as const;

/** How much depth is drawn in the row of a price; the divider of this book stands in the tenth row. */
function depthOf(px: number): number {
  const y = HEADING + (9 - (px - 101)) * ROW;
  return drawn
    .rects('ask-depth')
    .filter((rect) => rect.y === y)
    .reduce((sum, rect) => sum + rect.width, 0);
}

describe('the painter', () => {
  it('shows the surface, nothing darker, before there is a frame', () => {
    painter.resize(1_200, HEADING + SLOTS * ROW, 1);
    expect(drawn.rects('surface').at(-1)).toEqual({ x: 0, y: 0, width: 1_200 });
  });

  it('draws the depth through prices without orders', () => {
    painter.resize(1_200, HEADING + SLOTS * ROW, 1);
    painter.paint(scene({ asks, bids }), 0);
    expect(depthOf(101)).toBeGreaterThan(0);
    expect([depthOf(102), depthOf(103)]).toEqual([depthOf(101), depthOf(101)]);
    expect(depthOf(104)).toBeGreaterThan(depthOf(103));
    expect(depthOf(110)).toBe(depthOf(104));
  });

  it('[WEB-3] while the rows are held, an empty price has the depth of its side, whatever the market has passed', () => {
    painter.resize(1_200, HEADING + SLOTS * ROW, 1);
    const risen = [{ px: '102', sz: '7', cumulative: '7', count: 1 }] as const;
    const still = ladderFrame({ slots: SLOTS, asks, bids });
    const held = { asks: [{ px: '104', sz: '1', cumulative: '1', count: 1 }], bids: risen, axis: still.axis } as const;
    painter.paint(scene(held), 0);
    expect(depthOf(103)).toBe(0);
    expect(depthOf(105)).toBe(depthOf(104));
    expect(spreadText(scene(held).frame)).toMatch(/^↑ spread .* ↑$/);
    expect(spreadText(still)).toMatch(/^spread .*\d$/);
    const fallen = {
      asks: [{ px: '98', sz: '1', cumulative: '1', count: 1 }],
      bids: [{ ...bids[0], px: '90' }],
    } as const;
    expect(spreadText(ladderFrame({ ...fallen, axis: still.axis }))).toMatch(/^↓ spread .* ↓$/);
  });

  it('draws it anew where only the depth behind an empty price changed', () => {
    painter.resize(1_200, HEADING + SLOTS * ROW, 1);
    painter.paint(scene({ asks, bids }), 0);
    const before = drawn.rects('ask-depth').length;
    const smaller = [
      { px: '101', sz: '3', cumulative: '3', count: 2 },
      { px: '104', sz: '1', cumulative: '4', count: 1 },
    ] as const;
    painter.paint(scene({ asks: smaller, bids }), 1);
    const rows = new Set(
      drawn
        .rects('ask-depth')
        .slice(before)
        .map(({ y }) => y),
    );
    expect(rows).toContain(HEADING + 8 * ROW);
  });

  it.each([
    [1_200, ['full bar 4 BTC', 'ask queue', 'bid queue']],
    [600, ['ask queue', 'bid queue']],
    [320, ['queue']],
  ])('says at %i pixels what a lane is and, where there is room, what fills it', (width, expected) => {
    painter.resize(width, HEADING + SLOTS * ROW, 1);
    painter.paint(scene({ asks, bids }), 0);
    const headings = drawn
      .take()
      .filter(({ y, text }) => y < HEADING && /queue|full/.test(text))
      .map(({ text }) => text);
    expect(new Set(headings)).toEqual(new Set(expected));
  });

  it('counts a coin of a builder dex in the coin', () => {
    expect([unitOf('xyz:GOLD'), unitOf('BTC')]).toEqual(['GOLD', 'BTC']);
  });
});
