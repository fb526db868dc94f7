import { INFO_CREDITS } from '@l4desk/protocol';
import { useEffect } from 'react';
import { useLive } from '../../../book-worker/live-context.tsx';
import { useBookView } from '../../../book-worker/use-integrity.ts';
import { usePageVisible } from '../../../hooks/use-page-visible.ts';
import { useBurner } from '../../../state/burn.ts';
import { usePreferences } from '../../../state/preferences.ts';

/** The offered intervals of automatic verification, in seconds; 0 means never. */
export const VERIFY_INTERVALS = [0, 60, 300, 900, 3_600] as const;

/** Credits per day for verifying at this interval. */
export function verifyCreditsPerDay(everyS: number): number {
  return everyS === 0 ? 0 : (86_400 / everyS) * INFO_CREDITS.l4BookSnapshot;
}

export function everyText(everyS: number): string {
  if (everyS === 0) return 'never';
  return `every ${everyS < 3_600 ? `${everyS / 60} min` : `${everyS / 3_600} h`}`;
}

/** Verifies the followed book at the chosen interval while the page is visible and the book is live. */
export function useAutoVerify(): void {
  const live = useLive();
  const everyS = usePreferences((state) => state.verifyEveryS);
  const isVisible = usePageVisible();
  const coin = useBookView(({ status }) => status?.coin);
  const isLive = useBookView(({ integrity }) => integrity.state === 'live' || integrity.state === 'suspect');
  const isOn = everyS > 0 && isVisible && isLive && coin !== undefined;
  useBurner(`${coin} verified automatically`, isOn ? (60 / everyS) * INFO_CREDITS.l4BookSnapshot : undefined);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => live.verify(), everyS * 1_000);
    return () => clearInterval(timer);
  }, [live, isOn, everyS]);
}
