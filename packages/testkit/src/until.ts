import { setTimeout as pause } from 'node:timers/promises';

/** A ceiling for a loaded machine: it ends what hangs, and is well above what the service itself promises (60 s: AUTH-9). */
const DEADLINE_MS = 300_000;

/**
 * Waits until `read` returns something other than undefined or false, and returns that. For state that lives in another
 * process and announces nothing; inside one process wait on an event. `what` names the condition in the failure.
 */
export async function until<T>(
  what: string | (() => string),
  read: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = DEADLINE_MS,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline)
      throw new Error(`not within ${withinMs} ms: ${typeof what === 'string' ? what : what()}`);
    await pause(5);
  }
}
