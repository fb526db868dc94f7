import type { BookPage } from '../features/ladder/book-page.ts';

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
