import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { BOTTOM, leastHeight, plotEdges, stackedPlots, TOP } from './draw-layout.ts';
import type { DrawnSeries } from './draw-series.ts';
import { spanAxis } from './draw-ticks.ts';

const ending = (value: number): DrawnSeries => ({
  times: [10],
  values: Float64Array.of(value),
  breaks: new Set(),
  intervals: [10],
});

it('leaves space at the right edge for the letters of lines with the same end, in the plot with the most', () => {
  const [alone, five] = [[ending(1)], Array.from({ length: 5 }, () => ending(2))];
  const edges = plotEdges([alone]);
  expect(plotEdges([])).toEqual(edges);
  expect(plotEdges([five, alone])).toEqual(plotEdges([alone, five]));
  expect(plotEdges([five, []]).left).toBe(edges.left);
  expect(plotEdges([five]).right - edges.right).toBe(4 * 8);
});

it('stacks the rates and the panes below them without overlap, from the top down to the times', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 1_200 }), (count, more) => {
      const height = leastHeight(count) + more;
      const { rates, panes } = stackedPlots(height, count);
      const plots = [rates, ...panes];
      expect(plots).toHaveLength(1 + count);
      expect(plots[0]?.top).toBe(TOP);
      expect(plots.at(-1)?.bottom).toBe(height - BOTTOM);
      expect(rates.bottom - rates.top).toBeGreaterThanOrEqual(200);
      for (const { top, bottom } of panes) expect(bottom - top).toBeGreaterThanOrEqual(count === 1 ? 96 : 48);
      const gaps = panes.map(({ top }, at) => top - (plots[at]?.bottom ?? 0));
      expect(gaps.every((gap) => gap >= 12)).toBe(true);
      expect(new Set(panes.map(({ top, bottom }) => bottom - top)).size).toBeLessThanOrEqual(1);
    }),
  );
});

it('spans the values of a pane and zero with its axis, and labels its ends with three digits of the span', () => {
  const cases = [
    [
      [-0.0634, 0.0771],
      ['−0.063', '0.077'],
    ],
    [
      [0.5, 0.8612],
      ['0.000', '0.861'],
    ],
    [
      [-12.5, -3],
      ['−12.5', '0.0'],
    ],
    [
      [0, 0],
      ['0.00', '1.00'],
    ],
  ] as const;
  for (const [extent, ends] of cases) {
    const { domain, text } = spanAxis(extent);
    expect(domain.map(text)).toEqual(ends);
    expect(domain[0]).toBeLessThanOrEqual(Math.min(0, extent[0]));
    expect(domain[1]).toBeGreaterThanOrEqual(Math.max(0, extent[1]));
  }
});
