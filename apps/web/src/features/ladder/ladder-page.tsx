import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useUnaskedCredits } from '../../api/price-rule.tsx';
import { coinsQuery } from '../../api/session.ts';
import { LiveProvider, useLive } from '../../book-worker/live-context.tsx';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { BookPageLayout } from './book-page-layout.tsx';
import { BOOK_CREDITS, otherCoins, placeLadders } from './books/books.ts';
import { useBooks } from './books/use-books.ts';
import { useExtraLives } from './books/use-extra-lives.ts';
import { PopOut } from './pop/pop-out.tsx';
import { type LadderSearch, ladderSearch } from './search.ts';
import { usePageActions } from './use-page-actions.ts';
import { refusedPane, usePanels } from './use-panels.ts';

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

/** Up to three ladders side by side. Controls and panes belong to the active one. */
function SeveralLadders({ coin, choices, change, refusing }: LadderSearch & { readonly coin: string }) {
  const search = refusing(refusedPane(choices));
  const panels = usePanels(choices, change);
  const books = useBooks(coin, choices, change, panels);
  const own = useLive();
  const isNarrow = useMedia(NARROW);
  const active = books.ladders[books.active] ?? { coin, index: 0 };
  // Without room side by side, only the active one is shown.
  const shown = isNarrow ? [active] : books.ladders;
  const known = useKnownCoins();
  const follow = useFollowed(otherCoins(shown).filter(known));
  const lives = useExtraLives(follow.coins);
  const placed = placeLadders(shown, own, lives);
  const of = placed.find(({ index, live }) => index === active.index && live !== undefined) ?? placed[0];
  const actions = usePageActions(change, panels);
  if (of === undefined) return null;
  return (
    <LiveProvider value={of.live ?? own}>
      <BookPageLayout
        ladder={of}
        shown={placed}
        books={books}
        known={known}
        choices={choices}
        search={search}
        panels={panels}
        actions={actions}
        onFollow={follow.add}
      />
    </LiveProvider>
  );
}

/** Whether the exchange lists a coin; every coin counts as listed until the list has loaded. */
function useKnownCoins(): (coin: string) => boolean {
  const coins = useQuery(coinsQuery).data?.coins;
  return useMemo(() => {
    const names = coins && new Set(coins.map(({ coin }) => coin));
    return (coin: string) => names?.has(coin) ?? true;
  }, [coins]);
}

/** Which of these coins are followed: those requested on this page, and all of them if the page may spend that without asking. */
function useFollowed(coins: readonly string[]) {
  const limit = useUnaskedCredits();
  const [asked, setAsked] = useState<ReadonlySet<string>>(() => new Set());
  const others = coins.filter((coin) => !asked.has(coin));
  const may = others.length * BOOK_CREDITS <= limit;
  return {
    coins: coins.filter((coin) => may || asked.has(coin)),
    add: useCallback((coin: string) => setAsked((before) => new Set([...before, coin])), []),
  };
}
