import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createRef, useMemo, useState } from 'react';
import { coinsQuery } from '../../../api/session.ts';
import type { Centring } from '../../../book-worker/axis.ts';
import type { BookPlace } from '../../../book-worker/open-books.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { useLiveTicks } from '../../../book-worker/use-book.ts';
import { useMedia, WIDEST } from '../../../hooks/use-media.ts';
import { useStable } from '../../../hooks/use-stable.ts';
import { useOpenedRecording } from '../../../state/opened-recording.ts';
import type { ChangeHow } from '../../../state/page-search.ts';
import { keepSettings, usePreferences } from '../../../state/preferences.ts';
import { SETTING_KEYS } from '../../../state/settings.ts';
import type { LadderHandle } from '../canvas/ladder-handle.ts';
import { type LadderChoices, writeLevel } from '../search.ts';
import type { Panels } from '../use-panels.ts';
import { type BookChoice, LADDERS_MAX, type ListedLadder, readBooks, tickBeside, writeBooks } from './books.ts';

/** A selection made in one book has no meaning in another. */
const NOTHING_CHOSEN = {
  level: undefined,
  order: undefined,
  without: undefined,
  only: undefined,
  block: undefined,
  sweep: undefined,
  since: undefined,
  here: undefined,
} satisfies LadderChoices;

/** URL parameters kept when the first ladder shows another coin. */
const KEPT = [...SETTING_KEYS, 'view', 'on', 'pop'] as const;

export type Books = ReturnType<typeof useBooks>;

/**
 * The ladders from the URL, otherwise those last remembered; if there are none, a very wide page has a second one of the coin. One
 * is active: the page's controls, keys and panes belong to it. Both are counted from 0. The actions stay the same.
 */
export function useBooks(
  coin: string,
  choices: LadderChoices,
  change: (next: LadderChoices, how?: ChangeHow) => void,
  panels: Panels,
) {
  const navigate = useNavigate({ from: '/book/$coin' });
  const kept = usePreferences((state) => state.books);
  const text = choices.books ?? kept;
  const { tick, view: mode } = choices;
  const coarser = tickBeside(useLiveTicks(), tick);
  const isWidest = useMedia(WIDEST);
  const [panes] = useState(
    () => [createRef<LadderHandle>(), createRef<LadderHandle>(), createRef<LadderHandle>()] as const,
  );
  const ladders = useMemo((): readonly ListedLadder[] => {
    const beside = text === null ? (isWidest ? [{ coin, tick: coarser }] : []) : (readBooks(text) ?? []);
    return [{ coin, tick, mode }, ...beside].map((book, index) => ({ ...book, index, pane: panes[index] ?? panes[0] }));
  }, [coin, tick, mode, text, isWidest, coarser, panes]);
  const wanted = (choices.on ?? 1) - 1;
  const active = wanted < ladders.length ? wanted : 0;
  // A second ladder that nobody chose belongs to the page's coin: its grouping and centring are in the URL only.
  const isDefault = isWidest && kept === null && ladders.length === 2 && ladders[1]?.coin === coin;
  const others = ladders.slice(1);
  const keep = (next: readonly BookChoice[], more: LadderChoices = {}) =>
    change({ ...more, ...keepSettings({ books: writeBooks(next) }) });
  /** The URL changes that activate a ladder, of another coin or not. */
  const activated = (index: number, isOther: boolean): LadderChoices => ({
    on: index === 0 ? undefined : index + 1,
    ...(isOther ? NOTHING_CHOSEN : {}),
  });
  const isOther = (to: string | undefined) => to !== ladders[active]?.coin;
  const activating = (index: number): LadderChoices =>
    index === active ? {} : activated(index, isOther(ladders[index]?.coin));
  /** Changes the active ladder: the first by `ofPage`, another by `next`. */
  const adjust = (ofPage: LadderChoices, next: Partial<BookChoice>, more: LadderChoices = {}) => {
    if (active === 0) return change(ofPage);
    const changed = others.map((book, index) => (index === active - 1 ? { ...book, ...next } : book));
    if (isDefault && next.coin === undefined) change({ ...more, books: writeBooks(changed) });
    else keep(changed, more);
  };
  const show = (index: number, { side, px, oid }: BookPlace, more: LadderChoices = {}) => {
    const { opening, openingHow } = panels;
    const level = writeLevel({ side, px });
    change({ ...activating(index), level, order: oid, ...more, ...opening('level') }, openingHow());
  };
  const actions = useStable({
    activate: (index: number) => {
      if (index !== active) change(activating(index));
    },
    add: (book: BookChoice) => {
      if (others.length < LADDERS_MAX - 1) keep([...others, book], activated(others.length + 1, isOther(book.coin)));
    },
    /** The first ladder cannot be closed: it shows the page's own coin. */
    close: (index: number) => {
      if (index < 1 || index >= ladders.length) return;
      const next = index === active ? 0 : index < active ? active - 1 : active;
      const left = others.filter((_, at) => at !== index - 1);
      keep(left, activated(next, index === active && isOther(ladders[next]?.coin)));
    },
    coin: (next: string) => {
      if (active !== 0) return adjust({}, { coin: next, tick: undefined }, NOTHING_CHOSEN);
      const names = isDefault ? KEPT.filter((name) => name !== 'books') : KEPT;
      // The list closes in a separate frame: together with the page change it would take three frames.
      requestAnimationFrame(
        () =>
          void navigate({
            params: { coin: next },
            search: (now) => Object.fromEntries(names.map((name) => [name, now[name]])),
          }),
      );
    },
    tick: (next: string | undefined) => adjust({ tick: next }, { tick: next }),
    mode: (next: Centring) => {
      const written = next === 'auto' ? undefined : next;
      adjust({ view: written }, { mode: written });
    },
    /** Selects a row of a ladder, activates the ladder, and shows the row's queue. */
    select: (index: number, level: LevelRef) => show(index, level),
    /** The same for any price, and for an order that rests there. */
    show: (index: number, place: BookPlace) => show(index, place, { block: undefined }),
    /** Activates a ladder, and holds its book at a block or shows what is proven about it. */
    showBlock: (index: number, block: number) => change({ ...activating(index), block }),
  });
  return { ladders, active, actions };
}

/**
 * Whether a coin has a book to show: the exchange lists it, or a recording of it is open. Every coin counts as listed until the list
 * has loaded, and while it is empty.
 */
export function useKnownCoins(): (coin: string) => boolean {
  const coins = useQuery(coinsQuery).data?.coins;
  const opened = useOpenedRecording((state) => state.coin);
  return useMemo(() => {
    const names = new Set(coins?.map(({ coin }) => coin));
    return (coin: string) => names.size === 0 || names.has(coin) || coin === opened;
  }, [coins, opened]);
}
