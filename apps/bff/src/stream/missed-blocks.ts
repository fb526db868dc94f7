import type { L4Feed, PublishedBlock } from '@l4desk/feed';
import type { ResumeOutcome, ResumeRefusal, StatusesMode } from '@l4desk/protocol';
import type { Subscription } from './client-message.ts';
import type { EffectiveCoins } from './subscription-set.ts';

/** What a client asks to go on from: by coin the `seq` of the last entry it applied. */
export interface ResumeQuery {
  readonly epoch: string;
  readonly after: ReadonlyMap<string, number>;
  readonly statuses: StatusesMode;
}

/** The entries that a client missed, block by block, up to the last one published. */
export interface Replay {
  /**
   * The next block with missed entries, holding only those; null when none is left for now, `dropped` when it is not kept
   * any more because it was asked for too late.
   */
  next(): PublishedBlock | null | 'dropped';
}

/** What was published lately, wherever it is kept. */
export interface MissedBlocks {
  /** The `seq` up to which a coin's entries can be sent, or why not (RES-4). */
  reach(coin: string, query: ResumeQuery): number | ResumeRefusal;
  /** The missed entries of those coins of a query that can go on. */
  replay(query: ResumeQuery): Replay;
}

/** What becomes of a subscription's wish to go on where the client left off; nothing where it has none. */
export function decideResume(
  { coins, resume, statuses }: Subscription,
  followed: EffectiveCoins,
  { feed, missed }: { readonly feed: Pick<L4Feed, 'bookStatus'>; readonly missed: MissedBlocks },
): { readonly outcome: ResumeOutcome | null; readonly replay: Replay | null } {
  if (resume === undefined) return { outcome: null, replay: null };
  const query = { epoch: resume.epoch, after: new Map(Object.entries(resume.seq)), statuses };
  const outcome: ResumeOutcome = { resumed: {}, refused: {} };
  for (const coin of coins) {
    if (!query.after.has(coin)) continue;
    const { state } = feed.bookStatus(coin);
    const isLive = state === 'live' || state === 'stale';
    const reach = followed.has(coin) ? 'followed' : isLive ? missed.reach(coin, query) : 'not-live';
    if (typeof reach === 'number') outcome.resumed[coin] = reach;
    else {
      outcome.refused[coin] = reach;
      query.after.delete(coin);
    }
  }
  return { outcome, replay: query.after.size === 0 ? null : missed.replay(query) };
}
