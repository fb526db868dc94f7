import type { Address } from '@l4desk/protocol';

/** A watched wallet, with its mark in packed frames. */
export interface WatchedWallet {
  /** In lower case. */
  readonly address: Address;
  readonly mark: number;
}

/** The largest mark of a watched wallet: a packed frame stores an order's mark in one byte, and 0 is no mark. */
export const MARK_MAX = 254;

/** The mark of an order that is excluded from the numbers (`FrameAsk.without`): it is drawn as a ghost. */
export const GHOST_MARK = 255;
