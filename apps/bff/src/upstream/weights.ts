import type { UpstreamAnswer } from './answer.ts';

/** Kinds that the exchange counts as light (`decisions`, facts of the exchange). */
const LIGHT_KINDS: ReadonlySet<string> = new Set([
  'l2Book',
  'allMids',
  'clearinghouseState',
  'orderStatus',
  'spotClearinghouseState',
]);

/** Kinds whose answer weighs extra, by its length. */
const WEIGHED_BY_ITEMS: ReadonlySet<string> = new Set(['historicalOrders', 'fundingHistory', 'userFunding']);

const ITEMS_PER_WEIGHT = 20;

/** What the exchange counts for asking a query of this kind. */
export function weightOf(type: string): number {
  return LIGHT_KINDS.has(type) ? 2 : 20;
}

/** What it counts on top when it answers: one for each 20 items, begun ones too. */
export function extraWeightOf(type: string, answer: UpstreamAnswer): number {
  if (!WEIGHED_BY_ITEMS.has(type)) return 0;
  const items = answer.json();
  return Array.isArray(items) ? Math.ceil(items.length / ITEMS_PER_WEIGHT) : 0;
}
