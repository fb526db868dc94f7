import { useCallback, useEffect, useState } from 'react';
import type { LevelRef } from '../../book-worker/position.ts';
import { NARROW, useMedia, WIDE } from '../../hooks/use-media.ts';
import { useOpenedRecording } from '../../state/opened-recording.ts';
import { classNames } from '../../ui/class-names.ts';
import { SearchNotice } from '../../ui/page/search-notice.tsx';
import { useBookActions } from './actions.ts';
import { BookPageProvider } from './book-page.ts';
import { AddLadder } from './books/add-ladder.tsx';
import { LADDERS_MAX, type PlacedLadder } from './books/books.ts';
import { Ladders, LadderTabs, usePaneRefs } from './books/ladders.tsx';
import type { Books } from './books/use-books.ts';
import { PageLegend } from './legend/page-legend.tsx';
import { TargetMenu } from './menu/target-menu.tsx';
import { BlockNotice, StoppedNotice, TickNotice } from './notices.tsx';
import { useNoPaneFocus } from './pane-focus.ts';
import { PaneGrid } from './pane-grid.tsx';
import { WindowsMenu } from './pop/windows-menu.tsx';
import { RadarStrip } from './radar/radar-strip.tsx';
import { DropTarget } from './recordings/drop-target.tsx';
import { RecordedBand } from './recordings/recorded-band.tsx';
import { useRecordings } from './recordings/use-recordings.ts';
import type { LadderChoices } from './search.ts';
import { Rail, SidePanel } from './side-panel.tsx';
import { Splitter } from './splitter.tsx';
import { StatusLine } from './status-line.tsx';
import { FiguresStrip } from './strip/figures-strip.tsx';
import { StripFrame } from './strip-frame.tsx';
import { TimeStrip } from './time/time-strip.tsx';
import { TitleLine } from './title-line.tsx';
import type { Panels } from './use-panels.ts';
import { useShownPage } from './use-shown-page.ts';
import { currentWorkspace } from './workspaces/current-workspace.ts';
import { WorkspacesMenu } from './workspaces/workspaces-menu.tsx';

/** With more characters of coin and grouping, a phone's title line has no room to add a ladder: the palette does. */
const SHORT_MAX = 9;

interface BookPageLayoutProps {
  /** The active ladder, whose book is the context of this component. */
  readonly ladder: PlacedLadder;
  /** All ladders for which there is room. */
  readonly shown: readonly PlacedLadder[];
  readonly books: Books;
  readonly known: (coin: string) => boolean;
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
  const openedCoin = useOpenedRecording((state) => state.coin);
  const isKnown = props.known(coin) || openedCoin === coin;
  const panes = usePaneRefs();
  const pane = panes[ladder.index] ?? panes[0];
  const [picking, setPicking] = useState(false);
  const [adding, setAdding] = useState(false);
  const [arranging, setArranging] = useState(false);
  const isWide = useMedia(WIDE);
  const isNarrow = useMedia(NARROW);
  const split = isNarrow || panels.pane === undefined ? undefined : panels.split;
  const mode = ladder.mode ?? 'auto';
  const { index } = ladder;
  const { actions: change } = books;
  const { onFollow } = props;
  const onCoin = useCallback(
    (next: string) => {
      setPicking(false);
      onFollow(next);
      change.coin(next);
    },
    [onFollow, change],
  );
  const onLevel = useCallback((next: LevelRef) => change.select(index, next), [change, index]);
  const { page, ticks, travel, hold } = useShownPage({
    coin,
    tick: ladder.tick,
    choices,
    change: props.onChange,
    panes: panels,
    onCoin,
    onLevel,
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
    onPick: () => setPicking(true),
    onDeselect: only === undefined ? page.onDeselect : () => page.onOnly(undefined),
    books,
    panels,
    travel,
    choices,
    level,
    popped: { coin, choices: ofLadder },
    onChange: props.onChange,
    onSweep: page.onSweep,
    onAdd: () => setAdding(true),
    onArrange: () => setArranging(true),
  });

  return (
    <BookPageProvider value={page}>
      <TitleLine
        coin={coin}
        known={isKnown}
        picking={picking}
        onPicking={setPicking}
        onCoin={onCoin}
        ladder={controlled}
        more={
          <>
            <span className={classNames('contents', coin.length + (tick?.length ?? 0) > SHORT_MAX && 'max-sm:hidden')}>
              <AddLadder
                isFull={books.ladders.length >= LADDERS_MAX}
                open={adding}
                onOpenChange={setAdding}
                onAdd={(book) => {
                  props.onFollow(book.coin);
                  change.add(book);
                }}
              />
            </span>
            <span className="flex gap-1 max-sm:hidden">
              <WindowsMenu coin={coin} choices={ofLadder} />
              <WorkspacesMenu
                now={currentWorkspace(choices, books, panels)}
                open={arranging}
                onOpenChange={setArranging}
              />
            </span>
          </>
        }
      />
      <RecordedBand actions={recordings} />
      <DropTarget onFile={recordings.onFile} />
      <SearchNotice invalid={search.invalid} onDismiss={search.clean} />
      <TickNotice coin={coin} asked={ladder.tick} ticks={ticks} onDismiss={change.defaultTick} />
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
              known={props.known}
              panes={panes}
              layout={panels.layout}
              level={choices.level}
              actions={change}
              onFollow={props.onFollow}
            />
            {!isNarrow && panels.pane !== undefined && <Splitter split={split} onSplit={panels.onSplit} />}
            <PanesBeside panels={panels} isFlexible={split !== undefined} />
            {panels.hasRadarStrip && panels.radar && <RadarStrip onClose={() => panels.onRadar(false)} />}
          </div>
          {panels.strip && (
            <StripFrame name="Figures" isOfNow onClose={() => panels.onStrip(false)}>
              <FiguresStrip />
            </StripFrame>
          )}
          {panels.time && (
            <StripFrame name="Time" onClose={() => panels.onTime(false)}>
              <TimeStrip travel={travel} recordings={recordings} />
            </StripFrame>
          )}
        </>
      ) : (
        <UnknownCoin coin={coin} onPick={() => setPicking(true)} />
      )}
      {isKnown && <StatusLine />}
      <PageLegend />
      <TargetMenu />
    </BookPageProvider>
  );
}

interface PanesBesideProps {
  readonly panels: Panels;
  readonly isFlexible: boolean;
}

/** The panes beside the ladders: as many as fit, or one; without any, their names. */
function PanesBeside({ panels, isFlexible }: PanesBesideProps) {
  const isWide = useMedia(WIDE);
  const { pane, chart, onPane, onChart, onClosePane } = panels;
  if (!isWide) {
    return (
      <SidePanel
        pane={pane}
        hasChart={chart}
        onPane={onPane}
        onCloseChart={() => onChart(false)}
        onClose={onClosePane}
        isFlexible={isFlexible}
      />
    );
  }
  if (pane === undefined) return <Rail onPane={onPane} />;
  return (
    <PaneGrid
      pane={pane}
      hasRadar={!panels.hasRadarStrip}
      order={panels.order}
      closed={panels.closed}
      onOrder={panels.onOrder}
      onCloseOne={panels.onCloseOne}
      onClose={onClosePane}
    />
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
