/**
 * What the ladder can show of the changes at a row, each in a column: two sums of kinds (what came, what was withdrawn), and the
 * kinds themselves.
 */
export const FLOW_COLUMNS = [
  'came',
  'withdrawn',
  'added',
  'cancelled',
  'shrunk',
  'executed',
  'requotedIn',
  'requotedOut',
] as const;

export type FlowColumn = (typeof FLOW_COLUMNS)[number];

/** The columns shown until others are chosen. */
export const FLOW_COLUMNS_USUAL: readonly FlowColumn[] = ['came', 'withdrawn'];

/** The time over which they count, up to the shown block: the block alone, or seconds. */
export const FLOW_SPANS = ['block', '5', '60'] as const;

export type FlowSpan = (typeof FLOW_SPANS)[number];
