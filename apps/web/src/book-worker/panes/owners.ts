import type { OwnerLens } from '@l4desk/insight';
import type { DecimalString } from '@l4desk/protocol';

export type { LensOwner, LensSide, OwnerLens, Wall } from '@l4desk/insight';

/** What the owners pane wants: who rests within a distance of the mid. */
export interface OwnersAsk {
  readonly serial: number;
  readonly withinBps: DecimalString;
  /** Most wallets listed a side. */
  readonly limit: number;
}

export interface OwnersResponse {
  readonly serial: number;
  /** The block it is of: the last one that was shown when it was its turn. */
  readonly height: number;
  readonly lens: OwnerLens;
  /** Null where the shown block is not among the kept ones. */
  readonly requotes: RequotesResponse | null;
}

/** How often the listed wallets requoted: each an order that took the place of another under its cloid. */
export interface RequotesResponse {
  /** Kept block time that was counted, without its gaps. */
  readonly spanMs: number;
  /** A minute, on the side of the list and in its order; null for orders without a named owner, and of no time. */
  readonly bids: readonly (DecimalString | null)[];
  readonly asks: readonly (DecimalString | null)[];
}
