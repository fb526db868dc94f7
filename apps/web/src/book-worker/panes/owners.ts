import { type LensOwner, type OwnerLens, ownerLens, RequoteRates } from '@l4desk/insight';
import type { DecimalString, Side } from '@l4desk/protocol';
import type { PaneComputer, Shown } from '../worker/shown.ts';

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
interface RequotesData {
  /** Kept block time that was counted, without its gaps. */
  readonly spanMs: number;
  /** Requotes per minute, in the order of that side's list; null for orders without a named owner, and when `spanMs` is 0. */
  readonly bids: readonly (DecimalString | null)[];
  readonly asks: readonly (DecimalString | null)[];
}

/** Who rests near the mid. Ownership changes slowly, and the list is long. */
export const owners: PaneComputer<OwnersParams, OwnersData> = {
  everyMs: 500,
  open: () => {
    const rates = new RequoteRates();
    return (shown, { withinBps, limit }) => {
      const lens = ownerLens(shown.book, { withinBps, limit, clock: shown.clock }, shown.memory.owners);
      return { lens, requotes: requotesOf(rates, shown, lens) };
    };
  },
};

function requotesOf(rates: RequoteRates, shown: Shown, lens: OwnerLens): RequotesData | null {
  const { past } = shown;
  const place = past.placeOf(shown);
  if (place === undefined) return null;
  rates.moveTo(past.line, place);
  const of = (side: Side) => (owner: LensOwner) => (owner.user === null ? null : rates.perMinute(owner.user, side));
  return { spanMs: rates.spanMs, bids: lens.bids.owners.map(of('B')), asks: lens.asks.owners.map(of('A')) };
}
