import { type RefObject, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useBook, useLive } from '../book-worker/use-book.ts';
import { factsText, type WatchHit } from '../book-worker/watch-texts.ts';
import { useWatchRules } from '../state/watch-rules.ts';
import { toast } from '../ui/toast.tsx';
import { useWalletText } from './wallet-book.ts';

interface WatchAlertsOptions {
  /** A ladder or a pane in a window of its own: it announces only what no other window announces. */
  readonly isPoppedOut?: boolean;
}

/**
 * Has the worker watch the followed book by this account's rules, and announces what fires: with a toast, which replaces the
 * rule's earlier one and which screen readers also read out, and, if the user chose so, with a sound and a browser notification.
 * Of several windows that follow the book, one makes the sound and the notification. The journal keeps every hit.
 */
export function useWatchAlerts({ isPoppedOut = false }: WatchAlertsOptions = {}): void {
  const live = useLive();
  const kept = useWatchRules((state) => state.rules);
  const sound = useWatchRules((state) => state.sound);
  const notify = useWatchRules((state) => state.notify);
  const set = useWatchRules((state) => state.set);
  const coin = useBook(({ status }) => status?.coin);
  const walletText = useWalletText();
  const isFirst = useHeldLock(coin === undefined ? undefined : `l4desk watch ${coin}`, !isPoppedOut);
  const rules = useMemo(
    () => kept.filter(({ isOn, coin: of }) => isOn && (of === null || of === coin)).map(({ rule }) => rule),
    [kept, coin],
  );
  useEffect(() => live.choose({ kind: 'rules', rules }), [live, rules]);
  const announce = useEffectEvent(([first, ...others]: readonly WatchHit[]) => {
    if (first === undefined || (isPoppedOut && !isFirst.current)) return;
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    const text = `${first.coin}: ${factsText(first.facts, walletText)}${more}`;
    // A toast about several rules is not replaced by the next one of the first.
    const isOfOne = others.every(({ rule }) => rule === first.rule);
    toast(text, undefined, isOfOne ? `watch rule ${first.rule} of ${first.coin}` : undefined);
    if (!isFirst.current) return;
    if (sound) beep();
    if (notify && mayNotify() && !showNotification(text)) set({ notify: false });
  });
  useEffect(() => {
    live.onWatchHits((hits) => announce(hits));
    return () => live.onWatchHits(() => {});
  }, [live]);
}

/**
 * Says whether this window is the one of all windows of this browser that holds the lock of this name: the first that asked for
 * it, then, when that one closes or asks for another, the next. A browser offers no locks to a page that is not served securely:
 * then `fallback` says it.
 */
function useHeldLock(name: string | undefined, fallback: boolean): RefObject<boolean> {
  const isHeld = useRef(false);
  useEffect(() => {
    // The types know secure pages only.
    const locks = navigator.locks as LockManager | null | undefined;
    isHeld.current = !locks && fallback;
    if (!locks || name === undefined) return undefined;
    const asking = new AbortController();
    let release = () => {};
    const hold = () => {
      isHeld.current = true;
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    // An abort is the only way for it to fail.
    locks.request(name, { signal: asking.signal }, hold).catch(() => {});
    return () => {
      isHeld.current = false;
      asking.abort();
      release();
    };
  }, [name, fallback]);
  return isHeld;
}

/** Two short, soft tones. */
const TONES = [880, 1_175];
const TONE_S = 0.09;
const VOLUME = 0.06;

/** Plays a short sound. Before the first press on the page browsers allow none, and afterwards it would announce something old. */
export function beep(): void {
  if (!navigator.userActivation.hasBeenActive) return;
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.gain.value = VOLUME;
  volume.connect(audio.destination);
  for (const [at, frequency] of TONES.entries()) {
    const tone = audio.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(audio.currentTime + at * TONE_S);
    tone.stop(audio.currentTime + (at + 1) * TONE_S);
    if (at === TONES.length - 1) tone.addEventListener('ended', () => void audio.close());
  }
}

/** Whether the browser still allows notifications of this page. */
export const mayNotify = () => 'Notification' in globalThis && Notification.permission === 'granted';

/**
 * Shows a browser notification; a press on it shows this window. Returns whether the browser has such notifications: on a phone it
 * may have the constructor, which then throws.
 */
export function showNotification(text: string): boolean {
  try {
    const shown = new Notification('L4 Desk', { body: text, tag: 'l4desk-watch' });
    shown.addEventListener('click', () => window.focus());
    return true;
  } catch {
    return false;
  }
}
