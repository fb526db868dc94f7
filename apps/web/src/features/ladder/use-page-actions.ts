import type { Address } from '@l4desk/protocol';
import { useMemo } from 'react';
import type { LadderChoices } from './search.ts';
import type { Panels } from './use-panels.ts';

/** What panes and notices change in the URL. */
export function usePageActions(change: (next: LadderChoices) => void, panels: Panels) {
  const { leaving, onPane, onClosePane } = panels;
  const closesSheet = 'pane' in leaving;
  return useMemo(
    () => ({
      noBlock: () => change({ block: undefined }),
      deselect: () => change({ level: undefined, order: undefined, ...(closesSheet ? { pane: undefined } : {}) }),
      order: (order: number | undefined) => change({ order }),
      // One wallet alone, or the book without one: not both.
      without: (without: Address | undefined) => change({ without, only: undefined }),
      only: (only: Address | undefined) => change({ only, without: undefined }),
      pane: onPane,
      closePane: onClosePane,
    }),
    [change, closesSheet, onPane, onClosePane],
  );
}

export type PageActions = ReturnType<typeof usePageActions>;
