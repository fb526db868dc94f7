const EVERY_MS = 500;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}

/** One clock for every age on the page, so that all of them tick together. It stands still while the page is hidden. */
export const ticker = {
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
