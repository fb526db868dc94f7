import { useEffect, useRef } from 'react';
import type { LevelRef } from '../../../book-worker/position.ts';
import { useLive, useLiveTicks } from '../../../book-worker/use-book.ts';
import { SearchNotice } from '../../../ui/page/page.tsx';
import { useWatchedWallets } from '../../../wallets/watch-wallets.ts';
import { type BookPage, BookPageProvider } from '../book-page.ts';
import type { PlacedLadder } from '../books/books.ts';
import { LadderColumn, LadderState } from '../books/ladder-column.tsx';
import { useBooks } from '../books/use-books.ts';
import type { LadderHandle } from '../canvas/ladder-handle.ts';
import { useLadderActions, usePoppedPaneActions, useTimeActions } from '../ladder-actions.ts';
import { LadderControls } from '../ladder-controls.tsx';
import { TargetMenu } from '../menu/target-menu.tsx';
import { StoppedNotice } from '../notices.tsx';
import { PANES, type Pane, PaneBody } from '../panes.tsx';
import { type LadderChoices, type LadderSearch, writeLevel } from '../search.ts';
import { ShownBlock } from '../status-line.tsx';
import type { Hold } from '../time/hold-button.tsx';
import { usePanels } from '../use-panels.ts';
import { useShownPage } from '../use-shown-page.ts';
import { POP_LADDER } from './windows.ts';

interface PopOutProps {
  readonly coin: string;
  readonly pop: string;
  readonly choices: LadderChoices;
  readonly change: LadderSearch['change'];
}

/**
 * A ladder or a pane in a separate window: a page like any other, but without the chrome and with its own book. Its URL is all
 * that it shares with the window that opened it.
 */
export function PopOut({ coin, pop, choices, change }: PopOutProps) {
  const { tick, view: mode } = choices;
  const live = useLive();
  const pane = PANES.find(({ key }) => key === pop);
  const panels = usePanels(choices, change);
  const { actions } = useBooks(coin, ALONE, change, panels);
  // A pane opens in place of the shown one; a window with a ladder has none.
  const opening = (key: string): LadderChoices => (isLadder(pop) ? {} : { pop: key });
  const panes = {
    opening,
    showing: opening,
    isSheet: false,
    onPane: (key: string) => change(opening(key)),
  };
  const onLevel = (next: LevelRef) => change({ level: writeLevel(next), order: undefined });
  const { coin: onCoin, tick: onTick, mode: onMode } = actions;
  const { page, travel, hold } = useShownPage({ coin, tick, choices, change, panes, onCoin, onLevel });
  useTimeActions(pane?.isOther === true ? undefined : travel);
  useWatchedWallets();
  useEffect(() => {
    document.title = `${coin} ${pane === undefined ? 'ladder' : pane.name} · L4 Desk`;
  }, [coin, pane]);
  const handle = useRef<LadderHandle>(null);
  const ladder: PlacedLadder = { coin, tick, mode, index: 0, pane: handle, live, isOwn: true, view: 0 };
  return (
    <BookPageProvider value={page}>
      <h1 className="sr-only">
        {coin} {pane === undefined ? 'ladder' : pane.name}
      </h1>
      <StoppedNotice />
      {pane === undefined ? (
        <PoppedLadder ladder={ladder} page={page} hold={hold} onTick={onTick} onMode={onMode} />
      ) : (
        <PoppedPane pane={pane} ladder={ladder} page={page} hold={hold} />
      )}
      {pane === undefined && !isLadder(pop) && (
        <SearchNotice invalid={[`pop=${pop}`]} onDismiss={() => change({ pop: POP_LADDER })} />
      )}
      <TargetMenu />
    </BookPageProvider>
  );
}

const ALONE: LadderChoices = { books: 'none' };

const isLadder = (pop: string) => pop === POP_LADDER;

interface PoppedLadderProps {
  readonly ladder: PlacedLadder;
  readonly page: BookPage;
  readonly hold: Hold;
  readonly onTick: (tick: string) => void;
  readonly onMode: ReturnType<typeof useBooks>['actions']['mode'];
}

function PoppedLadder({ ladder, page, hold, onTick, onMode }: PoppedLadderProps) {
  const ticks = useLiveTicks();
  const controlled = { pane: ladder.pane, hold, tick: page.tick, ticks, mode: ladder.mode ?? 'auto', onTick, onMode };
  useLadderActions(controlled, page.onDeselect);
  return (
    <>
      <div className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-0.5">
        <LadderControls ladder={controlled} isSmall />
      </div>
      <LadderColumn ladder={ladder} isActive isOneOfSeveral />
    </>
  );
}

interface PoppedPaneProps {
  readonly pane: Pane;
  readonly ladder: PlacedLadder;
  readonly page: BookPage;
  readonly hold: Hold;
}

function PoppedPane({ pane, ladder, page, hold }: PoppedPaneProps) {
  const live = useLive();
  usePoppedPaneActions(pane, page, hold);
  const { coin } = ladder;
  useEffect(() => live.follow(coin), [live, coin]);
  return (
    <>
      <header className="relative h-[max(26px,1lh)] shrink-0 border-b border-line bg-surface-1">
        <div className="own-layout flex items-center gap-x-2 pr-2">
          <LadderState ladder={ladder} isActive={false} onActivate={undefined} />
          <span className="flex gap-x-2 text-12 text-dim">
            {pane.name}
            <ShownBlock />
          </span>
        </div>
      </header>
      <div data-part="panel" data-pane={pane.key} className="flex min-h-0 grow flex-col bg-surface-1">
        <PaneBody pane={pane} />
      </div>
    </>
  );
}
