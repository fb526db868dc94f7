import { millis } from './primitives.ts';
import { z } from './zod.ts';

const duration = z.int().nonnegative();

/** The age of the last block, what is usual, and from when it is suspect, in ms; 0 if too few blocks came. */
export const upstreamBlocks = z.object({ ageMs: duration, usualMs: duration, suspectAfterMs: duration });

export type UpstreamBlocks = z.infer<typeof upstreamBlocks>;

/**
 * The state of the service's upstream. `time` is the service's clock (ms), `ageMs` the age of its last sign of life;
 * `blocks` is null until enough came to tell what is usual.
 */
export const upstreamStatus = z.object({
  time: millis,
  connected: z.boolean(),
  ageMs: duration.nullable(),
  blocks: upstreamBlocks.nullable(),
});

/** Whether the service's upstream is connected, and the age of its last sign of life and its last block (ms). */
export type UpstreamStatus = z.infer<typeof upstreamStatus>;

/** Whether the last block is older than is usual. */
export function isSuspect({ ageMs, suspectAfterMs }: UpstreamBlocks): boolean {
  return ageMs > suspectAfterMs;
}
