import { useEffect, useMemo } from 'react';
import { useLive, useLiveValue } from '../book-worker/live-context.tsx';
import type { WatchHit } from '../book-worker/watch.ts';
import { factsText } from '../book-worker/watch-texts.ts';
import { useWatchRules } from '../state/watch-rules.ts';
import { toast } from '../ui/toast.tsx';
import { beep } from './beep.ts';
import { useWalletText } from './wallet-text.ts';

/** Hits within this many ms are shown as one alert. */
const TOGETHER_MS = 1_000;

/**
 * Has the worker watch the followed book by this account's rules, and announces what fires: with a toast, which screen readers
 * also read out, and, if the user chose so, with a sound and a browser notification. The journal keeps every hit.
 */
export function useWatchAlerts(): void {
  const live = useLive();
  const kept = useWatchRules((state) => state.rules);
  const sound = useWatchRules((state) => state.sound);
  const notify = useWatchRules((state) => state.notify);
  const coin = useLiveValue((status) => status?.coin);
  const walletText = useWalletText();
  const rules = useMemo(
    () => kept.filter(({ isOn, coin: of }) => isOn && (of === null || of === coin)).map(({ rule }) => rule),
    [kept, coin],
  );
  useEffect(() => live.watchBy(rules), [live, rules]);
  useEffect(() => {
    let waiting: WatchHit[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      timer = undefined;
      const [first, ...others] = waiting;
      waiting = [];
      if (first === undefined) return;
      const more = others.length === 0 ? '' : `, and ${others.length} more`;
      const text = `${first.coin}: ${factsText(first.facts, walletText)}${more}`;
      toast(text);
      if (sound) beep();
      if (notify && 'Notification' in globalThis && Notification.permission === 'granted') {
        const shown = new Notification('L4 Desk', { body: text, tag: 'l4desk-watch' });
        shown.addEventListener('click', () => window.focus());
      }
    };
    live.onWatchHit((hit) => {
      waiting.push(hit);
      // The first hit is shown at once; hits that follow within the time are shown together.
      timer ??= setTimeout(tell, waiting.length === 1 ? 0 : TOGETHER_MS);
    });
    return () => {
      clearTimeout(timer);
      live.onWatchHit(() => {});
    };
  }, [live, walletText, sound, notify]);
}
