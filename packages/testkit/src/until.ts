import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until `read` answers something other than undefined or false, and answers that. For state that lives in another
 * process and announces nothing; inside one process wait on an event. `what` names the condition in the failure.
 */
export async function until<T>(
  what: string | (() => string),
  read: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline)
      throw new Error(`not within ${deadlineMs} ms: ${typeof what === 'string' ? what : what()}`);
    await pause(5);
  }
}
