import { useMemo } from 'react';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import { type BookPreferences, type LadderPreferences, usePreferences } from '../../state/preferences.ts';
import { isPane, NO_PANE } from './panes.tsx';
import type { LadderChoices } from './search.ts';

/** What is open around the ladder: from the URL, otherwise as last used. */
export interface Panels {
  /** The open tab; undefined while the panel is closed. */
  readonly pane: string | undefined;
  /** All panes in the chosen order, for a page with room for several at once; empty for the default order. */
  readonly order: readonly string[];
  readonly strip: boolean;
  readonly time: boolean;
  /** The radar's strip, if there is room for it. */
  readonly radar: boolean;
  /** The ladders' share of the width, in percent; undefined for the default. */
  readonly split: number | undefined;
  /** Numbers on one side of the price or on two. */
  readonly layout: LadderPreferences['layout'];
  readonly onPane: (key: string) => void;
  /** The URL changes that open a tab, for combining with other changes; empty if the tab is already open. */
  readonly opening: (key: string) => LadderChoices;
  /** The URL changes after a deselection: closes a sheet that was opened for the selection. */
  readonly leaving: LadderChoices;
  readonly onClosePane: () => void;
  /** `pane` is the one that was just placed. */
  readonly onOrder: (order: readonly string[], pane: string) => void;
  readonly onStrip: (shown: boolean) => void;
  readonly onTime: (shown: boolean) => void;
  readonly onRadar: (shown: boolean) => void;
  readonly onSplit: (split: number | undefined) => void;
  readonly onLayout: (layout: LadderPreferences['layout']) => void;
}

export function usePanels(choices: LadderChoices, change: (next: LadderChoices) => void): Panels {
  const kept = usePreferences((state) => state.book);
  const setBook = usePreferences((state) => state.setBook);
  const setLadder = usePreferences((state) => state.setLadder);
  const setRadar = usePreferences((state) => state.setRadar);
  const keptRadar = usePreferences((state) => state.radar.strip);
  const keptLayout = usePreferences((state) => state.ladder.layout);
  const isSheet = useMedia(NARROW);
  const actions = useMemo(() => {
    const set = (next: LadderChoices, keep: Partial<BookPreferences>) => {
      setBook(keep);
      change(next);
    };
    return {
      onPane: (key: string) => set({ pane: key }, { pane: key }),
      onClosePane: () => set({ pane: NO_PANE }, { pane: NO_PANE }),
      onOrder: (order: readonly string[], pane: string) => set({ panes: order, pane }, { panes: [...order], pane }),
      onStrip: (shown: boolean) => set({ strip: shown ? '1' : '0' }, { strip: shown }),
      onTime: (shown: boolean) => set({ time: shown ? '1' : '0' }, { time: shown }),
      onSplit: (split: number | undefined) => set({ split }, { split: split ?? null }),
      onRadar: (shown: boolean) => {
        setRadar({ strip: shown });
        change({ radar: shown ? '1' : '0' });
      },
      onLayout: (layout: LadderPreferences['layout']) => {
        setLadder({ layout });
        change({ sides: layout === 'split' ? '2' : '1' });
      },
    };
  }, [setBook, setLadder, setRadar, change]);
  const wanted = paneOf(choices, kept.pane, isSheet);
  const pane = isPane(wanted) ? wanted : undefined;
  const opening = (key: string) => {
    if (pane === key) return {};
    setBook({ pane: key });
    return { pane: key };
  };
  return {
    pane,
    opening,
    leaving: isSheet ? { pane: undefined } : {},
    order: choices.panes ?? kept.panes,
    strip: choices.strip === undefined ? kept.strip : choices.strip === '1',
    time: choices.time === undefined ? kept.time : choices.time === '1',
    split: choices.split ?? kept.split ?? undefined,
    radar: choices.radar === undefined ? keptRadar : choices.radar === '1',
    layout: choices.sides === undefined ? keptLayout : choices.sides === '2' ? 'split' : 'single',
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
