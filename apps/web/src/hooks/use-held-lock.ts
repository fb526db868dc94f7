import { type RefObject, useEffect, useRef } from 'react';

/**
 * Says whether this window is the one of all windows of this browser that holds the lock of this name: the first that asked for
 * it, then, when that one closes or asks for another, the next. A browser offers no locks to a page that is not served securely:
 * then `fallback` says it.
 */
export function useHeldLock(name: string | undefined, fallback: boolean): RefObject<boolean> {
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
