import { INFO_KINDS, type InfoKind, type z } from '../src/index.ts';

/** The schema of the exchange's own response to each kind that it knows: all but the book's and the batches. */
export const UPSTREAM_RESPONSES: ReadonlyMap<string, z.ZodType> = new Map(
  (Object.keys(INFO_KINDS) as InfoKind[]).flatMap((kind): [string, z.ZodType][] => {
    const entry = INFO_KINDS[kind];
    switch (entry.family) {
      case 'checked':
        return [[kind, entry.upstream]];
      case 'passThrough':
        return [[kind, entry.response]];
      default:
        return [];
    }
  }),
);
