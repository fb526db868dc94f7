import { bookLossReason, bookState, decimalString, z } from '@l4desk/protocol';

const whole = z.int().nonnegative();

const span = z.tuple([whole, whole]);

const packedText = z.object({ plain: span, deflated: span.nullable() });

const blockHead = z.object({
  epoch: z.string(),
  height: whole,
  time: whole,
  receivedAt: z.number(),
  entries: z.array(
    z.object({
      coin: z.string(),
      seq: whole,
      prevSeq: whole,
      checksum: z.string().optional(),
      executed: z.string().optional(),
      all: packedText.nullable(),
      book: packedText,
    }),
  ),
});

const leaderStatus = z.object({
  state: bookState,
  // A leader of a later version may know more reasons.
  reason: bookLossReason.nullable().catch('disconnected'),
  generation: whole,
});

const trades = z.object({
  coin: z.string(),
  height: whole,
  time: whole,
  trades: z.array(
    z.object({
      coin: z.string(),
      side: z.enum(['B', 'A']),
      px: decimalString,
      sz: decimalString,
      hash: z.string(),
      time: whole,
      tid: whole,
      users: z.tuple([z.string(), z.string()]),
    }),
  ),
  missing: z.string().exactOptional(),
});

const leaderHealth = z.object({
  upstreamConnected: z.boolean(),
  upstreamProblem: z.string().nullable(),
  upstreamAgeMs: z.number().nullable(),
  epoch: z.string(),
  executions: z.enum(['exact', 'inferred']),
  executionsProblem: z.string().nullable().default(null),
  warnings: z.array(z.string()).default([]),
});

/** The JSON part of a message in the stream; the texts of a block follow as bytes. */
export const messageHead = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('term') }),
  z.object({ kind: z.literal('block'), block: blockHead }),
  z.object({ kind: z.literal('status'), coin: z.string(), status: leaderStatus }),
  z.object({ kind: z.literal('trades'), trades }),
  z.object({
    kind: z.literal('health'),
    health: leaderHealth,
    statuses: z.record(z.string(), leaderStatus),
    allCarried: z.array(z.string()),
  }),
]);
