import { useEffect } from 'react';
import { NARROW, useMedia, WIDE } from '../../hooks/use-media.ts';
import { later } from '../../ui/later.tsx';
import { SearchNotice } from '../../ui/page/page.tsx';
import { useBookActions } from './actions.ts';
import { BookPageProvider } from './book-page.ts';
import { LADDERS_MAX, type PlacedLadder } from './books/books.ts';
import { Ladders, LadderTabs } from './books/ladders.tsx';
import { type Books, useKnownCoins } from './books/use-books.ts';
import { TargetMenu } from './menu/target-menu.tsx';
import { BlockNotice, StoppedNotice, TickNotice } from './notices.tsx';
import { closePageMenus, openPageMenu, usePageMenu } from './page-menu.ts';
import { PageMenus } from './page-menus.tsx';
import { useNoPaneFocus } from './pane-focus.ts';
import { PanesBeside } from './panes-beside.tsx';
import { DropTarget, RecordedBand } from './recordings/recorded-band.tsx';
import { useRecordings } from './recordings/use-recordings.ts';
import type { LadderChoices } from './search.ts';
import { StatusLine } from './status-line.tsx';
import { Strips } from './strips.tsx';
import { TitleLine } from './title-line.tsx';
import type { Panels } from './use-panels.ts';
import { useShownPage } from './use-shown-page.ts';
import { currentWorkspace } from './workspaces/current-workspace.ts';

const Legend = later(async () => (await import('./legend/legend.tsx')).default);

interface BookPageLayoutProps {
  readonly ladder: PlacedLadder;
  readonly shown: readonly PlacedLadder[];
  readonly books: Books;
  readonly choices: LadderChoices;
  readonly onChange: (next: LadderChoices) => void;
  readonly search: { readonly invalid: readonly string[]; readonly clean: () => void };
  readonly panels: Panels;
  readonly onFollow: (coin: string) => void;
}

/** Everything around and inside the ladders. It is rendered in the context of the active ladder's book. */
export function BookPageLayout(props: BookPageLayoutProps) {
  const { ladder, shown, books, choices, search, panels } = props;
  const { coin } = ladder;
  const isKnown = useKnownCoins()(coin);
  const legend = usePageMenu('legend');
  useEffect(() => closePageMenus, []);
  useEffect(() => {
    for (const { pane } of shown) pane.current?.run({ kind: 'still', isStill: legend.open });
  }, [shown, legend.open]);
  const isWide = useMedia(WIDE);
  const isNarrow = useMedia(NARROW);
  const split = isNarrow || panels.pane === undefined ? undefined : panels.split;
  const mode = ladder.mode ?? 'auto';
  const { index, pane } = ladder;
  const { actions: change } = books;
  const onCoin = (next: string) => {
    closePageMenus();
    props.onFollow(next);
    change.coin(next);
  };
  const { page, ticks, travel, hold } = useShownPage({
    coin,
    tick: ladder.tick,
    choices,
    change: props.onChange,
    panes: panels,
    onCoin,
    onLevel: (next) => change.select(index, next),
  });
  const { tick, level, only } = page;
  useEffect(() => {
    document.title = `${coin} book · L4 Desk`;
  }, [coin]);

  const recordings = useRecordings(coin, panels.onTime);
  // A popped-out window gets the grouping and centring of the active ladder, wherever the URL stores them.
  const ofLadder = { ...choices, tick: ladder.tick, view: ladder.mode };
  const controlled = { pane, hold, tick, ticks, mode, onTick: change.tick, onMode: change.mode };
  useBookActions({
    ladder: controlled,
    onDeselect: only === undefined ? page.onDeselect : () => page.onOnly(undefined),
    books,
    panels,
    travel,
    choices,
    level,
    popped: { coin, choices: ofLadder },
    onChange: props.onChange,
    onSweep: page.onSweep,
  });

  return (
    <BookPageProvider value={page}>
      <TitleLine
        known={isKnown}
        ladder={controlled}
        more={
          <PageMenus
            choices={ofLadder}
            workspace={() => currentWorkspace(choices, books, panels)}
            isFull={books.ladders.length >= LADDERS_MAX}
            onAdd={(book) => {
              props.onFollow(book.coin);
              change.add(book);
            }}
          />
        }
      />
      <RecordedBand actions={recordings} />
      <DropTarget onFile={recordings.onFile} />
      <SearchNotice invalid={search.invalid} onDismiss={search.clean} />
      <TickNotice coin={coin} asked={ladder.tick} ticks={ticks} onDismiss={() => change.tick(undefined)} />
      {isKnown && <StoppedNotice />}
      {isKnown && choices.block !== undefined && (
        <BlockNotice coin={coin} block={choices.block} onDismiss={() => props.onChange({ block: undefined })} />
      )}
      {shown.length < books.ladders.length && <LadderTabs books={books} />}
      {isKnown ? (
        <>
          <div className="flex min-h-0 min-w-0 grow max-pair:flex-col">
            <Ladders
              active={ladder}
              isFixed={isWide && panels.pane !== undefined}
              split={split}
              shown={shown}
              actions={change}
              onFollow={props.onFollow}
            />
            <PanesBeside panels={panels} split={split} />
          </div>
          <Strips panels={panels} travel={travel} recordings={recordings} />
        </>
      ) : (
        <UnknownCoin coin={coin} onPick={() => openPageMenu('coin')} />
      )}
      {isKnown && <StatusLine />}
      {legend.open && <Legend.Part onClose={() => legend.onOpenChange(false)} />}
      <TargetMenu />
    </BookPageProvider>
  );
}

function UnknownCoin({ coin, onPick }: { readonly coin: string; readonly onPick: () => void }) {
  useNoPaneFocus();
  return (
    <div className="flex grow items-center justify-center p-4 text-center text-dim">
      <p>
        The exchange has no perp coin “{coin}” with an order book.{' '}
        <button type="button" className="text-accent underline underline-offset-2" onClick={onPick}>
          Choose another coin{' '}
        </button>
      </p>
    </div>
  );
}
