import { INFO_KINDS, type InfoKind, type z } from '../src/index.ts';
import { upstreamHistoricalOrders, upstreamOpenOrders } from '../src/upstream/index.ts';

/** The schema of the exchange's own response to each kind that it knows: all but the book's and the batches. */
export const UPSTREAM_RESPONSES: ReadonlyMap<string, z.ZodType> = new Map([
  ...(Object.keys(INFO_KINDS) as InfoKind[]).flatMap((kind): [string, z.ZodType][] => {
    const { family, response } = INFO_KINDS[kind];
    return family === 'checked' || family === 'passThrough' ? [[kind, response]] : [];
  }),
  ['openOrders', upstreamOpenOrders],
  ['historicalOrders', upstreamHistoricalOrders],
]);
