import { type DrawnSeries, drawEnds } from './draw-series.ts';

/** Px between a pane's sides and its plot. Chart, brush and strips share them, so that a time has one x position in all three. */
export interface PlotEdges {
  readonly left: number;
  readonly right: number;
}

const LEFT = 64;
const RIGHT = 16;
/** Width of each further letter, for lines with the same end. */
const LETTER = 8;

/** The edges that leave space for the letters at the ends of all lines; `plots` are the groups of series that share a plot. */
export function plotEdges(plots: readonly (readonly DrawnSeries[])[]): PlotEdges {
  const beside = Math.max(1, ...plots.flatMap((series) => drawEnds(series).map(({ length }) => length))) - 1;
  return { left: LEFT, right: RIGHT + beside * LETTER };
}

/** Px above the rates, and below the last pane for the times. */
export const TOP = 12;
export const BOTTOM = 24;
/** Px between two plots. */
const GAP = 12;
/** Px above the first pane for the heading of all panes, in addition to the gap. */
const HEADING = 10;
const RATES_LEAST = 200;
const PANE_MOST = 140;

const headingOf = (panes: number) => (panes === 0 ? 0 : HEADING);

/** A pane that all coins share is higher than one of several. */
const leastPane = (panes: number) => (panes === 1 ? 96 : 48);

/** The minimum height of a chart with this many panes below the rates, px. */
export function leastHeight(panes: number): number {
  return TOP + RATES_LEAST + headingOf(panes) + panes * (GAP + leastPane(panes)) + BOTTOM;
}

/** A plot from `top` to `bottom`, px. */
export interface PlotRows {
  readonly top: number;
  readonly bottom: number;
}

/** The rates above, and this many panes stacked below them, in a chart of this height. A single pane gets a larger share. */
export function stackedPlots(
  height: number,
  panes: number,
): { readonly rates: PlotRows; readonly panes: readonly PlotRows[] } {
  const room = Math.max(0, height - TOP - BOTTOM);
  const share = panes === 1 ? room * 0.4 : Math.min(PANE_MOST, (room * 0.55) / Math.max(1, panes) - GAP);
  const most = (room - RATES_LEAST - headingOf(panes)) / Math.max(1, panes) - GAP;
  const each = Math.floor(Math.max(leastPane(panes), Math.min(share, most)));
  const end = TOP + room;
  const tops = Array.from({ length: panes }, (_, at) => end - (panes - at) * (each + GAP) + GAP);
  return {
    rates: { top: TOP, bottom: (tops[0] ?? end + GAP) - GAP - headingOf(panes) },
    panes: tops.map((top) => ({ top, bottom: top + each })),
  };
}
