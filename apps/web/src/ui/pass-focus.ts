import { type FocusEvent, type RefCallback, type RefObject, useCallback } from 'react';

/** Gives the focus to the nearest element around this one that can have it: the keyboard continues from there. */
export function passFocus(from: Element): void {
  from.parentElement?.closest<HTMLElement>('[tabindex]')?.focus();
}

/** The `ref` of an element that may go while the focus is in it. Without it, the document's body would get the focus. */
export function passesFocus(element: HTMLElement | null): () => void {
  return () => {
    if (element?.contains(document.activeElement)) passFocus(element);
  };
}

/** As `passesFocus`, for an element that is needed through `ref` too. */
export function usePassesFocus<E extends HTMLElement>(ref: RefObject<E | null>): RefCallback<E> {
  return useCallback(
    (element) => {
      ref.current = element;
      const pass = passesFocus(element);
      return () => {
        pass();
        ref.current = null;
      };
    },
    [ref],
  );
}

/**
 * The attributes of an element that can have the focus passed to it. A press of the pointer on what is in it focuses it too, and
 * with the next key the browser would outline it: the outline is drawn only if the focus came otherwise.
 */
export const takesFocus = {
  tabIndex: -1,
  onFocus({ target, currentTarget }: FocusEvent<HTMLElement>) {
    if (target === currentTarget && !target.matches(':focus-visible')) target.dataset.pressed = '';
  },
  onBlur({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
    // It keeps the focus while the window has none, and gets it back from a dialog.
    if (target !== currentTarget || document.activeElement === target) return;
    const isInDialog = relatedTarget !== null && relatedTarget.closest('dialog, [role=dialog]') !== null;
    if (!isInDialog) delete target.dataset.pressed;
  },
};
