import { BELOW } from '../../ui/chart/chart-parts.ts';
import type { PaneKind } from './search.ts';

/** Px above the first pane for what all panes show. */
export const HEADING = 16;
/** Room for half a line of the lowest value, where no times are below, px. */
export const BELOW_RATES = 6;
const RATES_LEAST = 200;
const PANE_MOST = 140;
/** A pane that all coins share is higher than one of several. */
const leastPane = (panes: number) => (panes === 1 ? 108 : 60);

/** How many panes are below the rates. */
export function panesOf(kind: PaneKind | undefined, coins: number): number {
  return kind === undefined ? 0 : kind === 'cumulative' ? 1 : coins;
}

/** The height of each pane in a chart with this much room, px. A single pane gets a larger share. */
export function paneHeight(panes: number, room: number): number {
  const share = panes === 1 ? room * 0.4 : Math.min(PANE_MOST, (room * 0.55) / Math.max(1, panes));
  return Math.floor(Math.max(leastPane(panes), Math.min(share, (room - RATES_LEAST) / Math.max(1, panes))));
}

/** The height of the rates in a chart of this height, px, without their times. */
export function ratesHeight(kind: PaneKind | undefined, coins: number, height: number): number {
  const panes = panesOf(kind, coins);
  const room = height - BELOW - (panes === 0 ? 0 : HEADING);
  return room - panes * paneHeight(panes, room);
}

/** The least height of the rates and the panes below them, px. */
export function leastHeight(kind: PaneKind | undefined, coins: number): number {
  const panes = panesOf(kind, coins);
  return RATES_LEAST + (panes === 0 ? 0 : HEADING) + panes * leastPane(panes) + BELOW;
}
