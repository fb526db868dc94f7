import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { coinsQuery } from '../../api/session.ts';
import { useShortcuts } from '../../hooks/shortcuts.ts';
import type { Centring } from '../../live/axis.ts';
import { useLive, useLiveTicks, useLiveValue } from '../../live/live-context.tsx';
import type { LevelRef } from '../../live/messages.ts';
import { Announcer } from './announcer.tsx';
import type { LadderPane } from './canvas/pane.ts';
import { Inspector } from './inspector/inspector.tsx';
import { Ladder } from './ladder.tsx';
import { type LadderSearch, levelOnTick, readChoices, writeLevel } from './search.ts';
import { SearchNotice } from './search-notice.tsx';
import { StatusLine } from './status-line.tsx';
import { TitleLine } from './title-line.tsx';

const route = getRouteApi('/desk/book/$coin');
const desk = getRouteApi('/desk');

/** One coin's order-level book. */
export function LadderPage() {
  const { coin } = route.useParams();
  const search = route.useSearch();
  const { session } = desk.useRouteContext();
  const live = useLive();
  const pane = useRef<LadderPane>(null);
  const [picking, setPicking] = useState(false);
  const actions = useLadderActions(() => setPicking(false));
  const known = useQuery(coinsQuery).data?.coins.some((item) => item.coin === coin) ?? true;
  const paused = useLiveValue((status) => status?.frozen !== undefined);
  const ticks = useLiveTicks();
  const choices = readChoices(search);
  const tick = ticks.find((offered) => offered === choices.tick) ?? ticks[0];
  const mode = choices.view ?? 'auto';
  const level = useMemo(() => levelOnTick(choices.level, tick), [choices.level, tick]);
  const onPause = (next: boolean) => live.pause(next);

  useEffect(() => {
    document.title = `${coin} book · L4 Desk`;
  }, [coin]);

  const shortcuts = useMemo(() => {
    const stepTick = (by: number) => {
      const next = ticks[ticks.indexOf(tick ?? '0') + by];
      if (tick !== undefined && next !== undefined) actions.tick(next);
    };
    return [
      { key: 'Space', text: 'Recentre', run: () => pane.current?.recentre() },
      { key: 'ArrowUp', text: 'The next level up', run: () => pane.current?.moveActive(-1) },
      { key: 'ArrowDown', text: 'The next level down', run: () => pane.current?.moveActive(1) },
      { key: 'Enter', text: "Open the level's orders", run: () => pane.current?.chooseActive() },
      { key: 'PageUp', text: 'Higher prices', run: () => pane.current?.scroll(pane.current.page) },
      { key: 'PageDown', text: 'Lower prices', run: () => pane.current?.scroll(-pane.current.page) },
      { key: 'p', text: 'Pause or resume', run: () => live.pause(!paused) },
      { key: '/', text: 'Choose a coin', run: () => setPicking(true) },
      { key: '[', text: 'Finer grouping', run: () => stepTick(-1) },
      { key: ']', text: 'Coarser grouping', run: () => stepTick(1) },
      { key: 'v', text: 'Verify now', run: () => live.verify() },
      { key: 'Escape', text: 'Close the level', run: actions.deselect },
    ];
  }, [actions, live, paused, tick, ticks]);
  useShortcuts('Order book', shortcuts);

  return (
    <>
      <TitleLine
        coin={coin}
        picking={picking}
        onPicking={setPicking}
        onCoin={actions.coin}
        tick={tick}
        ticks={ticks}
        onTick={actions.tick}
        mode={mode}
        onMode={actions.mode}
        paused={paused}
        onPause={onPause}
        pane={pane}
      />
      <SearchNotice coin={coin} search={search} ticks={ticks} onDismiss={actions.change} />
      {known ? (
        <div className="flex min-h-0 min-w-0 grow max-[859px]:flex-col">
          <Ladder
            coin={coin}
            tick={tick}
            mode={mode}
            selected={level}
            paused={paused}
            onSelect={actions.select}
            paneRef={pane}
          />
          {level !== undefined && (
            <Inspector
              key={`${coin} ${level.side}${level.px} ${level.tick}`}
              coin={coin}
              level={level}
              onClose={actions.deselect}
            />
          )}
        </div>
      ) : (
        <UnknownCoin coin={coin} onPick={() => setPicking(true)} />
      )}
      <StatusLine simulated={session.upstream === 'sim'} />
      <Announcer coin={coin} paused={paused} />
    </>
  );
}

/** Everything that changes the URL. */
function useLadderActions(onCoin: () => void) {
  const navigate = route.useNavigate();
  const latest = useRef(onCoin);
  useEffect(() => {
    latest.current = onCoin;
  });
  return useMemo(() => {
    const change = (next: Partial<LadderSearch>) =>
      void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
    return {
      change,
      coin: (coin: string) => {
        latest.current();
        void navigate({ params: { coin }, search: ({ view }) => ({ view }) });
      },
      tick: (tick: string) => change({ tick }),
      mode: (view: Centring) => change({ view: view === 'auto' ? undefined : view }),
      select: (level: LevelRef) => change({ level: writeLevel(level) }),
      deselect: () => change({ level: undefined }),
    };
  }, [navigate]);
}

function UnknownCoin({ coin, onPick }: { readonly coin: string; readonly onPick: () => void }) {
  return (
    <div className="flex grow items-center justify-center p-4 text-center text-dim">
      <p>
        The exchange has no perp coin “{coin}” with an order book.{' '}
        <button type="button" className="text-accent underline underline-offset-2" onClick={onPick}>
          Choose another one
        </button>
      </p>
    </div>
  );
}
