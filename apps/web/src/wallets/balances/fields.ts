/** The amounts of a balance. In their own file, because the router loads these names with the shell. */
export const FIELDS = ['total', 'hold', 'available', 'entryNtl'] as const;

export type Field = (typeof FIELDS)[number];
