import { z } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useKeptValue } from '../hooks/use-kept-value.ts';
import { pairNames, spotNames } from './spot-names.ts';
import { spotMetaQuery } from './spotMeta.ts';

const keptNames = z.object({ at: z.number(), value: z.record(z.string(), z.string()) });

const readNames = (kept: unknown) => keptNames.safeParse(kept).data;

/**
 * The text of a coin, with the names of spot pairs; until they are loaded, with those of an earlier visit. They are loaded if
 * `enabled`.
 */
export function useSpotNames(enabled: boolean) {
  const query = useQuery({ ...spotMetaQuery, enabled });
  const fresh = useMemo(
    () => query.data && { at: query.dataUpdatedAt, value: pairNames(query.data) },
    [query.data, query.dataUpdatedAt],
  );
  const names = useKeptValue('spot names', readNames, fresh)?.value;
  const coinText = useMemo(() => spotNames(names), [names]);
  return { query, coinText };
}
