import { infoCredits } from '@l4desk/protocol';
import { useEffect } from 'react';
import { useBook, useLive } from '../../../book-worker/use-book.ts';
import { usePageVisible } from '../../../hooks/use-media.ts';
import { onAccountChange } from '../../../state/account.ts';
import { noteAutomatic, useBurner } from '../../../state/burn.ts';
import { usePreferences } from '../../../state/preferences.ts';

/** The offered intervals of automatic verification, in seconds; 0 means never. */
export const VERIFY_INTERVALS = [0, 60, 300, 900, 3_600] as const;

export function verifyCreditsPerDay(everyS: number): number {
  return everyS === 0 ? 0 : (86_400 / everyS) * infoCredits('l4BookSnapshot');
}

export function everyText(everyS: number): string {
  if (everyS === 0) return 'never';
  return `every ${everyS < 3_600 ? `${everyS / 60} min` : `${everyS / 3_600} h`}`;
}

/**
 * When the next automatic verification is due, and by which interval. It stays while the page is hidden, the book is not live or
 * another page is open: otherwise an interval that is interrupted now and then would never end.
 */
let due: { readonly at: number; readonly everyS: number } | undefined;

onAccountChange({
  leave: () => {
    due = undefined;
  },
});

/**
 * Verifies the followed book at the chosen interval while the page is visible and the book is live; what became due meanwhile is
 * made up for once, as soon as it is possible.
 */
export function useAutoVerify(): void {
  const live = useLive();
  const everyS = usePreferences((state) => state.verifyEveryS);
  const isVisible = usePageVisible();
  const coin = useBook(({ status }) => status?.coin);
  const isLive = useBook(({ integrity }) => integrity.state === 'live' || integrity.state === 'suspect');
  const isOn = everyS > 0 && isVisible && isLive && coin !== undefined;
  useBurner(`${coin} verified automatically`, isOn ? (60 / everyS) * infoCredits('l4BookSnapshot') : undefined);
  useEffect(() => {
    if (due?.everyS !== everyS) due = { at: Date.now() + everyS * 1_000, everyS };
    if (!isOn) return undefined;
    // Loop "verify automatically": each verification starts the timer of the next one, until the conditions change.
    let timer: ReturnType<typeof setTimeout>;
    const verifyAt = (at: number) => {
      timer = setTimeout(
        () => {
          noteAutomatic(infoCredits('l4BookSnapshot'));
          live.verify({ isAtInterval: true });
          due = { at: Date.now() + everyS * 1_000, everyS };
          verifyAt(due.at);
        },
        Math.max(0, at - Date.now()),
      );
    };
    verifyAt(due.at);
    return () => clearTimeout(timer);
  }, [live, isOn, everyS]);
}
