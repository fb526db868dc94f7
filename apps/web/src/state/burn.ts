import { useEffect, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { onAccountChange } from './account.ts';
import { ticker } from './ticker.ts';

/** Something that keeps costing credits by itself while it is registered. */
export interface Burner {
  readonly text: string;
  readonly creditsPerMinute: number;
  /** Whether it makes calls; else it follows books, which no call charges. */
  readonly isCalls: boolean;
}

interface Spending {
  readonly burners: readonly Burner[];
  /** Successful calls, also those of burners. */
  readonly calls: readonly { readonly at: number; readonly credits: number }[];
  /** Number of all successful calls. */
  readonly paid: number;
}

const useSpending = create<Spending>()(() => ({ burners: [], calls: [], paid: 0 }));

onAccountChange({ leave: () => useSpending.setState({ calls: [] }) });

/**
 * Registers something that spends by itself: an auto-refresh, a followed coin. Pass undefined while nothing is spent, as when
 * it is paused or the page is hidden.
 */
export function useBurner(text: string, creditsPerMinute: number | undefined, isCalls = false): void {
  useEffect(() => {
    if (creditsPerMinute === undefined) return;
    const burner = { text, creditsPerMinute, isCalls };
    useSpending.setState(({ burners }) => ({ burners: [...burners, burner] }));
    return () => useSpending.setState(({ burners }) => ({ burners: burners.filter((other) => other !== burner) }));
  }, [text, creditsPerMinute, isCalls]);
}

export function useBurnRate(): readonly Burner[] {
  return useSpending((state) => state.burners);
}

/** Credits per day at this many credits per minute. */
export function creditsPerDay(creditsPerMinute: number): number {
  return Math.round(creditsPerMinute * 1_440);
}

/** How long a successful call counts as current spending. */
const LATELY_MS = 60_000;

/** Records what a successful call cost. */
export function notePaid(credits: number): void {
  const at = Date.now();
  useSpending.setState(({ calls, paid }) => ({
    paid: paid + 1,
    calls: [...calls.filter((call) => call.at > at - LATELY_MS), { at, credits }],
  }));
}

/** Calls `listener` after every successful call that cost something. Returns the function that removes it. */
export function onPaid(listener: () => void): () => void {
  return useSpending.subscribe((now, before) => {
    if (now.paid > before.paid) listener();
  });
}

export function spentLately(now: number): number {
  return useSpending.getState().calls.reduce((sum, { at, credits }) => (at > now - LATELY_MS ? sum + credits : sum), 0);
}

export function useSpentLately(): number {
  useSpending(({ calls }) => calls);
  return useSyncExternalStore(ticker.subscribe, () => spentLately(ticker.get()));
}

/**
 * What is spent a minute: by the followed books, and by calls. Calls of burners are among those of the last minute, so the larger
 * of their rate and that minute counts.
 */
export function spentPerMinute(burners: readonly Burner[], lately: number): number {
  const sumOf = (some: readonly Burner[]) => some.reduce((sum, { creditsPerMinute }) => sum + creditsPerMinute, 0);
  return (
    sumOf(burners.filter(({ isCalls }) => !isCalls)) + Math.max(sumOf(burners.filter(({ isCalls }) => isCalls)), lately)
  );
}
