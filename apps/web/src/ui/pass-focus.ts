/**
 * The `ref` of an element that may go while the focus is in it. The nearest element around it that can have the focus gets it, so
 * that the keyboard continues from there. Without it, the document's body would get the focus.
 */
export function passesFocus(element: HTMLElement | null): () => void {
  return () => {
    if (element?.contains(document.activeElement)) element.parentElement?.closest<HTMLElement>('[tabindex]')?.focus();
  };
}
