import { FUNDING_HISTORY_ENTRIES_MAX, HISTORICAL_ORDERS_LIMIT_MAX } from '@l4desk/protocol';
import type { CallWeight } from './call-queue.ts';
import type { UpstreamResponse } from './response.ts';

/** Kinds with a light weight on the exchange (see `decisions`, facts of the exchange). */
const LIGHT_KINDS: ReadonlySet<string> = new Set([
  'l2Book',
  'allMids',
  'clearinghouseState',
  'orderStatus',
  'spotClearinghouseState',
]);

/** The one kind with a heavy weight. */
const HEAVY_KIND = 'userRole';

/** Maximum rows in a page of executions, balance changes or staking events. */
const HISTORY_ROWS_MAX = 2_000;
const CANDLES_MAX = 5_000;

interface RowWeight {
  /** Maximum rows of a response. */
  readonly max: number;
  /** Number of rows per unit of weight. */
  readonly perWeight: number;
}

function rows(max: number, perWeight = 20): RowWeight {
  return { max, perWeight };
}

/** Kinds whose responses add weight according to their length. */
const ROW_WEIGHTS: ReadonlyMap<string, RowWeight> = new Map([
  ['historicalOrders', rows(HISTORICAL_ORDERS_LIMIT_MAX)],
  ['fundingHistory', rows(FUNDING_HISTORY_ENTRIES_MAX)],
  ['userFunding', rows(FUNDING_HISTORY_ENTRIES_MAX)],
  ['userFills', rows(HISTORY_ROWS_MAX)],
  ['userFillsByTime', rows(HISTORY_ROWS_MAX)],
  ['userTwapSliceFills', rows(HISTORY_ROWS_MAX)],
  ['userNonFundingLedgerUpdates', rows(HISTORY_ROWS_MAX)],
  ['delegatorHistory', rows(HISTORY_ROWS_MAX)],
  ['delegatorRewards', rows(HISTORY_ROWS_MAX)],
  ['recentTrades', rows(HISTORY_ROWS_MAX)],
  ['candleSnapshot', rows(CANDLES_MAX, 60)],
]);

/** The weight that the exchange counts for a query of this kind. */
export function weightOf(type: string): CallWeight {
  const extra = ROW_WEIGHTS.get(type);
  return { base: baseWeightOf(type), extraMax: extra === undefined ? 0 : Math.ceil(extra.max / extra.perWeight) };
}

function baseWeightOf(type: string): number {
  if (type === HEAVY_KIND) return 60;
  return LIGHT_KINDS.has(type) ? 2 : 20;
}

/** The weight that the response adds: one for each started 20 rows, or 60 candles. */
export function extraWeightOf(type: string, response: UpstreamResponse): number {
  const extra = ROW_WEIGHTS.get(type);
  return extra === undefined ? 0 : Math.ceil(response.rowCount(extra.max) / extra.perWeight);
}
