import { INFO_KINDS, type UpstreamCost } from '@l4desk/protocol';
import type { CallWeight } from './fair-queue.ts';
import type { UpstreamResponse } from './response.ts';
import { UpstreamError } from './upstream-error.ts';

/** The weight and size of a query of a kind that this service does not serve itself. */
const OTHER_COST: UpstreamCost = { weight: 20, bytesMax: 4 * 1024 * 1024 };

const COSTS: ReadonlyMap<string, UpstreamCost> = new Map(
  Object.entries(INFO_KINDS).flatMap(([kind, entry]) => (entry.family === 'book' ? [] : [[kind, entry]])),
);

/** The weight and size of a query of this kind. */
export function costOf(type: string): UpstreamCost {
  return COSTS.get(type) ?? OTHER_COST;
}

/** The weight that the exchange counts for a query of this kind. */
export function weightOf(type: string): CallWeight {
  const { weight, rows } = costOf(type);
  return { base: weight, extraMax: rows === undefined ? 0 : Math.ceil(rows.max / rows.perWeight) };
}

/** The weight that the response adds: one for each started 20 rows, or 60 candles. */
export function extraWeightOf(type: string, response: UpstreamResponse): number {
  const { rows } = costOf(type);
  if (rows === undefined) return 0;
  try {
    return Math.ceil(Math.min(response.rows().length, rows.max) / rows.perWeight);
  } catch (error) {
    // Nobody can use the response; whoever reads it is told.
    if (error instanceof UpstreamError) return 0;
    throw error;
  }
}
