import { HISTORICAL_ORDERS_LIMIT_MAX } from '@l4desk/protocol';
import type { OrderRow } from './order-rows.ts';

/** How far back the history of one wallet reaches. */
export interface Coverage {
  /** The response has as many rows as the call ever returns: older rows may exist and cannot be loaded. */
  readonly capped: boolean;
  /** The earliest status in the response, in ms; undefined without rows. */
  readonly from: number | undefined;
}

export function coverageOf(rows: readonly OrderRow[]): Coverage {
  return {
    capped: rows.length >= HISTORICAL_ORDERS_LIMIT_MAX,
    from: earliestOf(rows.map(({ entry }) => entry.statusTimestamp)),
  };
}

/** The earliest of some times; undefined without any. */
export function earliestOf(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce(
    (least, time) => (least === undefined || (time !== undefined && time < least) ? time : least),
    undefined,
  );
}

/** Several wallets together: every status change of each wallet since `from` is loaded. */
export interface JointCoverage {
  readonly wallets: number;
  readonly capped: number;
  /** The latest start of the capped wallets, or the earliest row if none is capped. */
  readonly from: number | undefined;
  readonly earliest: number | undefined;
}

export function jointCoverage(coverages: readonly Coverage[]): JointCoverage {
  const capped = coverages.filter((coverage) => coverage.capped);
  const earliest = earliestOf(coverages.map(({ from }) => from));
  return {
    wallets: coverages.length,
    capped: capped.length,
    from: capped.length === 0 ? earliest : Math.max(...capped.map(({ from = 0 }) => from)),
    earliest,
  };
}
