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

export interface OwnersAnswer {
  readonly serial: number;
  /** The block it is of: the last one that was shown when it was its turn. */
  readonly height: number;
  readonly lens: OwnerLens;
}
