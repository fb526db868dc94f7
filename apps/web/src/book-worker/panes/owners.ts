import type { OwnerLens } from '@l4desk/insight';
import type { DecimalString } from '@l4desk/protocol';

export type { LensOwner, LensSide, Wall } from '@l4desk/insight';

/** The owners pane's request: who rests within a distance of the mid. */
export interface OwnersParams {
  readonly withinBps: DecimalString;
  /** Most wallets listed per side. */
  readonly limit: number;
}

export interface OwnersData {
  readonly lens: OwnerLens;
  /** Null if the shown block is not among the kept ones. */
  readonly requotes: RequotesData | null;
}

/** How often the listed wallets requoted: each time, an order replaced another under the same cloid. */
export interface RequotesData {
  /** Kept block time that was counted, without its gaps. */
  readonly spanMs: number;
  /** Requotes per minute, in the order of that side's list; null for orders without a named owner, and when `spanMs` is 0. */
  readonly bids: readonly (DecimalString | null)[];
  readonly asks: readonly (DecimalString | null)[];
}
