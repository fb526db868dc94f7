import { HISTORICAL_ORDERS_LIMIT_MAX } from '@l4desk/protocol';
import type { OrderChunk } from './order-chunk.ts';

/** How far back the history of one wallet reaches. */
export interface Coverage {
  /** The response has as many rows as the call ever returns: older rows may exist and cannot be loaded. */
  readonly capped: boolean;
  /** The earliest status in the response, in ms; undefined without rows. */
  readonly from: number | undefined;
}

export function coverageOf(chunk: OrderChunk): Coverage {
  let from: number | undefined;
  for (const { entry } of chunk.rows) {
    const at = entry.statusTimestamp;
    if (at !== undefined && (from === undefined || at < from)) from = at;
  }
  return { capped: chunk.length >= HISTORICAL_ORDERS_LIMIT_MAX, from };
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
  const begins = (of: readonly Coverage[]) => of.flatMap(({ from }) => from ?? []);
  const earliest = begins(coverages).reduce<number | undefined>((a, b) => Math.min(a ?? b, b), undefined);
  return {
    wallets: coverages.length,
    capped: capped.length,
    from: capped.length === 0 ? earliest : begins(capped).reduce((a, b) => Math.max(a, b), 0),
    earliest,
  };
}
