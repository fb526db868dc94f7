import { useEffect, useEffectEvent } from 'react';

/** Closes what is open over a page when Back or Forward in the browser shows another page, or the page as it was. */
export function useBack(isOpen: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return undefined;
    const listener = () => onBack();
    addEventListener('popstate', listener);
    return () => removeEventListener('popstate', listener);
  }, [isOpen]);
}
