import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useAutoLoadLimit } from '../../api/price-rule.tsx';
import { Live } from '../../book-worker/live.ts';
import { type OpenBook, useListedBooks } from '../../book-worker/open-books.ts';
import { LiveProvider, useLive } from '../../book-worker/use-book.ts';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { BookPageLayout } from './book-page-layout.tsx';
import { BOOK_CREDITS, otherCoins, type PlacedLadder, placeLadders } from './books/books.ts';
import { type Books, useBooks, useKnownCoins } from './books/use-books.ts';
import { PopOut } from './pop/pop-out.tsx';
import { type LadderSearch, ladderSearch } from './search.ts';
import { refusedPane, usePanels } from './use-panels.ts';
import { startWorker } from './worker/start-worker.ts';

const route = getRouteApi('/app/book/$coin');

/** The order-level book of one coin, or up to three ladders; or one ladder or pane of it in a separate window. */
export function LadderPage() {
  const { coin } = route.useParams();
  const search = usePageSearch(ladderSearch);
  const { choices, change } = search;
  return choices.pop === undefined ? (
    <SeveralLadders coin={coin} {...search} />
  ) : (
    <PopOut coin={coin} pop={choices.pop} choices={choices} change={change} />
  );
}

function SeveralLadders({ coin, choices, change, refusing }: LadderSearch & { readonly coin: string }) {
  const search = refusing(refusedPane(choices));
  const panels = usePanels(choices, change);
  const books = useBooks(coin, choices, change, panels);
  const own = useLive();
  const isNarrow = useMedia(NARROW);
  const active = books.ladders[books.active] ?? { coin, index: 0 };
  // Without room side by side, only the active one is shown.
  const shown = useMemo(
    () => (isNarrow ? books.ladders.slice(books.active, books.active + 1) : books.ladders),
    [isNarrow, books.ladders, books.active],
  );
  const known = useKnownCoins();
  const follow = useFollowed(otherCoins(shown).filter(known));
  const lives = useExtraLives(follow.coins);
  const placed = useMemo(() => placeLadders(shown, own, lives), [shown, own, lives]);
  const of = placed.find(({ index, live }) => index === active.index && live !== undefined) ?? placed[0];
  useListedBooks(useMemo(() => listBooks(placed, books.active, books.actions), [placed, books.active, books.actions]));
  if (of === undefined) return null;
  return (
    <LiveProvider value={of.live ?? own}>
      <BookPageLayout
        ladder={of}
        shown={placed}
        books={books}
        choices={choices}
        onChange={change}
        search={search}
        panels={panels}
        onFollow={follow.add}
      />
    </LiveProvider>
  );
}

/** The books of the ladders, the active one first; ladders of one coin share theirs. */
function listBooks(placed: readonly PlacedLadder[], active: number, actions: Books['actions']): readonly OpenBook[] {
  const activeFirst = [...placed.filter(({ index }) => index === active), ...placed];
  const listed: OpenBook[] = [];
  for (const { coin, live, index } of activeFirst) {
    if (live === undefined || listed.some((book) => book.coin === coin)) continue;
    listed.push({
      coin,
      live,
      onPlace: (place) => actions.show(index, place),
      onBlock: (height) => actions.showBlock(index, height),
    });
  }
  return listed;
}

/** Which of these coins are followed: those requested on this page, and all of them if the page may spend that without asking. */
function useFollowed(coins: readonly string[]) {
  const limit = useAutoLoadLimit();
  const [asked, setAsked] = useState<ReadonlySet<string>>(() => new Set());
  const others = coins.filter((coin) => !asked.has(coin));
  const may = others.length * BOOK_CREDITS <= limit;
  return {
    coins: coins.filter((coin) => may || asked.has(coin)),
    add: useCallback((coin: string) => setAsked((before) => new Set([...before, coin])), []),
  };
}

/**
 * One worker per coin, besides the page's: kept while the coin stays, and ended when it goes or the page is left. The coins are
 * those that the page's own worker does not follow.
 */
export function useExtraLives(coins: readonly string[]): ReadonlyMap<string, Live> {
  const { source } = useLive();
  const key = coins.join();
  const [kept, setKept] = useState<{ readonly key: string; readonly lives: ReadonlyMap<string, Live> }>({
    key: '',
    lives: new Map(),
  });
  let { lives } = kept;
  if (kept.key !== key) {
    lives = new Map(coins.map((coin) => [coin, kept.lives.get(coin) ?? new Live(startWorker, source)]));
    setKept({ key, lives });
  }
  const open = useRef(new Set<Live>());
  useEffect(() => {
    const wanted = new Set(lives.values());
    for (const live of [...open.current].filter((known) => !wanted.has(known))) {
      live.close();
      open.current.delete(live);
    }
    for (const live of [...wanted].filter((known) => !open.current.has(known))) {
      live.open();
      open.current.add(live);
    }
  }, [lives]);
  useEffect(() => {
    const opened = open.current;
    return () => {
      for (const live of opened) live.close();
      opened.clear();
    };
  }, []);
  return lives;
}
