import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { coinsQuery } from '../../api/session.ts';
import type { Centring } from '../../book-worker/axis.ts';
import { useLive, useLiveTicks, useLiveValue } from '../../book-worker/live-context.tsx';
import type { LevelRef } from '../../book-worker/messages.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { SearchNotice } from '../../ui/page/search-notice.tsx';
import { Announcer } from './announcer.tsx';
import { BlockNotice } from './block-notice.tsx';
import type { LadderPane } from './canvas/pane.ts';
import { Inspector } from './inspector/inspector.tsx';
import { Ladder } from './ladder.tsx';
import { type LadderChoices, ladderSearch, levelOnTick, writeLevel } from './search.ts';
import { StatusLine } from './status-line.tsx';
import { StoppedNotice } from './stopped-notice.tsx';
import { TickNotice } from './tick-notice.tsx';
import { TitleLine } from './title-line.tsx';
import { useLadderKeys } from './use-ladder-keys.ts';

const route = getRouteApi('/app/book/$coin');

/** One coin's order-level book. */
export function LadderPage() {
  const { coin } = route.useParams();
  const { choices, invalid, change, clean } = usePageSearch(ladderSearch);
  const live = useLive();
  const pane = useRef<LadderPane>(null);
  const [picking, setPicking] = useState(false);
  const actions = useLadderActions(change, () => setPicking(false));
  const known = useQuery(coinsQuery).data?.coins.some((item) => item.coin === coin) ?? true;
  const paused = useLiveValue((status) => status?.frozen !== undefined);
  const ticks = useLiveTicks();
  const tick = ticks.find((offered) => offered === choices.tick) ?? ticks[0];
  const mode = choices.view ?? 'auto';
  const level = useMemo(() => levelOnTick(choices.level, tick), [choices.level, tick]);
  const onPause = (next: boolean) => live.pause(next);

  useEffect(() => {
    document.title = `${coin} book · L4 Desk`;
  }, [coin]);

  useLadderKeys({
    pane,
    paused,
    tick,
    ticks,
    onTick: actions.tick,
    onMode: actions.mode,
    onPicking: setPicking,
    onDeselect: actions.deselect,
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
              order={choices.order}
              onOtherOrder={actions.noOrder}
              onClose={actions.deselect}
            />
          )}
        </div>
      ) : (
        <UnknownCoin coin={coin} onPick={() => setPicking(true)} />
      )}
      {known && <StatusLine />}
      <Announcer coin={coin} paused={paused} />
    </>
  );
}

/** Everything that changes the URL. */
function useLadderActions(change: (next: LadderChoices) => void, onCoin: () => void) {
  const navigate = route.useNavigate();
  const latest = useRef(onCoin);
  useEffect(() => {
    latest.current = onCoin;
  });
  return useMemo(
    () => ({
      coin: (coin: string) => {
        latest.current();
        // The list closes in a frame of its own: together with the change of the page it would take three.
        requestAnimationFrame(() => void navigate({ params: { coin }, search: ({ view }) => ({ view }) }));
      },
      tick: (tick: string) => change({ tick }),
      noBlock: () => change({ block: undefined }),
      defaultTick: () => change({ tick: undefined }),
      mode: (view: Centring) => change({ view: view === 'auto' ? undefined : view }),
      select: (level: LevelRef) => change({ level: writeLevel(level), order: undefined }),
      deselect: () => change({ level: undefined, order: undefined }),
      noOrder: () => change({ order: undefined }),
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
