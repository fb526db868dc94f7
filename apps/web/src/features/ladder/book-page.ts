import type { Address, DecimalString } from '@l4desk/protocol';
import type { LevelRef } from '../../book-worker/position.ts';
import { requiredContext } from '../../hooks/required-context.ts';

/** What the address of the book page says and how it is changed: all that a pane needs of the page around it. */
export interface BookPage {
  readonly coin: string;
  /** The grouping of the ladder; undefined before there is a book. */
  readonly tick: DecimalString | undefined;
  readonly paused: boolean;
  /** The chosen row. */
  readonly level: LevelRef | undefined;
  /** The chosen order, by its oid. */
  readonly order: number | undefined;
  /** Shows another coin in the active ladder. */
  readonly onCoin: (coin: string) => void;
  /** Chooses a row, and shows its queue. */
  readonly onLevel: (level: LevelRef) => void;
  readonly onDeselect: () => void;
  /** Chooses an order; undefined for none. */
  readonly onOrder: (oid: number | undefined) => void;
  /** Opens the passport of an order of a row. */
  readonly onPassport: (level: LevelRef, oid: number) => void;
  /** Tries out a sweep, as the address writes it. */
  readonly onSweep: (sweep: string) => void;
  /** The wallet whose orders the ladder's numbers leave out. */
  readonly without: Address | undefined;
  /** Chooses that wallet; undefined for none. */
  readonly onWithout: (wallet: Address | undefined) => void;
  /** The wallet whose orders the ladder shows alone. */
  readonly only: Address | undefined;
  readonly onOnly: (wallet: Address | undefined) => void;
  /** Opens a tab of the panel by its key. */
  readonly onPane: (key: string) => void;
}

export const [BookPageProvider, useBookPage] = requiredContext<BookPage>('The book page');
