import { z } from '@l4desk/protocol';
import type { SpotMeta } from '@l4desk/protocol/upstream';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useKeptValue } from '../hooks/use-kept-value.ts';
import { spotMetaQuery } from './spotMeta.ts';
import { useDueQueries, useRepeatOnce } from './use-due-queries.ts';

const QUERIES = [spotMetaQuery];

/** The names of spot pairs by their coin: `@107` is `HYPE/USDC`. */
export type PairNames = Readonly<Record<string, string>>;

export function pairNames({ tokens, universe }: SpotMeta): PairNames {
  const token = new Map(tokens.map(({ index, name }) => [index, name]));
  return Object.fromEntries(
    universe.map(({ name, index, tokens: pair }) => [
      `@${index}`,
      name.startsWith('@') ? pair.map((at) => token.get(at) ?? `token ${at}`).join('/') : name,
    ]),
  );
}

/**
 * Returns a function that names spot pairs: `@107` becomes `HYPE/USDC @107`. Other coins, and pairs without a name, are
 * unchanged.
 */
export function spotNames(names: PairNames | undefined): (coin: string) => string {
  return (coin) => (names !== undefined && Object.hasOwn(names, coin) ? `${names[coin]} ${coin}` : coin);
}

const keptNames = z.object({ at: z.number(), value: z.record(z.string(), z.string()) });

const readNames = (kept: unknown) => keptNames.safeParse(kept).data;

/**
 * The text of a coin, with the names of spot pairs; until they are loaded, with those of an earlier visit. They are loaded if
 * `enabled`.
 */
export function useSpotNames(enabled: boolean) {
  const query = useQuery({ ...spotMetaQuery, enabled });
  useRepeatOnce(useDueQueries(QUERIES, Number.POSITIVE_INFINITY), enabled);
  const fresh = useMemo(
    () => query.data && { at: query.dataUpdatedAt, value: pairNames(query.data) },
    [query.data, query.dataUpdatedAt],
  );
  const names = useKeptValue('spot names', readNames, fresh)?.value;
  const coinText = useMemo(() => spotNames(names), [names]);
  return { query, coinText };
}
