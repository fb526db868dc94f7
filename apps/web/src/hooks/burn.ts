import { useEffect } from 'react';
import { create } from 'zustand';

/** Something that costs credits again and again by itself, while it stands. */
export interface Burner {
  /** What it is, for the list under the meter: `BTC book`, `Balances, every 5 min`. */
  readonly text: string;
  readonly creditsPerMinute: number;
}

const useBurners = create<{ readonly burners: readonly Burner[] }>()(() => ({ burners: [] }));

/**
 * Registers what the page spends by itself: an auto-refresh, a followed coin. Undefined while nothing is spent, as when it
 * is paused or the page is hidden. Single calls are not registered; their buttons carry a price.
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
