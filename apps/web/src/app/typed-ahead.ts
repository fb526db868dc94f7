import { useEffect, useRef } from 'react';

/**
 * Captures what is typed between the request for a dialog and its first render, so that those keys do not trigger shortcuts of
 * the page. Returns a function that returns the text so far, as the dialog's initial text.
 */
export function useTypedAhead(isAsked: boolean, onEscape: () => void): () => string {
  const typed = useRef('');
  useEffect(() => {
    typed.current = '';
    if (!isAsked) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]') !== null) return;
      event.stopPropagation();
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') onEscape();
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [isAsked, onEscape]);
  return () => typed.current;
}
