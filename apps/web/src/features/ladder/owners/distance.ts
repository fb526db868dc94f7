import type { DISTANCES } from '../search.ts';

/** The distance from the mid within which wallets are counted while none is chosen, in basis points. */
export const DEFAULT_DISTANCE: (typeof DISTANCES)[number] = '10';
