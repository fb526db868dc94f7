import { useEffect, useMemo, useRef } from 'react';
import { NARROW, useMedia, WIDEST } from '../../hooks/use-media.ts';
import type { ChangeHow } from '../../state/page-search.ts';
import { type BookPreferences, type LadderPreferences, usePreferences } from '../../state/preferences.ts';
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
  readonly strip: boolean;
  readonly time: boolean;
  /** There is room for the radar's strip: the radar is shown in it, and is not among the panes. */
  readonly hasRadarStrip: boolean;
  /** The radar's strip is shown, if there is room for it. */
  readonly radar: boolean;
  /** The ladders' share of the width, in percent; undefined for the default. */
  readonly split: number | undefined;
  /** Numbers on one side of the price or on two. */
  readonly layout: LadderPreferences['layout'];
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
  readonly onStrip: (shown: boolean) => void;
  readonly onTime: (shown: boolean) => void;
  readonly onRadar: (shown: boolean) => void;
  readonly onSplit: (split: number | undefined) => void;
  readonly onLayout: (layout: LadderPreferences['layout']) => void;
}

export function usePanels(choices: LadderChoices, change: (next: LadderChoices, how?: ChangeHow) => void): Panels {
  const kept = usePreferences((state) => state.book);
  const setBook = usePreferences((state) => state.setBook);
  const setLadder = usePreferences((state) => state.setLadder);
  const setRadar = usePreferences((state) => state.setRadar);
  const keptRadar = usePreferences((state) => state.radar.strip);
  const keptLayout = usePreferences((state) => state.ladder.layout);
  const isSheet = useMedia(NARROW);
  const hasRadarStrip = useMedia(WIDEST);
  const wanted = paneOf(choices, kept.pane, isSheet);
  const asksForStrip = hasRadarStrip && wanted === RADAR_PANE;
  const other = kept.pane === RADAR_PANE ? 'level' : kept.pane;
  const open = asksForStrip ? other : wanted;
  const pane = isPane(open) ? open : undefined;
  const closed = choices.closed === undefined ? kept.closed : choices.closed === 'none' ? [] : choices.closed;
  const latest = useRef({ pane, closed, hasRadarStrip, asksForStrip, isSheet, last: 'level' });
  useEffect(() => {
    const last = pane ?? latest.current.last;
    latest.current = { pane, closed, hasRadarStrip, asksForStrip, isSheet, last };
  });
  const actions = useMemo(() => {
    const set = (next: LadderChoices, keep: Partial<BookPreferences>) => {
      setBook(keep);
      change(next);
    };
    /** Another pane takes the place of the one that asked for the strip: from now on it is shown by itself. */
    const keptStrip = (): LadderChoices => {
      if (!latest.current.asksForStrip) return {};
      setRadar({ strip: true });
      return { radar: '1' };
    };
    const opened = (key: string): LadderChoices => {
      const { closed: before } = latest.current;
      const strip = keptStrip();
      if (!before.includes(key)) {
        setBook({ pane: key });
        return { ...strip, pane: key };
      }
      const left = before.filter((other) => other !== key);
      setBook({ pane: key, closed: left });
      return { ...strip, pane: key, closed: closedText(left) };
    };
    const openingHow = (): ChangeHow =>
      latest.current.isSheet && latest.current.pane === undefined ? 'open' : 'replace';
    const onRadar = (shown: boolean) => {
      const { pane: beside = NO_PANE, asksForStrip: isAsked } = latest.current;
      setRadar({ strip: shown });
      const radar = shown ? '1' : '0';
      // Otherwise the URL or the preferences would go on asking for the strip.
      if (isAsked) set({ radar, pane: beside }, { pane: beside });
      else change({ radar });
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
        const { pane: open, closed: before } = latest.current;
        return open === key && !before.includes(key) ? {} : opened(key);
      },
      onPane,
      onReopenPane: () => {
        const { last, hasRadarStrip: isInStrip } = latest.current;
        onPane(last === RADAR_PANE && isInStrip ? 'level' : last);
      },
      onCloseOne: (key: string, others: readonly string[]) => {
        const { pane: open, closed: before } = latest.current;
        const left = [...before, key];
        const next = open === key || open === undefined ? (others[0] ?? NO_PANE) : open;
        set({ ...keptStrip(), pane: next, closed: left }, { pane: next, closed: left });
      },
      onClosePane: () => set({ ...keptStrip(), pane: NO_PANE }, { pane: NO_PANE }),
      onOrder: (order: readonly string[], placed: string) => {
        setBook({ panes: [...order] });
        change({ panes: order, ...opened(placed) });
      },
      onStrip: (shown: boolean) => set({ strip: shown ? '1' : '0' }, { strip: shown }),
      onTime: (shown: boolean) => set({ time: shown ? '1' : '0' }, { time: shown }),
      onSplit: (split: number | undefined) => set({ split }, { split: split ?? null }),
      onRadar,
      onLayout: (layout: LadderPreferences['layout']) => {
        setLadder({ layout });
        change({ sides: layout === 'split' ? '2' : '1' });
      },
    };
  }, [setBook, setLadder, setRadar, change]);
  return {
    pane,
    closed,
    leaving: isSheet ? { pane: undefined } : {},
    order: choices.panes ?? kept.panes,
    strip: choices.strip === undefined ? kept.strip : choices.strip === '1',
    time: choices.time === undefined ? kept.time : choices.time === '1',
    split: choices.split ?? kept.split ?? undefined,
    hasRadarStrip,
    radar: asksForStrip || (choices.radar === undefined ? keptRadar : choices.radar === '1'),
    layout: choices.sides === undefined ? keptLayout : choices.sides === '2' ? 'split' : 'single',
    ...actions,
  };
}

/** Closed panes as the URL writes them. */
function closedText(closed: readonly string[]): 'none' | readonly string[] {
  return closed.length === 0 ? 'none' : closed;
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
