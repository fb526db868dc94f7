import { coinName } from '../primitives.ts';
import { z } from '../zod.ts';

/** Why the missed entries of a coin cannot be replayed, with the meaning of each reason. */
export const RESUME_REFUSALS = {
  epoch: 'the sequence began again: the epoch is another one',
  expired: 'the entries after that seq are no longer kept',
  future: 'that seq is past the last entry of the coin',
  'not-live': 'the service has no live book of the coin at the moment',
  statuses: 'the missed entries are kept only with the statuses of orders in their diffs',
  unread: 'the missed entries could not be read from the cluster in time',
  followed: 'another subscription of the connection receives the coin already',
} as const;

export type ResumeRefusal = keyof typeof RESUME_REFUSALS;

/** Where a client left off: the epoch, and by coin the `seq` of the last entry that it applied. */
export const resumePoint = z.object({ epoch: z.uuid(), seq: z.record(coinName, z.int().nonnegative()) });

export type ResumePoint = z.infer<typeof resumePoint>;

/** Its result, in the acknowledgement: by coin the `seq` up to which missed entries follow, and the coins refused. */
export const resumeOutcome = z.object({
  resumed: z.record(coinName, z.int().nonnegative()),
  refused: z.record(coinName, z.enum(Object.keys(RESUME_REFUSALS) as [ResumeRefusal, ...ResumeRefusal[]])),
});

export type ResumeOutcome = z.infer<typeof resumeOutcome>;
