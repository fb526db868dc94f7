/** Rows of the peer page, and the most chips in a row's queue. */
export const SLOTS = 60;
export const CHIPS = 12;
