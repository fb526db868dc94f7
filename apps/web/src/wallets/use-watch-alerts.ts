import { useEffect, useMemo } from 'react';
import { useLive, useLiveValue } from '../book-worker/live-context.tsx';
import type { WatchHit } from '../book-worker/watch.ts';
import { factsText } from '../book-worker/watch-texts.ts';
import { useWatchRules } from '../state/watch-rules.ts';
import { toast } from '../ui/toast.tsx';
import { beep } from './beep.ts';
import { useWalletText } from './wallet-text.ts';

/** Hits that come together are told as one: so many in so long a time. */
const TOGETHER_MS = 1_000;

/**
 * Has the worker watch the followed book by the rules of this account, and tells what fires: a toast, which is also read
 * out, and where the person chose so a sound and a notification of the browser. The journal keeps every hit.
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
      // The first is told at once, what follows within the time together.
      timer ??= setTimeout(tell, waiting.length === 1 ? 0 : TOGETHER_MS);
    });
    return () => {
      clearTimeout(timer);
      live.onWatchHit(() => {});
    };
  }, [live, walletText, sound, notify]);
}
