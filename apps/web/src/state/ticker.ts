const EVERY_MS = 500;

/** A clock that tells its time twice a second, to everybody at once. It stands still while the page is hidden. */
export function createTicker() {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let now = Date.now();
  const tick = () => {
    if (document.hidden) return;
    now = Date.now();
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      if (timer === undefined) {
        timer = setInterval(tick, EVERY_MS);
        document.addEventListener('visibilitychange', tick);
        tick();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
        document.removeEventListener('visibilitychange', tick);
      };
    },
    get: () => now,
  };
}

/** One clock for every age on the page, so that all of them tick together. */
export const ticker = createTicker();
