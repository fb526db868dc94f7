import { useEffect, useRef } from 'react';
import { NARROW, useMedia, WIDEST } from '../../hooks/use-media.ts';
import { useStable } from '../../hooks/use-stable.ts';
import type { ChangeHow } from '../../state/page-search.ts';
import { keepSettings, usePreferences, useSettings } from '../../state/preferences.ts';
import { focusIn } from './pane-focus.ts';
import { isPane, NO_PANE, RADAR_PANE } from './panes.tsx';
import type { LadderChoices } from './search.ts';

const PANEL_SETTINGS = ['panes', 'closed', 'chart', 'strip', 'time', 'radarStrip', 'split'] as const;

export type Panels = ReturnType<typeof usePanels>;

/** What is open around the ladder, from the URL, otherwise as last used; the functions stay the same. */
export function usePanels(choices: LadderChoices, change: (next: LadderChoices, how?: ChangeHow) => void) {
  const [{ panes, closed, chart, strip, time, radarStrip, split }, set] = useSettings(PANEL_SETTINGS);
  const keptPane = usePreferences((state) => state.pane);
  const isSheet = useMedia(NARROW);
  const hasRadarStrip = useMedia(WIDEST);
  const wanted = paneOf(choices, keptPane, isSheet);
  const asksForStrip = hasRadarStrip && wanted === RADAR_PANE;
  const other = keptPane === RADAR_PANE ? 'level' : keptPane;
  const open = asksForStrip ? other : wanted;
  const pane = isPane(open) ? open : undefined;
  const lastPane = useRef('level');
  useEffect(() => {
    if (pane !== undefined) lastPane.current = pane;
  }, [pane]);
  /** Another pane takes the place of the one that asked for the strip: from now on it is shown by itself. */
  const keptStrip = asksForStrip ? { radarStrip: true } : {};
  const opened = (key: string): LadderChoices =>
    keepSettings({
      ...keptStrip,
      pane: key,
      ...(closed.includes(key) ? { closed: closed.filter((one) => one !== key) } : {}),
    });
  // A sheet covers the ladder, so Back closes it.
  const openingHow = (): ChangeHow => (isSheet && pane === undefined ? 'open' : 'replace');
  // Otherwise the URL or the preferences would go on asking for the strip.
  const onRadar = (isShown: boolean) =>
    set({ radarStrip: isShown, ...(asksForStrip ? { pane: pane ?? NO_PANE } : {}) });
  const onPane = (key: string) => {
    if (key !== RADAR_PANE || !hasRadarStrip) return change(opened(key), openingHow());
    onRadar(true);
    focusIn(RADAR_PANE);
  };
  const actions = useStable({
    openingHow,
    onRadar,
    onPane,
    /** The URL changes that open a tab, for combining with others; empty if it is open. */
    opening: (key: string): LadderChoices => {
      // A chosen level opens its pane by itself.
      const isImplied = key === 'level' && choices.pane === undefined && !isSheet;
      return (pane === key || isImplied) && !closed.includes(key) ? {} : opened(key);
    },
    /** The URL changes that show a tab until Back: it is not remembered. */
    showing: (key: string): LadderChoices =>
      pane === key ? {} : { ...(asksForStrip ? keepSettings({ radarStrip: true }) : {}), pane: key },
    /** Opens the tab that was open last on this page, otherwise the level's. */
    onReopenPane: () => onPane(lastPane.current === RADAR_PANE && hasRadarStrip ? 'level' : lastPane.current),
    onClosePane: () => set({ ...keptStrip, pane: NO_PANE }),
    /** Closes one of several panes; `others` are those that stay. */
    onCloseOne: (key: string, others: readonly string[]) => {
      const next = pane === key || pane === undefined ? (others[0] ?? NO_PANE) : pane;
      set({ ...keptStrip, pane: next, closed: [...closed, key] });
    },
    onOrder: (order: readonly string[], placed: string) =>
      change({ ...keepSettings({ panes: [...order] }), ...opened(placed) }),
    onChart: (isShown: boolean) => set({ chart: isShown }),
    onStrip: (isShown: boolean) => set({ strip: isShown }),
    onTime: (isShown: boolean) => set({ time: isShown }),
    onSplit: (share: number | undefined) => set({ split: share ?? null }),
  });
  return {
    /** The open tab; undefined while the panel is closed. */
    pane,
    closed,
    /** All panes in the chosen order, for a page with room for several at once; empty for the default order. */
    order: panes,
    isSheet,
    chart,
    strip,
    time,
    /** The ladders' share of the width, in percent; undefined for the default. */
    split: split ?? undefined,
    /** There is room for the radar's strip: the radar is shown in it, and is not among the panes. */
    hasRadarStrip,
    radar: asksForStrip || radarStrip,
    ...actions,
  };
}

/** A link to a level opens its queue. A sheet covers the ladder, so it opens only when asked for. */
function paneOf({ pane, level }: LadderChoices, kept: string, isSheet: boolean): string {
  if (pane !== undefined) return pane;
  if (level !== undefined) return 'level';
  return isSheet ? NO_PANE : kept;
}

/** The URL parameter as written, if it does not name a pane. */
export function refusedPane({ pane }: LadderChoices): readonly string[] {
  return pane === undefined || pane === NO_PANE || isPane(pane) ? [] : [`pane=${pane}`];
}
