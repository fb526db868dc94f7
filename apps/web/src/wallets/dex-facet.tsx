import { coinDex } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { coinsQuery } from '../api/session.ts';
import { Facet } from '../ui/facet.tsx';

interface DexFacetProps {
  readonly chosen: readonly string[] | undefined;
  readonly textOf: (dex: string) => string;
  readonly onChange: (dexes: readonly string[]) => void;
}

const NONE: readonly string[] = [];

/** The builder dexes that a page loads besides the canonical one; not there if the exchange has none. */
export function DexFacet({ chosen = NONE, textOf, onChange }: DexFacetProps) {
  const coins = useQuery(coinsQuery).data?.coins;
  const dexes = useMemo(
    () => [...new Set([...(coins ?? []).map(({ coin }) => coinDex(coin)), ...chosen])].filter((dex) => dex !== ''),
    [coins, chosen],
  );
  if (dexes.length === 0) return null;
  return (
    <Facet name="Builder dexes" optionsOf={() => dexes.map((value) => ({ value }))} {...{ textOf, chosen, onChange }} />
  );
}
