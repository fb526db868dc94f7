import type { Address, DecimalString } from '@l4desk/protocol';
import type { LevelRef } from '../../book-worker/position.ts';
import { requiredContext } from '../../hooks/required-context.ts';

/** The book page's URL state and the ways to change it: everything that a pane needs from the page around it. */
export interface BookPage {
  readonly coin: string;
  /** The grouping of the ladder; undefined before there is a book. */
  readonly tick: DecimalString | undefined;
  readonly paused: boolean;
  /** It is paused, and the kept blocks are played. */
  readonly playing: boolean;
  readonly level: LevelRef | undefined;
  readonly order: number | undefined;
  readonly onCoin: (coin: string) => void;
  /** Selects a row and shows its queue. */
  readonly onLevel: (level: LevelRef) => void;
  readonly onDeselect: () => void;
  /** Opens the life of an order; the browser's Back leads back to where that was done. */
  readonly onLife: (oid: number) => void;
  /** The same of an order of a row, which is selected too. */
  readonly onPassport: (level: LevelRef, oid: number) => void;
  readonly onNoOrder: () => void;
  readonly onSweep: (sweep: string) => void;
  /** The wallet whose orders are excluded from the ladder's numbers. */
  readonly without: Address | undefined;
  readonly onWithout: (wallet: Address | undefined) => void;
  readonly only: Address | undefined;
  readonly onOnly: (wallet: Address | undefined) => void;
  /** Whether it has room for panes: a ladder in its own window has none. */
  readonly hasPanes: boolean;
  readonly onPane: (key: string) => void;
}

export const [BookPageProvider, useBookPage] = requiredContext<BookPage>('The book page');
