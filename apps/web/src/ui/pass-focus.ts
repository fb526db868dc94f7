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
