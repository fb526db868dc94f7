import { z } from '@l4desk/protocol';

const duration = z.int().min(1).max(3_600_000);

const stream = z.enum(['diffs', 'statuses', 'fills']).default('diffs');

/** Faults of the node's files. Those with `stream` affect that stream's next line. */
export const nodeFault = z.discriminatedUnion('effect', [
  /** The next `blocks` blocks are not written. */
  z.strictObject({
    kind: z.literal('node'),
    effect: z.literal('skip'),
    blocks: z.int().min(1).max(1_000_000).default(1),
  }),
  /** The line is written in two pieces, the second with the next block. */
  z.strictObject({ kind: z.literal('node'), effect: z.literal('cut'), stream }),
  /** Only half of the line is written. */
  z.strictObject({ kind: z.literal('node'), effect: z.literal('break'), stream }),
  /** A row is written after the first row of the next block; streaming files only. */
  z.strictObject({ kind: z.literal('node'), effect: z.literal('late'), stream }),
  /** The next block begins the next hour's files. */
  z.strictObject({ kind: z.literal('node'), effect: z.literal('rotate') }),
  /** The current files are emptied. */
  z.strictObject({ kind: z.literal('node'), effect: z.literal('truncate') }),
  /** The folder is missing for this long. What is written meanwhile is in it when it returns. */
  z.strictObject({ kind: z.literal('node'), effect: z.literal('vanish'), ms: duration }),
  /** Nothing is written for this long, then everything at once. */
  z.strictObject({ kind: z.literal('node'), effect: z.literal('stall'), ms: duration }),
]);

export type NodeFault = z.infer<typeof nodeFault>;
