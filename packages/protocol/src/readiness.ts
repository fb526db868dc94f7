import { bookState } from './book-state.ts';
import { upstreamBlocks } from './upstream-status.ts';
import { z } from './zod.ts';

/** Whether an upstream whose state is `lagMs` behind responds with old values (D64). Undefined if it does not tell. */
export function isStaleUpstream(lagMs: number | undefined): lagMs is number {
  return lagMs !== undefined && lagMs > 30_000;
}

/** One dependency of the service, and why it cannot be used, if so. No host name, no secret. */
const check = z.object({ status: z.enum(['ok', 'failed']), problem: z.string().optional() });

/** The state of a joined book, since when (ms since the Unix epoch), and why it is not live. */
const joinedBook = z.object({
  coin: z.string(),
  state: bookState,
  since: z.number(),
  reason: z.string().nullable(),
  height: z.number().nullable(),
  epoch: z.string(),
  seq: z.number(),
});

/**
 * The state of a coin's recording, since when (ms): `waiting` for a book, or `failed` to write, which is retried.
 * `height` is that of the last recorded block, `file` the one being written.
 */
const coinRecording = z.object({
  coin: z.string(),
  state: z.enum(['waiting', 'recording', 'failed']),
  since: z.number(),
  height: z.number().nullable(),
  file: z.string().nullable(),
  problem: z.string().nullable(),
});

/** The state of a coin's recording: `waiting` for a book, `recording`, or `failed`, which is retried. */
export type CoinRecording = Readonly<z.infer<typeof coinRecording>>;

/** Response of `GET /readyz`. Of the books only a pinned one that is not delisted must be live (OPS-12). */
export const readiness = z.object({
  status: z.enum(['ready', 'not_ready', 'shutting_down']),
  database: check,
  /** Whether charges are stored: the ledger has its own connection and thread. */
  ledger: check,
  /** `lagMs`: how far its state is behind, if known (D64). `notServed`: kinds that it was found not to serve (D63). */
  upstreamInfo: check.extend({ lagMs: z.number().optional(), notServed: z.array(z.string()).optional() }),
  /** For a gateway: whether NATS is connected, and whether a leading sequencer is heard over it. */
  nats: check.optional(),
  sequencer: check.optional(),
  /**
   * `state` is `stale` while the upstream is disconnected or sends no block for longer than usual, which alone does not
   * affect readiness. `ageMs` is the age of its last sign of life, `blocks` that of its last block.
   */
  upstreamL4: check.extend({
    state: z.enum(['live', 'stale']).optional(),
    ageMs: z.number().nullable(),
    blocks: upstreamBlocks.nullable(),
  }),
  books: z.record(z.string(), joinedBook),
  /** The coins of `RECORD_COINS`, if any. */
  recordings: z.array(coinRecording).optional(),
  /** What an operator should look at, although the service can serve. */
  warnings: z.array(z.string()),
});

export type Readiness = z.infer<typeof readiness>;

/** Response of `GET /readyz` of a sequencer: whether it can lead, or does. */
export const sequencerReadiness = readiness
  .pick({ status: true, upstreamL4: true, books: true, warnings: true })
  .extend({ role: z.enum(['leader', 'standby']), nats: check });

export type SequencerReadiness = z.infer<typeof sequencerReadiness>;
