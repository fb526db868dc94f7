import type { FocusEvent } from 'react';

/**
 * The `ref` of an element that may go while the focus is in it. The nearest element around it that can have the focus gets it, so
 * that the keyboard continues from there. Without it, the document's body would get the focus.
 */
export function passesFocus(element: HTMLElement | null): () => void {
  return () => {
    if (element?.contains(document.activeElement)) element.parentElement?.closest<HTMLElement>('[tabindex]')?.focus();
  };
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
  onBlur({ target, currentTarget }: FocusEvent<HTMLElement>) {
    // It keeps the focus while the window has none.
    if (target === currentTarget && document.activeElement !== target) delete target.dataset.pressed;
  },
};
