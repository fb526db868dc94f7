import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Ends what hangs. Generous enough for a loaded machine, and well above what the service itself guarantees (60 s: AUTH-9). */
const DEADLINE_MS = 300_000;

/** Most of what happens inside this process, sockets included, happens within so many turns of its event loop. */
const TURNS = 50;

/**
 * Waits until `read` returns a value: for state that no event announces. `what` names it. A read that returns a promise is of
 * another process: it is repeated after pauses only.
 */
export async function until<T>(
  what: string | (() => string),
  read: () => T | undefined | false | Promise<T | undefined | false>,
  { withinMs = DEADLINE_MS, longestPauseMs = 20, turns = TURNS } = {},
): Promise<T> {
  const deadline = Date.now() + withinMs;
  let pauseMs = 4;
  for (let probes = 1; ; probes += 1) {
    const found = read();
    const value = await found;
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline)
      throw new Error(`not within ${withinMs} ms: ${typeof what === 'string' ? what : what()}`);
    if (probes < turns && !(found instanceof Promise)) await nextTurn();
    else {
      await pause(pauseMs);
      // What takes long is asked for less often, because asking delays it on a machine with few processors.
      pauseMs = Math.min(pauseMs * 1.2, longestPauseMs);
    }
  }
}
