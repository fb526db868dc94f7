import { FUNDING_HISTORY_ENTRIES_MAX, HISTORICAL_ORDERS_LIMIT_MAX } from '@l4desk/protocol';
import type { CallWeight } from './call-queue.ts';
import type { UpstreamResponse } from './response.ts';

/** Kinds that the exchange counts as light (`decisions`, facts of the exchange). */
const LIGHT_KINDS: ReadonlySet<string> = new Set([
  'l2Book',
  'allMids',
  'clearinghouseState',
  'orderStatus',
  'spotClearinghouseState',
]);

/** The most items in a response of the kinds whose responses weigh extra, by their length. */
const ITEMS_MAX: ReadonlyMap<string, number> = new Map([
  ['historicalOrders', HISTORICAL_ORDERS_LIMIT_MAX],
  ['fundingHistory', FUNDING_HISTORY_ENTRIES_MAX],
  ['userFunding', FUNDING_HISTORY_ENTRIES_MAX],
]);

const ITEMS_PER_WEIGHT = 20;

/** What the exchange counts for a query of this kind. */
export function weightOf(type: string): CallWeight {
  const base = LIGHT_KINDS.has(type) ? 2 : 20;
  return { base, extraMax: Math.ceil((ITEMS_MAX.get(type) ?? 0) / ITEMS_PER_WEIGHT) };
}

/** What it adds for the response: one for each started 20 items. */
export function extraWeightOf(type: string, answer: UpstreamResponse): number {
  const itemsMax = ITEMS_MAX.get(type);
  return itemsMax === undefined ? 0 : Math.ceil(answer.rowCount(itemsMax) / ITEMS_PER_WEIGHT);
}
