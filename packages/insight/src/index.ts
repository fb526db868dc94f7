/** What a book says of its owners: their places in queues, their shares near the mid, and what a market order would take. Pure. */
export { type Figures, figures, type Imbalance, TOP_OWNER_BPS } from './figures.ts';
export {
  LENS_DISTANCES,
  type LensOwner,
  type LensSide,
  type OwnerLens,
  type OwnerLensQuery,
  ownerLens,
  type Wall,
} from './owner-lens.ts';
export { type OwnerShare, type Owners, owners } from './owners.ts';
export { type OrderPlace, queuePlaces, queuePlacesOf } from './queue-places.ts';
export { type Sweep, type SweepAmount, type SweptOwner, sweep, type TakerSide } from './sweep.ts';
