import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { create } from 'zustand';
import { onAccountChange } from '../state/account.ts';
import { Button, IconButton } from './button.tsx';

interface Toast {
  readonly id: number;
  /** When it appeared, ms. */
  readonly at: number;
  readonly text: string;
  /** An action the user can take: “Undo”. */
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
  if (pointerType !== 'touch' || (target instanceof Node && [...lists].some((list) => list.contains(target)))) return;
  const seen = Date.now() - SEEN_MS;
  useToasts.setState(({ toasts }) => ({
    toasts: toasts.filter(({ at, action }) => at > seen || action !== undefined),
  }));
}

/** Least distances of the toasts from the edges of the window, leaving the status line free, and from what they must not cover. */
const BOTTOM = 32;
const RIGHT = 12;
const GAP = 8;

/** What toasts must not cover: controls at the lower edge of the page, and those at its right edge. */
const below = new Set<HTMLElement>();
const beside = new Set<HTMLElement>();

/** The elements with all toasts: that of the page, and that of an open dialog. */
const lists = new Set<HTMLElement>();

/**
 * Moves the toasts left of the elements at the right edge of the window, and above those at its lower edge that lie below them, one
 * directly above the other.
 */
function place(): void {
  for (const list of lists) placeOne(list);
}

function placeOne(list: HTMLElement): void {
  const edges = [...beside].map((element) => innerWidth - element.getBoundingClientRect().left);
  list.style.right = `${Math.max(RIGHT, ...edges.map((width) => width + GAP))}px`;
  const { left } = list.getBoundingClientRect();
  const boxes = [...below].map((element) => element.getBoundingClientRect()).sort((a, b) => b.bottom - a.bottom);
  let edge = innerHeight - BOTTOM + GAP;
  for (const { top, bottom, right } of boxes) if (bottom >= edge - 2 * GAP && right > left) edge = Math.min(edge, top);
  list.style.bottom = `${innerHeight - edge + GAP}px`;
}

/** Toasts are shown above this element while it is at the lower edge of the page. */
export function useToastsAbove(element: RefObject<HTMLElement | null>): void {
  useToastObstacle(below, element);
}

/** Toasts are shown left of this element at the right side of the page. */
export function useToastsBeside(element: RefObject<HTMLElement | null>): void {
  useToastObstacle(beside, element);
}

function useToastObstacle(elements: Set<HTMLElement>, element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const own = element.current;
    if (own === null) return undefined;
    elements.add(own);
    // The observer calls back once at the start, and again when something that opens or closes changes the element's size.
    const sizes = new ResizeObserver(place);
    sizes.observe(own);
    return () => {
      sizes.disconnect();
      elements.delete(own);
      // What it leaves is laid out first.
      requestAnimationFrame(place);
    };
  }, [elements, element]);
}

/** The place where toasts are shown: in the shell, and in a dialog that gives occasion to some, which covers those of the shell. */
export function Toasts(): ReactNode {
  const toasts = useToasts((state) => state.toasts);
  const list = useRef<HTMLOutputElement>(null);
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null) return undefined;
    lists.add(current);
    if (toasts.length > 0) place();
    addEventListener('resize', place);
    addEventListener('pointerdown', onTouch);
    return () => {
      lists.delete(current);
      removeEventListener('resize', place);
      removeEventListener('pointerdown', onTouch);
    };
  }, [toasts]);
  return (
    <output
      ref={list}
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
