/** The amounts that a balance has. */
export const FIELDS = ['total', 'hold', 'available', 'entryNtl'] as const;

export type Field = (typeof FIELDS)[number];
