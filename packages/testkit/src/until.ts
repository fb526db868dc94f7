import { setTimeout as pause } from 'node:timers/promises';

/** Ends what hangs. Generous enough for a loaded machine, and well above what the service itself guarantees (60 s: AUTH-9). */
const DEADLINE_MS = 300_000;

/** Waits until `read` returns a value: for state of another process, which emits no events. `what` names it. */
export async function until<T>(
  what: string | (() => string),
  read: () => T | undefined | false | Promise<T | undefined | false>,
  { withinMs = DEADLINE_MS, longestPauseMs = 20 } = {},
): Promise<T> {
  const deadline = Date.now() + withinMs;
  // What takes long is asked for less often, because asking delays it on a machine with few processors.
  for (let pauseMs = 4; ; pauseMs = Math.min(pauseMs * 1.2, longestPauseMs)) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline)
      throw new Error(`not within ${withinMs} ms: ${typeof what === 'string' ? what : what()}`);
    await pause(pauseMs);
  }
}
