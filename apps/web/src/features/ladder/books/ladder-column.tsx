import { TARIFF } from '@l4desk/protocol';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { blockAgeOf, shownAgeOf } from '../../../book-worker/clocks.ts';
import { BOOK_STATE_TEXTS } from '../../../book-worker/integrity.ts';
import { LiveProvider, useBook, useLive, useLiveTicks } from '../../../book-worker/use-book.ts';
import { useBurner } from '../../../state/burn.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { grouped, wholeText } from '../../../ui/format.ts';
import { passesFocus } from '../../../ui/pass-focus.ts';
import { PriceTag } from '../../../ui/price-tag.tsx';
import { useWatchAlerts } from '../../../wallets/use-watch-alerts.ts';
import { useWatchedWallets } from '../../../wallets/watch-wallets.ts';
import { type BookPage, BookPageProvider, useBookPage } from '../book-page.ts';
import { Ladder } from '../ladder.tsx';
import { ladderSearch, levelOnTick } from '../search.ts';
import { BlockAge, useAgeHint } from '../status/block-age.tsx';
import { describeReport } from '../status-chip.tsx';
import { BOOK_CREDITS, type PlacedLadder } from './books.ts';
import { type Books, useKnownCoins } from './use-books.ts';

/** No wallet is excluded, and none shown alone. */
const EVERYBODY = { without: undefined, only: undefined } as const;

interface LadderColumnProps {
  readonly ladder: PlacedLadder;
  /** The page's controls and panes belong to this ladder. */
  readonly isActive: boolean;
  /** There are other ladders beside it. */
  readonly isOneOfSeveral: boolean;
  /** Undefined in a window of its own, where there is nothing to activate, close or follow. */
  readonly actions?: Books['actions'];
  readonly onFollow?: (coin: string) => void;
}

export function LadderColumn(props: LadderColumnProps) {
  const { ladder, isActive, isOneOfSeveral, actions, onFollow } = props;
  const { live, coin, index } = ladder;
  const isKnown = useKnownCoins()(coin);
  const onActivate = actions && (() => actions.activate(index));
  const close = actions !== undefined && index > 0 && (
    <IconButton icon={X} name={`Close ladder ${index + 1}: ${coin}`} onClick={() => actions.close(index)} />
  );
  return (
    <div
      ref={passesFocus}
      data-part="ladder-column"
      data-active={isActive}
      data-coin={coin}
      onPointerDownCapture={isActive || live === undefined ? undefined : onActivate}
      onFocusCapture={isActive || live === undefined ? undefined : onActivate}
      className={classNames(
        'flex min-h-0 min-w-0 flex-[1_1_0] flex-col',
        isOneOfSeveral && index > 0 && 'border-l border-line',
      )}
    >
      {live === undefined || !isKnown ? (
        <NotFollowed coin={coin} isKnown={isKnown} close={close} onFollow={() => onFollow?.(coin)} />
      ) : (
        <LiveProvider value={live}>
          {isOneOfSeveral && (
            <header
              className={classNames(
                'flex h-[max(26px,1lh)] shrink-0 items-center border-b pr-1',
                isActive ? 'border-accent bg-accent-soft' : 'border-line bg-surface-1',
              )}
            >
              <LadderState ladder={ladder} isActive={isActive} onActivate={onActivate} />
              {close}
            </header>
          )}
          <OwnLadder {...props} />
          {ladder.view === 0 && <Following />}
          {ladder.view === 0 && !ladder.isOwn && <FollowingBeside coin={coin} />}
        </LiveProvider>
      )}
    </div>
  );
}

function OwnLadder({ ladder, isActive, isOneOfSeveral, actions }: LadderColumnProps) {
  const { coin, index, view } = ladder;
  const page = useBookPage();
  const { level } = usePageSearch(ladderSearch).choices;
  const ticks = useLiveTicks();
  const paused = useBook(({ status }) => status?.frozen !== undefined);
  const tick = ticks.find((offered) => offered === ladder.tick) ?? ticks[0];
  const isSame = page.coin === coin;
  const selected = useMemo(() => levelOnTick(isSame ? level : undefined, tick), [isSame, level, tick]);
  // The page's selection applies to the book of the active ladder.
  const own: BookPage = isActive
    ? page
    : {
        ...page,
        coin,
        tick,
        paused,
        playing: page.playing && isSame,
        level: selected,
        onLevel: (next) => actions?.select(index, next),
        ...(isSame ? {} : EVERYBODY),
      };
  return (
    <BookPageProvider value={own}>
      <Ladder
        name={isOneOfSeveral ? `${coin} order book, ladder ${index + 1}` : `${coin} order book`}
        ladder={ladder}
      />
      {view === 0 && <Announcer coin={coin} paused={paused} />}
    </BookPageProvider>
  );
}

interface LadderStateProps extends Pick<LadderColumnProps, 'ladder' | 'isActive'> {
  readonly onActivate: (() => void) | undefined;
}

