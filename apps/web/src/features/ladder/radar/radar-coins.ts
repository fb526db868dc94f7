import { infoCredits, TARIFF } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { coinsQuery } from '../../../api/session.ts';
import { usePreferences } from '../../../state/preferences.ts';

/** Maximum number of coins in one subscription (D33). */
export const RADAR_COINS_MAX = 64;

const RADAR_COINS = 8;

/** Cost of a radar with this many coins, in credits: initially a snapshot and the first minute of each, then per minute. */
export function radarCredits(coins: number): { readonly now: number; readonly perMinute: number } {
  const perMinute = coins * TARIFF.l4BookUpdatesPerCoinMinute;
  return { now: coins * infoCredits('l4BookSnapshot') + perMinute, perMinute };
}

/** The radar's coins: the chosen ones that the exchange lists, otherwise the first of its list. */
export function useRadarCoins(): { readonly coins: readonly string[]; readonly all: readonly string[] } {
  const chosen = usePreferences((state) => state.radarCoins);
  const listed = useQuery(coinsQuery).data?.coins;
  return useMemo(() => {
    const all = (listed ?? []).map(({ coin }) => coin);
    const known = chosen.filter((coin) => all.includes(coin)).slice(0, RADAR_COINS_MAX);
    return { all, coins: known.length > 0 ? known : all.slice(0, RADAR_COINS) };
  }, [chosen, listed]);
}
