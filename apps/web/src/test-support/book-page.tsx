import type { ReactNode } from 'react';
import type { Live } from '../book-worker/live.ts';
import { LiveProvider } from '../book-worker/use-book.ts';
import { type BookPage, BookPageProvider } from '../features/ladder/book-page.ts';

/** The BTC book page with nothing selected and callbacks that do nothing. */
export const BOOK_PAGE: BookPage = {
  coin: 'BTC',
  tick: undefined,
  paused: false,
  playing: false,
  level: undefined,
  order: undefined,
  onCoin: () => {},
  onLevel: () => {},
  onDeselect: () => {},
  onLife: () => {},
  onNoOrder: () => {},
  onPassport: () => {},
  onSweep: () => {},
  without: undefined,
  onWithout: () => {},
  only: undefined,
  onOnly: () => {},
  hasPanes: true,
  onPane: () => {},
};

/** A part of the BTC book page over this live data. */
export function onBookPage(live: Live, part: ReactNode, page: Partial<BookPage> = {}) {
  return (
    <LiveProvider value={live}>
      <BookPageProvider value={{ ...BOOK_PAGE, ...page }}>{part}</BookPageProvider>
    </LiveProvider>
  );
}
