import { useEffect, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { onAccountChange } from './account.ts';
import { ticker } from './ticker.ts';

/** Something that keeps costing credits by itself while it is registered. */
export interface Burner {
  readonly text: string;
  readonly creditsPerMinute: number;
}

interface Spending {
  readonly burners: readonly Burner[];
  /** Successful calls that no burner covers. */
  readonly calls: readonly { readonly at: number; readonly credits: number }[];
  /** Number of all successful calls. */
  readonly paid: number;
}

const useSpending = create<Spending>()(() => ({ burners: [], calls: [], paid: 0 }));

/** What the automatic calls that were started lately still have to pay, and until when. */
let covered = { credits: 0, until: 0 };

onAccountChange({
  leave: () => {
    covered = { credits: 0, until: 0 };
    useSpending.setState({ calls: [] });
  },
});

/**
 * Registers something that spends by itself: an auto-refresh, a followed coin. Pass undefined while nothing is spent, as when
 * it is paused or the page is hidden. Before it makes calls, it says by `noteAutomatic` what they cost, or they count twice.
 */
export function useBurner(text: string, creditsPerMinute: number | undefined): void {
  useEffect(() => {
    if (creditsPerMinute === undefined) return;
    const burner = { text, creditsPerMinute };
    useSpending.setState(({ burners }) => ({ burners: [...burners, burner] }));
    return () => useSpending.setState(({ burners }) => ({ burners: burners.filter((other) => other !== burner) }));
  }, [text, creditsPerMinute]);
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

/**
 * A burner, whose rate counts already, starts calls that cost this much: as much is left out of what is paid within a minute, whichever
 * thread pays it. Calls that fail leave it to end with that minute.
 */
export function noteAutomatic(credits: number): void {
  const now = Date.now();
  covered = { credits: credits + (now < covered.until ? covered.credits : 0), until: now + LATELY_MS };
}

/** Records what a successful call cost. */
export function notePaid(credits: number): void {
  const at = Date.now();
  const own = at < covered.until ? Math.min(credits, covered.credits) : 0;
  covered = { ...covered, credits: covered.credits - own };
  useSpending.setState(({ calls, paid }) => ({
    paid: paid + 1,
    calls: [...calls.filter((call) => call.at > at - LATELY_MS), { at, credits: credits - own }],
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
  return useSyncExternalStore(ticker.subscribe, () => spentLately(ticker.get()));
}
