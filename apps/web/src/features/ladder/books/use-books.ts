import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import type { Centring } from '../../../book-worker/axis.ts';
import type { BookPlace } from '../../../book-worker/open-books.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { useLiveTicks } from '../../../book-worker/use-book.ts';
import { useMedia, WIDEST } from '../../../hooks/use-media.ts';
import type { ChangeHow } from '../../../state/page-search.ts';
import { keepSettings, usePreferences } from '../../../state/preferences.ts';
import { SETTING_KEYS } from '../../../state/settings.ts';
import { type LadderChoices, writeLevel } from '../search.ts';
import type { Panels } from '../use-panels.ts';
import { type BookChoice, LADDERS_MAX, readBooks, tickBeside, writeBooks } from './books.ts';

/** The ladders of the page, one of them active: the page's controls, keys and panes belong to that one. */
export interface Books {
  readonly ladders: readonly (BookChoice & { readonly index: number })[];
  /** Counted from 0. */
  readonly active: number;
  /** A stable object. */
  readonly actions: BooksActions;
}

interface BooksActions {
  readonly activate: (index: number) => void;
  readonly add: (book: BookChoice) => void;
  /** The first ladder cannot be closed: it shows the page's own coin. */
  readonly close: (index: number) => void;
  /** The following four change the active ladder. */
  readonly coin: (coin: string) => void;
  readonly tick: (tick: string) => void;
  readonly defaultTick: () => void;
  readonly mode: (mode: Centring) => void;
  /** Selects a row of a ladder, activates the ladder, and shows the row's queue. */
  readonly select: (index: number, level: LevelRef) => void;
  /** The same for any price, and for an order that rests there. */
  readonly show: (index: number, place: BookPlace) => void;
  /** Activates a ladder, and holds its book at a block or shows what is proven about it. */
  readonly showBlock: (index: number, height: number) => void;
}

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

/** The ladders from the URL, otherwise those last remembered; if there are none, a very wide page has a second one of the coin. */
export function useBooks(
  coin: string,
  choices: LadderChoices,
  change: (next: LadderChoices, how?: ChangeHow) => void,
  panels: Panels,
): Books {
  const navigate = useNavigate({ from: '/book/$coin' });
  const kept = usePreferences((state) => state.books);
  const text = choices.books ?? kept;
  const { tick, view: mode } = choices;
  const coarser = tickBeside(useLiveTicks(), tick);
  const isWidest = useMedia(WIDEST);
  const ladders = useMemo(() => {
    const beside = text === null ? (isWidest ? [{ coin, tick: coarser }] : []) : (readBooks(text) ?? []);
    return [{ coin, tick, mode }, ...beside].map((book, index) => ({ ...book, index }));
  }, [coin, tick, mode, text, isWidest, coarser]);
  const wanted = (choices.on ?? 1) - 1;
  const active = wanted < ladders.length ? wanted : 0;
  // A second ladder that nobody chose belongs to the page's coin: its grouping and centring are in the URL only.
  const isDefault = isWidest && kept === null && ladders.length === 2 && ladders[1]?.coin === coin;
  const latest = useRef({ ladders, active, panels, isDefault });
  useEffect(() => {
    latest.current = { ladders, active, panels, isDefault };
  });
  const actions = useMemo((): BooksActions => {
    const keep = (others: readonly BookChoice[], next: LadderChoices = {}) => {
      change({ ...next, ...keepSettings({ books: writeBooks(others) }) });
    };
    const others = () => latest.current.ladders.slice(1);
    /** The URL changes that activate this ladder; empty if it is already active. */
    const activating = (index: number): LadderChoices => {
      const { ladders: all, active: now } = latest.current;
      if (index === now) return {};
      const isOther = all[index]?.coin !== all[now]?.coin;
      return { on: index === 0 ? undefined : index + 1, ...(isOther ? NOTHING_CHOSEN : {}) };
    };
    /** Changes the active ladder, unless it is the first. */
    const adjust = (next: Partial<BookChoice>, more: LadderChoices = {}) => {
      const { active: now, isDefault: isUnchosen } = latest.current;
      const changed = others().map((book, index) => (index === now - 1 ? { ...book, ...next } : book));
      if (isUnchosen && next.coin === undefined) change({ ...more, books: writeBooks(changed) });
      else keep(changed, more);
    };
    const isFirst = () => latest.current.active === 0;
    const show = (index: number, { side, px, oid }: BookPlace, more: LadderChoices = {}) => {
      const { opening, openingHow } = latest.current.panels;
      const level = writeLevel({ side, px });
      const how = openingHow();
      change({ ...activating(index), level, order: oid, ...more, ...opening('level') }, how);
    };
    return {
      activate: (index) => {
        if (index !== latest.current.active) change(activating(index));
      },
      add: (book) => {
        const before = others();
        if (before.length >= LADDERS_MAX - 1) return;
        const { ladders: all, active: now } = latest.current;
        const isOther = book.coin !== all[now]?.coin;
        keep([...before, book], { on: before.length + 2, ...(isOther ? NOTHING_CHOSEN : {}) });
      },
      close: (index) => {
        const { ladders: all, active: now } = latest.current;
        if (index < 1 || index >= all.length) return;
        const next = index === now ? 0 : index < now ? now - 1 : now;
        const isOther = all[next]?.coin !== all[now]?.coin && index === now;
        keep(
          others().filter((_, at) => at !== index - 1),
          { on: next === 0 ? undefined : next + 1, ...(isOther ? NOTHING_CHOSEN : {}) },
        );
      },
      coin: (next) => {
        if (!isFirst()) return adjust({ coin: next, tick: undefined }, NOTHING_CHOSEN);
        const names = latest.current.isDefault ? KEPT.filter((name) => name !== 'books') : KEPT;
        // The list closes in a separate frame: together with the page change it would take three frames.
        requestAnimationFrame(
          () =>
            void navigate({
              params: { coin: next },
              search: (now) => Object.fromEntries(names.map((name) => [name, now[name]])),
            }),
        );
      },
      tick: (next) => (isFirst() ? change({ tick: next }) : adjust({ tick: next })),
      defaultTick: () => (isFirst() ? change({ tick: undefined }) : adjust({ tick: undefined })),
      mode: (next) => {
        const written = next === 'auto' ? undefined : next;
        if (isFirst()) change({ view: written });
        else adjust({ mode: written });
      },
      select: (index, level) => show(index, level),
      show: (index, place) => show(index, place, { block: undefined }),
      showBlock: (index, block) => change({ ...activating(index), block }),
    };
  }, [navigate, change]);
  return { ladders, active, actions };
}
