/** The amounts that a balance has. Apart from what reads them, for the router loads the names with the shell. */
export const FIELDS = ['total', 'hold', 'available', 'entryNtl'] as const;

export type Field = (typeof FIELDS)[number];
