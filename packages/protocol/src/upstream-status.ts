import { readObject, readWhole } from './change.ts';
import { millis } from './primitives.ts';
import { WireFormatError } from './wire-format-error.ts';
import { z } from './zod.ts';

const duration = z.int().nonnegative();

/**
 * How long ago the upstream last sent a block that changed any book of the service, how long that usually takes, and from what
 * age on it is suspect; all in ms. The latter two are 0 if the upstream stands still and too few blocks came to know what is
 * usual.
 */
export const upstreamBlocks = z.object({ ageMs: duration, usualMs: duration, suspectAfterMs: duration });

export type UpstreamBlocks = z.infer<typeof upstreamBlocks>;

/**
 * The state of the service's upstream. `time` is the service's clock when it sends this, ms since the Unix epoch; `ageMs` is
 * how long ago the upstream gave any sign of life, null if it never did; `blocks` is null until enough blocks have arrived to
 * know the usual interval.
 */
export const upstreamStatus = z.object({
  time: millis,
  connected: z.boolean(),
  ageMs: duration.nullable(),
  blocks: upstreamBlocks.nullable(),
});

/**
 * The state of the service's upstream: whether it is connected, and the age of its last sign of life and its last block (ms).
 */
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
