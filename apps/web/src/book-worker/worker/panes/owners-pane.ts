import { type LensOwner, type OwnerLens, ownerLens, RequoteRates } from '@l4desk/insight';
import type { Side } from '@l4desk/protocol';
import type { RequotesData } from '../../panes/owners.ts';
import type { Shown } from '../shown.ts';
import type { PaneComputer } from './pane.ts';

/** Who rests near the mid. Ownership changes slowly, and the list is long. */
export const owners: PaneComputer<'owners'> = {
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
