import { useEffect, useMemo, useRef } from 'react';
import { NARROW, useMedia, WIDEST } from '../../hooks/use-media.ts';
import type { ChangeHow } from '../../state/page-search.ts';
import { keepSettings, usePreferences, useSettings } from '../../state/preferences.ts';
import type { Settings } from '../../state/settings.ts';
import { focusIn } from './pane-focus.ts';
import { isPane, NO_PANE, RADAR_PANE } from './panes.tsx';
import type { LadderChoices } from './search.ts';

/** What is open around the ladder: from the URL, otherwise as last used. */
export interface Panels {
  /** The open tab; undefined while the panel is closed. */
  readonly pane: string | undefined;
  /** All panes in the chosen order, for a page with room for several at once; empty for the default order. */
  readonly order: readonly string[];
  /** Those of them that are closed. */
  readonly closed: readonly string[];
  /** The map of prices is shown above the open pane, if both fit. */
  readonly chart: boolean;
  readonly strip: boolean;
  readonly time: boolean;
  /** There is room for the radar's strip: the radar is shown in it, and is not among the panes. */
  readonly hasRadarStrip: boolean;
  /** The radar's strip is shown, if there is room for it. */
  readonly radar: boolean;
  /** The ladders' share of the width, in percent; undefined for the default. */
  readonly split: number | undefined;
  /** Numbers on one side of the price or on two. */
  readonly layout: Settings['layout'];
  readonly onPane: (key: string) => void;
  /** Opens a tab: returns the URL changes for it, for combining with others; empty if it is open. A stable function. */
  readonly opening: (key: string) => LadderChoices;
  /** What opening does to the browser history: Back closes a sheet, because it covers the ladder. A stable function. */
  readonly openingHow: () => ChangeHow;
  /** The URL changes after a deselection: closes a sheet that was opened for the selection. */
  readonly leaving: LadderChoices;
  /** Opens the tab that was open last on this page, otherwise the level's. */
  readonly onReopenPane: () => void;
  readonly onClosePane: () => void;
  /** Closes one of several panes; `others` are those that stay. */
  readonly onCloseOne: (pane: string, others: readonly string[]) => void;
  /** `pane` is the one that was just placed. */
  readonly onOrder: (order: readonly string[], pane: string) => void;
  readonly onChart: (shown: boolean) => void;
  readonly onStrip: (shown: boolean) => void;
  readonly onTime: (shown: boolean) => void;
  readonly onRadar: (shown: boolean) => void;
  readonly onSplit: (split: number | undefined) => void;
}

const PANEL_SETTINGS = ['layout', 'panes', 'closed', 'chart', 'strip', 'time', 'radarStrip', 'split'] as const;

export function usePanels(choices: LadderChoices, change: (next: LadderChoices, how?: ChangeHow) => void): Panels {
  const [{ layout, panes, closed, chart, strip, time, radarStrip, split }, set] = useSettings(PANEL_SETTINGS);
  const keptPane = usePreferences((state) => state.pane);
  const isSheet = useMedia(NARROW);
  const hasRadarStrip = useMedia(WIDEST);
  const wanted = paneOf(choices, keptPane, isSheet);
  const asksForStrip = hasRadarStrip && wanted === RADAR_PANE;
  const other = keptPane === RADAR_PANE ? 'level' : keptPane;
  const open = asksForStrip ? other : wanted;
  const pane = isPane(open) ? open : undefined;
  const isChosen = choices.pane !== undefined;
  const latest = useRef({ pane, isChosen, closed, hasRadarStrip, asksForStrip, isSheet, last: 'level' });
  useEffect(() => {
    const last = pane ?? latest.current.last;
    latest.current = { pane, isChosen, closed, hasRadarStrip, asksForStrip, isSheet, last };
  });
  const actions = useMemo(() => {
    /** Another pane takes the place of the one that asked for the strip: from now on it is shown by itself. */
    const keptStrip = () => (latest.current.asksForStrip ? { radarStrip: true } : {});
    const opened = (key: string): LadderChoices => {
      const { closed: before } = latest.current;
      const left = before.filter((one) => one !== key);
      return keepSettings({ ...keptStrip(), pane: key, ...(before.includes(key) ? { closed: left } : {}) });
    };
    const openingHow = (): ChangeHow =>
      latest.current.isSheet && latest.current.pane === undefined ? 'open' : 'replace';
    const onRadar = (isShown: boolean) => {
      const { pane: beside = NO_PANE, asksForStrip: isAsked } = latest.current;
      // Otherwise the URL or the preferences would go on asking for the strip.
      set({ radarStrip: isShown, ...(isAsked ? { pane: beside } : {}) });
    };
    const onPane = (key: string) => {
      if (key === RADAR_PANE && latest.current.hasRadarStrip) {
        onRadar(true);
        focusIn(RADAR_PANE);
      } else change(opened(key), openingHow());
    };
    return {
      openingHow,
      opening: (key: string): LadderChoices => {
        const { pane: shown, isChosen: isAddressed, closed: before, isSheet: covers } = latest.current;
        // A chosen level opens its pane by itself.
        const isImplied = key === 'level' && !isAddressed && !covers;
        return (shown === key || isImplied) && !before.includes(key) ? {} : opened(key);
      },
      onPane,
      onReopenPane: () => {
        const { last, hasRadarStrip: isInStrip } = latest.current;
        onPane(last === RADAR_PANE && isInStrip ? 'level' : last);
      },
      onCloseOne: (key: string, others: readonly string[]) => {
        const { pane: shown, closed: before } = latest.current;
        const next = shown === key || shown === undefined ? (others[0] ?? NO_PANE) : shown;
        set({ ...keptStrip(), pane: next, closed: [...before, key] });
      },
      onClosePane: () => set({ ...keptStrip(), pane: NO_PANE }),
      onOrder: (order: readonly string[], placed: string) =>
        change({ ...keepSettings({ panes: [...order] }), ...opened(placed) }),
      onChart: (isShown: boolean) => set({ chart: isShown }),
      onStrip: (isShown: boolean) => set({ strip: isShown }),
      onTime: (isShown: boolean) => set({ time: isShown }),
      onSplit: (share: number | undefined) => set({ split: share ?? null }),
      onRadar,
    };
  }, [set, change]);
  return {
    pane,
    closed,
    leaving: isSheet ? { pane: undefined } : {},
    order: panes,
    chart,
    strip,
    time,
    split: split ?? undefined,
    hasRadarStrip,
    radar: asksForStrip || radarStrip,
    layout,
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
