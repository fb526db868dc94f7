import type { Address } from '@l4desk/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { ratedAccountClient } from '../../api/client.ts';
import { usePageVisible } from '../../hooks/use-media.ts';
import { useBurner } from '../../state/burn.ts';
import { readBalances, roundCredits } from '../../wallets/balances/use-balances.ts';

/** The intervals that can be chosen, in minutes. */
export const AUTO_MINUTES = [1, 5, 15, 60] as const;

export type AutoMinutes = (typeof AUTO_MINUTES)[number];

export interface AutoRefresh {
  /** Undefined while it is off. */
  readonly minutes: AutoMinutes | undefined;
  readonly set: (minutes: AutoMinutes | undefined) => void;
  /** When the next refresh is due, in ms; undefined while it is off. */
  readonly dueAt: number | undefined;
}

/** What one day of refreshes costs. */
export function dayCredits(minutes: AutoMinutes, credits: number): number {
  return (1_440 / minutes) * credits;
}

interface AutoRefreshProps {
  /** What the meter counts at each refresh; other calls of it are counted one by one. */
  readonly credits: number;
  /** Refreshes everything on the page. */
  readonly refresh: () => void;
  /** Whether a refusal would repeat for every further call; it switches the refresh off. */
  readonly refused: boolean;
}

/**
 * Refreshes automatically while the page is visible. The user switches it on here: it is not in any link, and ends with the
 * page.
 *
 * Loop "balances": one refresh per interval; a hidden page makes none, and a refresh that became due meanwhile is made once on
 * return. A refusal (401, 402, 403) ends the loop.
 */
export function useAutoRefresh({ credits, refresh, refused }: AutoRefreshProps): AutoRefresh {
  const [auto, setAuto] = useState<{ readonly minutes: AutoMinutes; readonly dueAt: number }>();
  const isVisible = usePageVisible();
  if (refused && auto !== undefined) setAuto(undefined);
  const onDue = useEffectEvent(refresh);
  useEffect(() => {
    if (auto === undefined || !isVisible) return;
    const timer = setTimeout(
      () => {
        setAuto({ minutes: auto.minutes, dueAt: nextDue(auto.minutes) });
        onDue();
      },
      Math.max(0, auto.dueAt - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [auto, isVisible]);
  useBurner(
    auto === undefined ? 'Balances' : `Balances, every ${auto.minutes} min`,
    auto === undefined || !isVisible || credits === 0 ? undefined : credits / auto.minutes,
  );
  return {
    minutes: auto?.minutes,
    dueAt: auto?.dueAt,
    set: (minutes) => setAuto(minutes === undefined ? undefined : { minutes, dueAt: nextDue(minutes) }),
  };
}

/** The same for the balances of these wallets, and for what is shown beside them. The meter counts balances only by their rate. */
export function useAutoRounds(addresses: readonly Address[], refused: boolean, beside: () => void): AutoRefresh {
  const queryClient = useQueryClient();
  const refresh = () => {
    void readBalances(queryClient, addresses, ratedAccountClient());
    beside();
  };
  return useAutoRefresh({ credits: roundCredits(addresses.length), refresh, refused });
}

function nextDue(minutes: AutoMinutes): number {
  return Date.now() + minutes * 60_000;
}
