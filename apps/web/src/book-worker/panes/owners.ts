import { type LensOwner, type LensSide, type OwnerLens, ownerLens, RequoteRates } from '@l4desk/insight';
import type { DecimalString, Side } from '@l4desk/protocol';
import type { PaneComputer } from '../worker/shown.ts';

export type { LensSide, Wall } from '@l4desk/insight';

export interface OwnersParams {
  readonly withinBps: DecimalString;
  readonly limit: number;
}

/** A wallet that is listed, and what is computed of it besides the lens. */
export interface OwnerRow extends LensOwner {
  /** How often it replaced an order by another under the same cloid, per minute; null if unknown, or without a name. */
  readonly requotes: DecimalString | null;
}

export interface OwnersSide extends LensSide {
  readonly owners: readonly OwnerRow[];
}

export interface OwnersData extends OwnerLens {
  readonly bids: OwnersSide;
  readonly asks: OwnersSide;
  /** Kept block time over which requotes were counted, without its gaps; null if the shown block is not among the kept ones. */
  readonly requoteSpanMs: number | null;
}

/** Who rests near the mid. Ownership changes slowly, and the list is long. */
export const owners: PaneComputer<OwnersParams, OwnersData> = {
  everyMs: 500,
  open: () => {
    const rates = new RequoteRates();
    return (shown, { withinBps, limit }) => {
      const { book, past, memory, clock } = shown;
      const lens = ownerLens(book, { withinBps, limit, clock }, memory.owners);
      const place = past.placeOf(shown);
      if (place !== undefined) rates.moveTo(past.line, place);
      const isKnown = place !== undefined;
      const rowsOf = (side: Side, of: LensSide): OwnersSide => ({
        ...of,
        owners: of.owners.map((owner) => ({
          ...owner,
          requotes: isKnown && owner.user !== null ? rates.perMinute(owner.user, side) : null,
        })),
      });
      return {
        ...lens,
        bids: rowsOf('B', lens.bids),
        asks: rowsOf('A', lens.asks),
        requoteSpanMs: isKnown ? rates.spanMs : null,
      };
    };
  },
};
