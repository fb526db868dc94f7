import type { Address } from '@l4desk/protocol';
import { useMemo } from 'react';
import type { LevelRef } from '../../book-worker/position.ts';
import { usePreferences } from '../../state/preferences.ts';
import { type LadderChoices, writeLevel } from './search.ts';
import type { Panels } from './use-panels.ts';

/** The URL changes that panes and notices make. */
export function usePageActions(change: (next: LadderChoices) => void, panels: Panels) {
  const { leaving, onPane, onClosePane } = panels;
  const closesSheet = 'pane' in leaving;
  return useMemo(
    () => ({
      noBlock: () => change({ block: undefined }),
      deselect: () => change({ level: undefined, order: undefined, ...(closesSheet ? { pane: undefined } : {}) }),
      order: (order: number | undefined) => change({ order }),
      // Either one wallet alone, or the book without one: not both.
      without: (without: Address | undefined) => change({ without, only: undefined }),
      only: (only: Address | undefined) => change({ only, without: undefined }),
      passport: (level: LevelRef, order: number) => change({ level: writeLevel(level), order, ...opened('order') }),
      sweep: (sweep: string) => change({ sweep, ...opened('sweep') }),
      pane: onPane,
      closePane: onClosePane,
    }),
    [change, closesSheet, onPane, onClosePane],
  );
}

/** Opens a tab in the URL, and remembers it as the open one. */
function opened(pane: string): LadderChoices {
  usePreferences.getState().setBook({ pane });
  return { pane };
}

export type PageActions = ReturnType<typeof usePageActions>;
