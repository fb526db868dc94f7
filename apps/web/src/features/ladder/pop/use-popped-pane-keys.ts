import type { DecimalString } from '@l4desk/protocol';
import { useMemo } from 'react';
import type { BestPrices } from '../../../book-worker/panes.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { indexHolding, priceOfIndex, tickGrid } from '../../../book-worker/prices.ts';
import { useLive } from '../../../book-worker/use-book.ts';
import { type Shortcut, useShortcuts } from '../../../hooks/shortcuts.ts';
import type { BookPage } from '../book-page.ts';
import type { Pane } from '../panes.tsx';
import type { Hold } from '../time/use-hold.ts';
import { verifyNow } from '../verify-now.ts';

/** Keyboard shortcuts of a pane in a separate window: of the book if it shows the book, and of its rows if it shows a row. */
export function usePoppedPaneKeys({ key, isOther = false }: Pane, page: BookPage, hold: Hold): void {
  const live = useLive();
  const { tick, level, onLevel, onDeselect } = page;
  const shortcuts = useMemo((): readonly Shortcut[] => {
    const verify: Shortcut = { key: 'v', text: 'Verify now', run: () => verifyNow(live) };
    if (isOther) return key === 'journal' ? [verify] : [];
    const move = (rows: number) => () => {
      const best = live.book().panes?.best;
      const next = best && tick !== undefined ? rowBeside(level, tick, best, rows) : undefined;
      if (next !== undefined) onLevel(next);
    };
    return [
      { key: 'p', text: 'Pause, resume or play', run: hold.run },
      verify,
      ...(key === 'level'
        ? [
            { key: 'ArrowUp', text: 'A row up', run: move(1) },
            { key: 'ArrowDown', text: 'A row down', run: move(-1) },
            { key: 'Escape', text: 'Close the level', run: onDeselect },
          ]
        : []),
    ];
  }, [live, key, isOther, tick, hold, level, onLevel, onDeselect]);
  useShortcuts('Order book', shortcuts);
}

/** The row so many rows above the selected one, on the side that rests there; without one, the best row. */
export function rowBeside(
  level: LevelRef | undefined,
  tick: DecimalString,
  { bid, ask }: BestPrices,
  rows: number,
): LevelRef | undefined {
  const grid = tickGrid(tick);
  if (grid === undefined) return undefined;
  const offer = ask === undefined ? undefined : indexHolding(grid, 'A', ask);
  const from = level === undefined ? undefined : indexHolding(grid, level.side, level.px);
  const best = bid === undefined ? offer : indexHolding(grid, 'B', bid);
  const index = from === undefined ? best : from + rows;
  if (index === undefined || index < 0) return undefined;
  return { side: offer !== undefined && index >= offer ? 'A' : 'B', px: priceOfIndex(grid, index), tick: grid.tick };
}
