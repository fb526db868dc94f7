/** What a book says of its owners: their places in queues, their shares near the mid, and what a market order would take. Pure. */
export { type OwnerShare, type Owners, owners } from './owners.ts';
export { type OrderPlace, queuePlaces, queuePlacesOf } from './queue-places.ts';
export { type Sweep, type SweepAmount, type SweptOwner, sweep, type TakerSide } from './sweep.ts';
