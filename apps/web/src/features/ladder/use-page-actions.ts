import type { Address } from '@l4desk/protocol';
import { useMemo } from 'react';
import type { LevelRef } from '../../book-worker/position.ts';
import { type LadderSearch, writeLevel } from './search.ts';
import type { Panels } from './use-panels.ts';

/** The URL changes that panes and notices make. */
export function usePageActions(change: LadderSearch['change'], panels: Panels) {
  const { leaving, opening, openingHow, onPane, onClosePane } = panels;
  const closesSheet = 'pane' in leaving;
  return useMemo(
    () => ({
      noBlock: () => change({ block: undefined }),
      deselect: () => change({ level: undefined, order: undefined, ...(closesSheet ? { pane: undefined } : {}) }),
      life: (order: number) => change({ order, ...opening('order') }, 'push'),
      noOrder: () => change({ order: undefined }),
      // Either one wallet alone, or the book without one: not both.
      without: (without: Address | undefined) => change({ without, only: undefined }),
      only: (only: Address | undefined) => change({ only, without: undefined }),
      passport: (level: LevelRef, order: number) =>
        change({ level: writeLevel(level), order, ...opening('order') }, 'push'),
      sweep: (sweep: string) => change({ sweep, ...opening('sweep') }, openingHow()),
      pane: onPane,
      closePane: onClosePane,
    }),
    [change, closesSheet, opening, openingHow, onPane, onClosePane],
  );
}

export type PageActions = ReturnType<typeof usePageActions>;
