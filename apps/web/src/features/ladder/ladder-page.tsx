import type { Address } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { coinsQuery } from '../../api/session.ts';
import type { Centring } from '../../book-worker/axis.ts';
import { useLive, useLiveTicks, useLiveValue } from '../../book-worker/live-context.tsx';
import type { LevelRef } from '../../book-worker/position.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { SearchNotice } from '../../ui/page/search-notice.tsx';
import { useWatchedWallets } from '../../wallets/use-watched-wallets.ts';
import { Announcer } from './announcer.tsx';
import { BlockNotice } from './block-notice.tsx';
import { type BookPage, BookPageProvider } from './book-page.ts';
import type { LadderPane } from './canvas/pane.ts';
import { Ladder } from './ladder.tsx';
import { type LadderChoices, ladderSearch, levelOnTick, writeLevel } from './search.ts';
import { SidePanel } from './side-panel.tsx';
import { StatusLine } from './status-line.tsx';
import { StoppedNotice } from './stopped-notice.tsx';
import { FiguresStrip } from './strip/figures-strip.tsx';
import { StripFrame } from './strip-frame.tsx';
import { TickNotice } from './tick-notice.tsx';
import { TimeStrip } from './time/time-strip.tsx';
import { TitleLine } from './title-line.tsx';
import { useLadderKeys } from './use-ladder-keys.ts';
import { usePanelKeys } from './use-panel-keys.ts';
import { type Panels, refusedPane, usePanels } from './use-panels.ts';

const route = getRouteApi('/app/book/$coin');

/** One coin's order-level book. */
export function LadderPage() {
  const { coin } = route.useParams();
  const { choices, change, refusing } = usePageSearch(ladderSearch);
  const { invalid, clean } = refusing(refusedPane(choices));
  const panels = usePanels(choices, change);
  const live = useLive();
  useWatchedWallets();
  const pane = useRef<LadderPane>(null);
  const [picking, setPicking] = useState(false);
  const actions = useLadderActions(change, panels, () => setPicking(false));
  const known = useQuery(coinsQuery).data?.coins.some((item) => item.coin === coin) ?? true;
  const paused = useLiveValue((status) => status?.frozen !== undefined);
  const ticks = useLiveTicks();
  const tick = ticks.find((offered) => offered === choices.tick) ?? ticks[0];
  const mode = choices.view ?? 'auto';
  const level = useMemo(() => levelOnTick(choices.level, tick), [choices.level, tick]);
  const onPause = (next: boolean) => live.pause(next);
  const { order, without } = choices;
  const page = useMemo<BookPage>(
    () => ({
      coin,
      tick,
      paused,
      level,
      order,
      onLevel: actions.select,
      onDeselect: actions.deselect,
      onOrder: actions.order,
      onPane: actions.pane,
      without,
      onWithout: actions.without,
    }),
    [coin, tick, paused, level, order, without, actions],
  );

  useEffect(() => {
    document.title = `${coin} book · L4 Desk`;
  }, [coin]);

  const more = usePanelKeys(panels);
  useLadderKeys({
    pane,
    paused,
    tick,
    ticks,
    onTick: actions.tick,
    onMode: actions.mode,
    onPicking: setPicking,
    onDeselect: actions.deselect,
    more,
  });

  return (
    <>
      <TitleLine
        coin={coin}
        known={known}
        picking={picking}
        onPicking={setPicking}
        onCoin={actions.coin}
        tick={tick}
        ticks={ticks}
        onTick={actions.tick}
        mode={mode}
        onMode={actions.mode}
        layout={panels.layout}
        onLayout={panels.onLayout}
        paused={paused}
        onPause={onPause}
        pane={pane}
      />
      <SearchNotice invalid={invalid} onDismiss={clean} />
      <TickNotice coin={coin} asked={choices.tick} ticks={ticks} onDismiss={actions.defaultTick} />
      {known && <StoppedNotice />}
      {known && choices.block !== undefined && (
        <BlockNotice coin={coin} block={choices.block} onDismiss={actions.noBlock} />
      )}
      {known ? (
        <BookPageProvider value={page}>
          <div className="flex min-h-0 min-w-0 grow max-[859px]:flex-col">
            <Ladder
              coin={coin}
              tick={tick}
              mode={mode}
              layout={panels.layout}
              selected={level}
              paused={paused}
              onSelect={actions.select}
              paneRef={pane}
            />
            <SidePanel pane={panels.pane} onPane={actions.pane} onClose={actions.closePane} />
          </div>
          {panels.strip && (
            <StripFrame name="Figures" onClose={() => panels.onStrip(false)}>
              <FiguresStrip />
            </StripFrame>
          )}
          {panels.time && (
            <StripFrame name="Time" onClose={() => panels.onTime(false)}>
              <TimeStrip />
            </StripFrame>
          )}
        </BookPageProvider>
      ) : (
        <UnknownCoin coin={coin} onPick={() => setPicking(true)} />
      )}
      {known && <StatusLine />}
      <Announcer coin={coin} paused={paused} />
    </>
  );
}

/** Everything that changes the URL. */
function useLadderActions(change: (next: LadderChoices) => void, panels: Panels, onCoin: () => void) {
  const navigate = route.useNavigate();
  const latest = useRef({ onCoin, panels });
  useEffect(() => {
    latest.current = { onCoin, panels };
  });
  return useMemo(
    () => ({
      coin: (coin: string) => {
        latest.current.onCoin();
        // The list closes in a frame of its own: together with the change of the page it would take three.
        requestAnimationFrame(
          () =>
            void navigate({
              params: { coin },
              search: ({ view, sides, pane, strip, time }) => ({ view, sides, pane, strip, time }),
            }),
        );
      },
      tick: (tick: string) => change({ tick }),
      noBlock: () => change({ block: undefined }),
      defaultTick: () => change({ tick: undefined }),
      mode: (view: Centring) => change({ view: view === 'auto' ? undefined : view }),
      select: (level: LevelRef) => {
        change({ level: writeLevel(level), order: undefined, ...latest.current.panels.opening('level') });
      },
      deselect: () => change({ level: undefined, order: undefined, ...latest.current.panels.leaving }),
      order: (order: number | undefined) => change({ order }),
      without: (without: Address | undefined) => change({ without }),
      pane: (key: string) => latest.current.panels.onPane(key),
      closePane: () => latest.current.panels.onClosePane(),
    }),
    [navigate, change],
  );
}

function UnknownCoin({ coin, onPick }: { readonly coin: string; readonly onPick: () => void }) {
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
