import type { L4Book } from '@l4desk/book';
import type { Position } from '../../position.ts';

/** The book that is shown, live or not, and where it stands: what every pane reads. */
export interface BookAt {
  readonly book: L4Book;
  readonly position: Position;
}

export interface ShownBook extends BookAt {
  /** It is held at a block or travelled to: it is not the live one. */
  readonly frozen: boolean;
}
