import type { Address } from '@l4desk/protocol';
import { useEffect, useMemo } from 'react';
import type { LevelRef } from '../../book-worker/position.ts';
import { useBook, useLive, useLiveTicks } from '../../book-worker/use-book.ts';
import { useStable } from '../../hooks/use-stable.ts';
import type { BookPage } from './book-page.ts';
import { POP_LADDER } from './pop/windows.ts';
import { type LadderChoices, type LadderSearch, levelOnTick, writeLevel } from './search.ts';
import { useHold } from './time/hold-button.tsx';
import { useTimeTravel } from './time/use-time-travel.ts';
import type { Panels } from './use-panels.ts';

interface ShownPageDeps extends Pick<BookPage, 'coin' | 'onCoin' | 'onLevel'> {
  readonly tick: string | undefined;
  readonly choices: LadderChoices;
  readonly change: LadderSearch['change'];
  /** How a pane is opened: beside the ladder, or in place of what a window of its own shows. */
  readonly panes: Pick<Panels, 'opening' | 'showing' | 'isSheet' | 'onPane'>;
}

/** What the page around a ladder and its panes is, and how they change it; with it, the controls of the shown moment. */
export function useShownPage({ coin, tick: wanted, choices, change, panes, onCoin, onLevel }: ShownPageDeps) {
  const live = useLive();
  const paused = useBook(({ status }) => status?.frozen !== undefined);
  const ticks = useLiveTicks();
  const tick = ticks.find((offered) => offered === wanted) ?? ticks[0];
  const level = useMemo(() => levelOnTick(choices.level, tick), [choices.level, tick]);
  const { order, without, only } = choices;
  const { opening, showing, isSheet, onPane } = panes;
  const travel = useTimeTravel(choices, change, onPane);
  const { isPlaying: playing } = travel;
  const hold = useHold({ paused, playing }, travel.onPlay);
  useEffect(() => {
    live.choose({ kind: 'only', wallet: only });
    return () => live.choose({ kind: 'only', wallet: undefined });
  }, [live, only]);
  const actions = useStable({
    onCoin,
    onLevel,
    onPane,
    // A sheet was opened for the selection.
    onDeselect: () => change({ level: undefined, order: undefined, ...(isSheet ? { pane: undefined } : {}) }),
    onLife: (oid: number) => change({ order: oid, ...opening('order') }, 'push'),
    onNoOrder: () => change({ order: undefined }),
    // Either one wallet alone, or the book without one: not both.
    onWithout: (wallet: Address | undefined) => change({ without: wallet, only: undefined }),
    onOnly: (wallet: Address | undefined) => change({ only: wallet, without: undefined }),
    onPassport: (of: LevelRef, oid: number) =>
      change({ level: writeLevel(of), order: oid, ...opening('order') }, 'push'),
    onSweep: (sweep: string) => change({ sweep, ...showing('sweep') }, 'open'),
  });
  const hasPanes = choices.pop !== POP_LADDER;
  const page = useMemo<BookPage>(
    () => ({ coin, tick, paused, playing, level, order, without, only, hasPanes, ...actions }),
    [coin, tick, paused, playing, level, order, without, only, hasPanes, actions],
  );
  return { page, ticks, travel, hold };
}
