import { useEffect, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { onAccountChange } from './account.ts';
import { ticker } from './ticker.ts';

/** Something that costs credits again and again by itself, while it stands. */
export interface Burner {
  /** What it is, for the list under the meter: `BTC book`, `Balances, every 5 min`. */
  readonly text: string;
  readonly creditsPerMinute: number;
}

const useBurners = create<{ readonly burners: readonly Burner[] }>()(() => ({ burners: [] }));

/**
 * Registers what the page spends by itself: an auto-refresh, a followed coin. Undefined while nothing is spent, as when it
 * is paused or the page is hidden. Its calls go through `ratedAccountClient` of `api/client.ts`, or they would count twice.
 */
export function useBurner(text: string, creditsPerMinute: number | undefined): void {
  useEffect(() => {
    if (creditsPerMinute === undefined) return;
    const burner = { text, creditsPerMinute };
    useBurners.setState(({ burners }) => ({ burners: [...burners, burner] }));
    return () => useBurners.setState(({ burners }) => ({ burners: burners.filter((other) => other !== burner) }));
  }, [text, creditsPerMinute]);
}

/** Everything that is spending now. */
export function useBurnRate(): readonly Burner[] {
  return useBurners((state) => state.burners);
}

/** Credits a day of something that spends this many a minute. */
export function creditsPerDay(creditsPerMinute: number): number {
  return Math.round(creditsPerMinute * 1_440);
}

/** How long a successful call counts as spending now. */
const LATELY_MS = 60_000;

/** What successful calls cost that no burner stands for. */
let calls: readonly { readonly at: number; readonly credits: number }[] = [];
const listeners = new Set<() => void>();

onAccountChange({
  leave: () => {
    calls = [];
    for (const listener of listeners) listener();
  },
});

/** Records what a successful call cost. `isRated`: a burner stands for it, and its rate counts already. */
export function notePaid(credits: number, isRated = false): void {
  const at = Date.now();
  if (!isRated) calls = [...calls.filter((call) => call.at > at - LATELY_MS), { at, credits }];
  for (const listener of listeners) listener();
}

/** Listens to every successful call that cost something. */
export function onPaid(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Credits of the single calls that succeeded in the minute before `now`. */
export function spentLately(now: number): number {
  return calls.reduce((sum, { at, credits }) => (at > now - LATELY_MS ? sum + credits : sum), 0);
}

/** The same, as time passes. */
export function useSpentLately(): number {
  return useSyncExternalStore(subscribeSpent, () => spentLately(ticker.get()));
}

function subscribeSpent(changed: () => void): () => void {
  const ending = [onPaid(changed), ticker.subscribe(changed)];
  return () => {
    for (const end of ending) end();
  };
}
