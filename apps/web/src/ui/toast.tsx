import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { create } from 'zustand';
import { onAccountChange } from '../state/account.ts';
import { Button, IconButton } from './button.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  /** An action the user can take: “Undo”. */
  readonly action: { readonly text: string; readonly run: () => void } | undefined;
}

const useToasts = create<{ readonly toasts: readonly Toast[]; readonly next: number }>()(() => ({
  toasts: [],
  next: 1,
}));

// An “Undo” of one account must not act on the next account's data.
onAccountChange({ leave: () => useToasts.setState({ toasts: [] }) });

/** How long a toast is shown, in ms; longer if it has an action. */
const TOAST_MS = 5_000;
const ACTION_MS = 10_000;

/**
 * Confirms that something was done: “3 wallets added”. Not for problems with the numbers on screen, which are reported beside
 * them (`FailedBand`).
 */
export function toast(text: string, action?: Toast['action']): void {
  useToasts.setState(({ toasts, next }) => ({
    toasts: [...toasts.slice(-2), { id: next, text, action }],
    next: next + 1,
  }));
}

function dismiss(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((item) => item.id !== id) }));
}

/** Distance of the toasts from the lower edge of the window, which leaves the status line free, and from what they must not cover. */
const BOTTOM = 32;
const GAP = 8;

/** Controls at the lower edge of the page that toasts must not cover. */
const uncovered = new Set<HTMLElement>();

/** The element with all toasts. */
let toastList: HTMLElement | null = null;

/** Moves the toasts above the elements at the lower edge of the window that lie below them, one directly above the other. */
function raise(): void {
  if (toastList === null) return;
  const { left } = toastList.getBoundingClientRect();
  const boxes = [...uncovered].map((element) => element.getBoundingClientRect()).sort((a, b) => b.bottom - a.bottom);
  let edge = innerHeight - BOTTOM + GAP;
  for (const { top, bottom, right } of boxes) if (bottom >= edge - 2 * GAP && right > left) edge = Math.min(edge, top);
  toastList.style.bottom = `${innerHeight - edge + GAP}px`;
}

/** Toasts are shown above this element while it is at the lower edge of the page (WEB-144). */
export function useToastsAbove(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const own = element.current;
    if (own === null) return undefined;
    uncovered.add(own);
    // The observer calls back once at the start, and again when something that opens or closes changes the element's size.
    const sizes = new ResizeObserver(raise);
    sizes.observe(own);
    return () => {
      sizes.disconnect();
      uncovered.delete(own);
      // What it leaves is laid out first.
      requestAnimationFrame(raise);
    };
  }, [element]);
}

/** The place where toasts are shown; rendered once, in the shell. */
export function Toasts(): ReactNode {
  const toasts = useToasts((state) => state.toasts);
  const list = useRef<HTMLOutputElement>(null);
  useLayoutEffect(() => {
    toastList = list.current;
    if (toasts.length > 0) raise();
    addEventListener('resize', raise);
    return () => removeEventListener('resize', raise);
  }, [toasts]);
  return (
    <output
      ref={list}
      aria-live="polite"
      className="pointer-events-none fixed right-3 z-40 flex max-w-[calc(100vw-24px)] flex-col items-end gap-2"
    >
      {toasts.map((item) => (
        <OneToast key={item.id} toast={item} />
      ))}
    </output>
  );
}

function OneToast({ toast: { id, text, action } }: { readonly toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), action === undefined ? TOAST_MS : ACTION_MS);
    return () => clearTimeout(timer);
  }, [id, action]);
  return (
    <div className="pointer-events-auto flex items-center gap-2 rounded-4 border border-edge bg-surface-1 py-1 pr-1 pl-3">
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
