import type { PANES } from './panes/all-panes.ts';
import type { BestPrices, BookCounts, Direction, Position } from './position.ts';
import type { PaneComputer } from './worker/shown.ts';

export type PaneName = keyof typeof PANES;
export type PaneParams<Name extends PaneName> =
  (typeof PANES)[Name] extends PaneComputer<infer Params, unknown> ? Params : never;
export type PaneData<Name extends PaneName> =
  (typeof PANES)[Name] extends PaneComputer<never, infer Data> ? Data : never;

/** The book and the block that a pane was computed from. */
interface PaneBlock {
  /** The choice of the book: another one has nothing in common with it. */
  readonly generation: number;
  readonly height: number;
  /** The shown book is held at this block or reached by time travel: it is not the live one. */
  readonly frozen: boolean;
  readonly sizeDecimals: number;
}

export type PaneResult<Name extends PaneName = PaneName> = PaneData<Name> & PaneBlock;

export function paneRequest<Name extends PaneName>(name: Name, params: PaneParams<Name>): string {
  return JSON.stringify([name, params]);
}

export type PaneResults = Readonly<Record<string, PaneResult>>;

export interface ShownBlock extends Position, PaneBlock {
  readonly coin: string;
  /** The exchange's clock when this was read: the block's time plus the time since it arrived. Ages are counted by it. */
  readonly clock: number;
  /** When this was read, in this machine's ms: the time since then is added to `clock`, but not while frozen. */
  readonly at: number;
  readonly best: BestPrices;
  readonly direction: Direction | undefined;
  readonly counts: BookCounts;
}
