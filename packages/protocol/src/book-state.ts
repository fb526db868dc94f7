import { coinName, millis } from './primitives.ts';
import { z } from './zod.ts';

/**
 * The state of a coin's book, in one word; the only vocabulary for it. Each word refers to one's own copy of the book,
 * whose source is the upstream for the service and the service for a client. How long ago the book changed is not a
 * state: a quiet coin is `live`.
 */
export const BOOK_STATES = {
  waiting: 'No book yet, and no problem known: the coin waits for a connection or for its turn.',
  building: 'The first book is being built: its snapshot is loading, or the blocks that came since are being applied.',
  live: 'The book is exact at its height, and no block is missing. A coin whose book does not change is also live.',
  stale: 'There is a book and nothing contradicts it, but its source is disconnected or silent, so it may be outdated.',
  rebuilding: 'The book was lost (missed block, contradiction, lost connection), and a new one is being built.',
  unavailable:
    'There is no book, and none is expected soon: the source refuses the coin, or has not delivered it for a long time. It is retried unless the reason is `stopped`.',
} as const;

/** The state of a coin's book; `BOOK_STATES` defines each. Only `live` is exact. */
export type BookState = keyof typeof BOOK_STATES;

export const bookState = z.enum(Object.keys(BOOK_STATES) as [BookState, ...BookState[]]);

/** Why a book was lost, or why it could not be built. More reasons may be added: readers show an unknown one as it is. */
export const BOOK_LOSS_REASONS = {
  disconnected: 'the upstream connection was lost',
  'late-block': 'a block came after a later one of the coin was published, or after the wait for it was over',
  'changed-block': 'the upstream sent a block again with different content',
  'repeated-blocks': 'the upstream sent only blocks that were already published',
  finding: 'a block or a snapshot contradicts itself or the book',
  audit: 'the book differed from a fresh upstream snapshot',
  malformed: 'the upstream sent an invalid message',
  refused: 'the upstream refuses the coin',
  stopped: 'the client has stopped for good: it was closed, its credential is refused, or its credits are used up',
  'no-snapshot': 'the upstream sent no snapshot in time',
  'stale-snapshot': 'the upstream snapshot is older than what is already published',
  'height-jump': 'the upstream sent a block with an impossible height',
  overflow: 'too many blocks came before the snapshot they belong to',
  'missing-block': "the node's files lack a block",
  'missing-changes': "the node's statuses mention changes of the book that it did not write",
  'files-silent': 'the node has written no block for a while, or its files are gone',
  'upstream-gap': 'the hosted service skipped a sequence number of the coin',
  'upstream-epoch': 'the hosted service began a new epoch',
  'upstream-rebuild': 'the hosted service lost its own book and is rebuilding it',
  'upstream-stale': 'the hosted service reports that its own book may be outdated',
  unacknowledged:
    'the hosted service has not acknowledged the subscription, or did so after the snapshot was requested',
  'feed-silent': 'the feed of the service does not respond',
  'feed-restarted': 'the feed of the service failed and is restarting',
  'new-epoch': 'the upstream chain rolled back, and a new epoch began',
  takeover: 'another process of the cluster took over the books, and a new epoch began',
  'cluster-gap': 'this process of the cluster missed blocks of the others',
} as const;

/** Why a book was lost or could not be built; `BOOK_LOSS_REASONS` defines each. */
export type BookLossReason = keyof typeof BOOK_LOSS_REASONS;

export const bookLossReason = z.enum(Object.keys(BOOK_LOSS_REASONS) as [BookLossReason, ...BookLossReason[]]);

/** The state of a coin's book at the service (D54), since when, the upstream's age (ms), and why it is not live. */
export const bookStatus = z.object({
  coin: coinName,
  state: bookState,
  since: millis,
  upstreamAgeMs: z.int().nonnegative().nullable(),
  reason: z.string().nullable(),
});

/** The state of a coin's book at the service, since when (ms), the upstream's age (ms), and why it is not live. */
export type BookStatus = z.infer<typeof bookStatus>;