/** The integrity and block of a ladder's numbers. A press activates the ladder, except in a window of its own. */
export function LadderState({ ladder: { coin, index, tick }, isActive, onActivate }: LadderStateProps) {
  const ticks = useLiveTicks();
  const { source } = useLive();
  const ageHint = useAgeHint();
  const { state, headline, reason, height, hasAge, oldMs } = useBook(({ integrity, status, now }) => ({
    ...integrity,
    height: status?.frozen?.height ?? status?.position?.height,
    hasAge: status !== undefined && blockAgeOf(status, source, now) !== undefined,
    oldMs: integrity.state === 'live' || status === undefined ? undefined : shownAgeOf(status, source, now)?.ms,
  }));
  const shown = ticks.find((offered) => offered === tick) ?? ticks[0];
  // Why the book is not live gets the room that state, age and block leave.
  const why = state === 'suspect' ? headline.slice(headline.indexOf('·') + 2) : reason;
  const box = {
    'aria-label': `Ladder ${index + 1}: ${coin}, ${BOOK_STATE_TEXTS[state].word.toLowerCase()}`,
    'data-part': 'ladder-state',
    'data-state': state,
    'data-height': height,
    // All that there is to say about the header: a title of the age alone would hide it.
    title: [`${headline}: ${reason}`, ageHint].filter(Boolean).join('\n'),
    'data-age-ms': oldMs && Math.round(oldMs),
    className: 'flex h-full min-w-0 grow items-center gap-x-2 pl-2 text-left text-12 -outline-offset-2',
  };
  const parts = (
    <>
      <span className={classNames('font-semibold whitespace-nowrap', isActive ? 'text-strong' : 'text-text')}>
        {isActive && <span aria-hidden>▸ </span>}
        {coin}
        {shown !== undefined && <span className="num font-normal text-dim"> {grouped(shown)}</span>}
      </span>
      <span className="num flex h-[1lh] min-w-0 flex-wrap gap-x-2 overflow-hidden text-dim">
        <span className={classNames('font-semibold', state === 'live' ? 'text-exact' : 'text-stale')}>
          <span aria-hidden>{BOOK_STATE_TEXTS[state].sign} </span>
          {state === 'live' ? headline : BOOK_STATE_TEXTS[state].word}
        </span>
        {hasAge && (
          <span className="whitespace-nowrap">
            <BlockAge of={shownAgeOf} />
          </span>
        )}
        {height !== undefined && <span className="whitespace-nowrap">block {wholeText(height)}</span>}
      </span>
      {state !== 'live' && state !== 'recorded' && (
        <span className="min-w-0 grow basis-0 truncate text-stale">{why}</span>
      )}
    </>
  );
  return onActivate === undefined ? (
    <section {...box}>{parts}</section>
  ) : (
    <button {...box} type="button" aria-pressed={isActive} onClick={onActivate}>
      {parts}
    </button>
  );
}

/** Runs for every followed book of the page: the queues of watched wallets. */
function Following() {
  useWatchedWallets();
  return null;
}

/** What the shell does for the page's own book, for one beside it: adds its price to the meter, and runs the watch rules. */
function FollowingBeside({ coin }: Pick<PlacedLadder, 'coin'>) {
  useWatchAlerts();
  const isOpen = useBook(({ status }) => status?.connection.kind === 'open' && status.recorded === undefined);
  useBurner(`${coin} book`, isOpen ? TARIFF.l4BookUpdatesPerCoinMinute : undefined);
  return null;
}

interface NotFollowedProps {
  readonly coin: string;
  readonly isKnown: boolean;
  readonly close: ReactNode;
  readonly onFollow: () => void;
}

/** A remembered ladder whose coin costs more than the page may spend without being asked. */
function NotFollowed({ coin, isKnown, close, onFollow }: NotFollowedProps) {
  if (!isKnown) {
    return (
      <div className="flex grow items-center justify-center gap-2 p-4 text-center text-dim">
        <p>The exchange has no perp coin “{coin}” with an order book.</p>
        {close}
      </div>
    );
  }
  return (
    <div
      data-part="not-followed"
      className="flex grow flex-col items-center justify-center gap-3 p-4 text-center text-dim"
    >
      <p>
        The {coin} book is not followed. It costs <PriceTag credits={BOOK_CREDITS} short /> now, then{' '}
        {TARIFF.l4BookUpdatesPerCoinMinute} cr/min.
      </p>
      <span className="flex items-center gap-2">
        <Button look="primary" onClick={onFollow}>
          Follow {coin}
        </Button>
        {close}
      </span>
    </div>
  );
}

/** Minimum time between two announcements. */
const CALM_MS = 4_000;

/**
 * Announces the integrity of the book to screen readers when it changes, not with every block, and the result of a comparison. Of
 * comparisons at intervals it announces only those that found no equal book.
 */
export function Announcer({ coin, paused }: { readonly coin: string; readonly paused: boolean }) {
  const text = useBook(({ integrity: { state, reason } }) => {
    const word = BOOK_STATE_TEXTS[state].word.toLowerCase();
    return state === 'live' ? word : `${word}: ${reason}`;
  });
  const isRecorded = useBook(({ integrity }) => integrity.state === 'recorded');
  const live = useLive();
  const compared = useBook(({ status }) => {
    const report = status?.verification;
    const isSaid =
      report !== undefined && report.kind !== 'running' && !(live.isVerifiedAtIntervals && report.kind === 'equal');
    return isSaid ? describeReport(report, 0).detail : '';
  });
  const wanted = `${coin} book ${paused && !isRecorded ? 'paused' : text}`;
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(wanted), announced === '' ? 0 : CALM_MS);
    return () => clearTimeout(timer);
  }, [wanted, announced]);
  return (
    <>
      <p className="sr-only" aria-live="polite" data-part="announcer">
        {announced}
      </p>
      <p className="sr-only" aria-live="polite" data-part="compared">
        {compared}
      </p>
    </>
  );
}
