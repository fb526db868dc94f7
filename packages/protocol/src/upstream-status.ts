import { readObject, readWhole } from './change.ts';
import { millis } from './primitives.ts';
import { WireFormatError } from './wire-format-error.ts';
import { z } from './zod.ts';

const duration = z.int().nonnegative();

/**
 * The age of the last block that changed any book, what is usual, and from when it is suspect, in ms; the latter two
 * are 0 if too few blocks came to tell.
 */
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

/** Reads the `data` of an `l4Upstream` message. Throws WireFormatError with the path of the first problem. */
export function decodeUpstreamStatus(value: unknown): UpstreamStatus {
  const data = readObject(value, 'data');
  const { connected } = data;
  if (typeof connected !== 'boolean') throw new WireFormatError('data.connected', 'must be a boolean');
  return {
    time: readWhole(data.time, 'data.time'),
    connected,
    ageMs: data.ageMs === null ? null : readWhole(data.ageMs, 'data.ageMs'),
    blocks: data.blocks === null ? null : readBlocks(data.blocks),
  };
}

function readBlocks(value: unknown): UpstreamBlocks {
  const blocks = readObject(value, 'data.blocks');
  const read = (name: keyof UpstreamBlocks) => readWhole(blocks[name], `data.blocks.${name}`);
  return { ageMs: read('ageMs'), usualMs: read('usualMs'), suspectAfterMs: read('suspectAfterMs') };
}
