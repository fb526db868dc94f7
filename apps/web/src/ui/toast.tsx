import { X } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { create } from 'zustand';
import { onAccountChange } from '../state/account.ts';
import { Button, IconButton } from './button.tsx';

interface Toast {
  readonly id: number;
  readonly at: number;
  readonly text: string;
  readonly action: { readonly text: string; readonly run: () => void } | undefined;
  /** A later toast with the same topic replaces it. */
  readonly topic: string | undefined;
}

interface ToastsStore {
  readonly toasts: readonly Toast[];
  readonly next: number;
  /** The toast with the focus. A dialog shows the same toasts as the page behind it. */
  readonly held: number | undefined;
}

const useToasts = create<ToastsStore>()(() => ({ toasts: [], next: 1, held: undefined }));

// An “Undo” of one account must not act on the next account's data.
onAccountChange({ leave: () => useToasts.setState({ toasts: [] }) });

/** How long a toast is shown, in ms; longer if it has an action, and as long as it has the focus. */
const TOAST_MS = 5_000;
const ACTION_MS = 10_000;
/** A finger does not dismiss one that appeared less than this ago, in ms: it was not seen yet. */
const SEEN_MS = 1_000;

const TOASTS_MAX = 3;

/**
 * Confirms that something was done: “3 wallets added”. Not for problems with the numbers on screen, which are reported beside
 * them (`FailedBand`).
 */
export function toast(text: string, action?: Toast['action'], topic?: string): void {
  useToasts.setState(({ toasts, next }) => {
    const others = toasts.filter((item) => topic === undefined || item.topic !== topic);
    // One without an action takes away none that has one: its “Undo” would be lost.
    const plain = others.find((item) => item.action === undefined);
    const oldest = plain ?? (action && others[0]);
    const kept = others.length < TOASTS_MAX ? others : others.filter((item) => item !== oldest);
    return { toasts: [...kept, { id: next, at: Date.now(), text, action, topic }], next: next + 1 };
  });
}

function dismiss(id: number): void {
  useToasts.setState(({ toasts, held }) => ({
    toasts: toasts.filter((item) => item.id !== id),
    held: held === id ? undefined : held,
  }));
}

/** On a touch screen, whoever touches something else wants to see what the toasts cover. */
function onTouch({ pointerType, target }: PointerEvent): void {
  if (pointerType !== 'touch' || (target instanceof Element && target.closest('[data-part=toasts]') !== null)) return;
  const seen = Date.now() - SEEN_MS;
  useToasts.setState(({ toasts }) => ({
    toasts: toasts.filter(({ at, action }) => at > seen || action !== undefined),
  }));
}

/** Least distances of the toasts from the edges of the window, leaving the status line free, and from what they must not cover. */
const BOTTOM = 32;
const RIGHT = 12;
const GAP = 8;

/** Where the elements are that toasts must not cover: `data-toasts` names the side on which toasts stay. */
function boxesOf(side: 'above' | 'beside'): readonly DOMRect[] {
  const boxes = [...document.querySelectorAll(`[data-toasts=${side}]`)].map((element) =>
    element.getBoundingClientRect(),
  );
  return boxes.filter(({ width }) => width > 0);
}

/**
 * Moves the toasts left of the elements at the right edge of the window, and above those at its lower edge that lie below them, one
 * directly above the other.
 */
function place(list: HTMLElement): void {
  list.style.right = `${Math.max(RIGHT, ...boxesOf('beside').map((box) => innerWidth - box.left + GAP))}px`;
  const { left } = list.getBoundingClientRect();
  let edge = innerHeight - BOTTOM + GAP;
  for (const { top, bottom, right } of boxesOf('above').toSorted((a, b) => b.bottom - a.bottom))
    if (bottom >= edge - 2 * GAP && right > left) edge = Math.min(edge, top);
  list.style.bottom = `${innerHeight - edge + GAP}px`;
}

/** The place where toasts are shown: in the shell, and in a dialog that gives occasion to some, which covers those of the shell. */
export function Toasts(): ReactNode {
  const toasts = useToasts((state) => state.toasts);
  const list = useRef<HTMLOutputElement>(null);
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null || toasts.length === 0) return undefined;
    // Loop "place toasts": with each frame, because what is around them opens and closes; ends with the last toast.
    let frame = 0;
    const follow = () => {
      place(current);
      frame = requestAnimationFrame(follow);
    };
    follow();
    addEventListener('pointerdown', onTouch);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('pointerdown', onTouch);
    };
  }, [toasts]);
  return (
    <output
      ref={list}
      data-part="toasts"
      aria-live="polite"
      // Only what is new is read out, not everything that is still shown.
      aria-atomic={false}
      className="pointer-events-none fixed z-40 flex max-w-[calc(100vw-24px)] flex-col items-end gap-2"
    >
      {toasts.map((item) => (
        <OneToast key={item.id} toast={item} />
      ))}
    </output>
  );
}

function OneToast({ toast: { id, text, action } }: { readonly toast: Toast }) {
  const isHeld = useToasts(({ held }) => held === id);
  const hold = (held: number | undefined) => useToasts.setState({ held });
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => dismiss(id), action === undefined ? TOAST_MS : ACTION_MS);
    return () => clearTimeout(timer);
  }, [id, action, isHeld]);
  return (
    <div
      onFocus={() => hold(id)}
      onBlur={() => hold(undefined)}
      className="pointer-events-auto flex items-center gap-2 rounded-4 border border-edge bg-surface-1 py-1 pr-1 pl-3"
    >
      {text}
      {action && (
        <Button
          look="plain"
          onClick={() => {
            action.run();
            dismiss(id);
          }}
        >
          {action.text}
        </Button>
      )}
      <IconButton icon={X} name="Dismiss" onClick={() => dismiss(id)} />
    </div>
  );
}
