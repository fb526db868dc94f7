import { useEffect, useEffectEvent, useState } from 'react';
import { usePageVisible } from '../../hooks/use-media.ts';
import { noteAutomatic, useBurner } from '../../state/burn.ts';

/** The intervals that can be chosen, in minutes. */
export const AUTO_MINUTES = [1, 5, 15, 60] as const;

export type AutoMinutes = (typeof AUTO_MINUTES)[number];

export interface AutoRefresh {
  /** Undefined while it is off. */
  readonly minutes: AutoMinutes | undefined;
  readonly set: (minutes: AutoMinutes | undefined) => void;
  /** When the next refresh is due, in ms; undefined while it is off or a refresh costs more than was agreed. */
  readonly dueAt: number | undefined;
  /** What a refresh cost when the interval was chosen. */
  readonly agreed: number | undefined;
}

interface Chosen {
  readonly minutes: AutoMinutes;
  readonly dueAt: number;
  readonly agreed: number;
}

/** What one day of refreshes costs. */
export function dayCredits(minutes: AutoMinutes, credits: number): number {
  return (1_440 / minutes) * credits;
}

interface AutoRefreshProps {
  /** What one refresh costs. */
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
 * Loop "balances": one refresh per interval; none while the page is hidden or a refresh costs more than when the interval was
 * chosen, and one that became due meanwhile is made once after that. A refusal (401, 402, 403) ends the loop.
 */
export function useAutoRefresh({ credits, refresh, refused }: AutoRefreshProps): AutoRefresh {
  const [auto, setAuto] = useState<Chosen>();
  const isOver = auto !== undefined && credits > auto.agreed;
  const runs = usePageVisible() && !isOver;
  if (refused && auto !== undefined) setAuto(undefined);
  const onDue = useEffectEvent(() => {
    noteAutomatic(credits);
    refresh();
  });
  useEffect(() => {
    if (auto === undefined || !runs) return;
    const timer = setTimeout(
      () => {
        setAuto({ ...auto, dueAt: nextDue(auto.minutes) });
        onDue();
      },
      Math.max(0, auto.dueAt - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [auto, runs]);
  useBurner(
    auto === undefined ? 'Balances' : `Balances, every ${auto.minutes} min`,
    auto === undefined || !runs || credits === 0 ? undefined : credits / auto.minutes,
  );
  return {
    minutes: auto?.minutes,
    dueAt: isOver ? undefined : auto?.dueAt,
    agreed: auto?.agreed,
    set: (minutes) =>
      setAuto(minutes === undefined ? undefined : { minutes, dueAt: nextDue(minutes), agreed: credits }),
  };
}

function nextDue(minutes: AutoMinutes): number {
  return Date.now() + minutes * 60_000;
}
