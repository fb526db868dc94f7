import type { L4Book } from '@l4desk/book';
import type { UpstreamBlock } from '../blocks/upstream-block.ts';
import type { HeldBlocks } from './held-blocks.ts';
import { isSameBlock, type RecentBlocks } from './recent-blocks.ts';

/** Height and time (ms) of a block. */
export interface Place {
  readonly height: number;
  readonly time: number;
}

export type CoinState =
  /** Not subscribed upstream. */
  | { readonly kind: 'waiting' }
  /** Subscribed; blocks are held until the snapshot arrives. */
  | { readonly kind: 'joining'; readonly held: HeldBlocks; readonly askedAt: number }
  /** The snapshot is older than the published height: blocks are held until the coin has caught up. */
  | {
      readonly kind: 'catching-up';
      readonly book: L4Book;
      readonly base: number;
      readonly baseTime: number;
      readonly held: HeldBlocks;
      /** Published height when the coin was subscribed: no snapshot of the same chain is older. */
      readonly askedAt: number;
      readonly since: number;
      readonly releasedThen: number;
    }
  /** The book is at the released height, or at the snapshot's `base` if that is greater. */
  | {
      readonly kind: 'live';
      readonly book: L4Book;
      readonly base: number;
      readonly baseTime: number;
      readonly recent: RecentBlocks;
      /** Blocks that came after their height was published, lowest first: they are published with the next height (UP-22). */
      readonly late: UpstreamBlock[];
      /** Until when that height may come. */
      lateUntil: number;
      /** The last applied block, or the snapshot. */
      last: Place;
      /** Number of consecutive blocks that were all published before. */
      repeats: number;
    };

export type LiveState = Extract<CoinState, { kind: 'live' }>;
export type CatchingUpState = Extract<CoinState, { kind: 'catching-up' }>;
export type JoinedState = Exclude<CoinState, { kind: 'waiting' }>;

/** The height and time of a live coin's book, given the last published block: never past a block that the coin waits for. */
export function placeOf({ base, baseTime, last, late }: LiveState, published: Place | null): Place {
  if (late.length > 0) return last;
  return published === null || base > published.height ? { height: base, time: baseTime } : published;
}

/** Whether a live coin already has the same block, another block of that height, or none; for blocks of settled heights. */
export function knownOf({ base, late, recent }: LiveState, block: UpstreamBlock): 'same' | 'other' | 'none' {
  if (block.height <= base) return 'same';
  const waiting = late.find(({ height }) => height === block.height);
  if (waiting === undefined) return recent.compare(block);
  return isSameBlock(waiting, block) ? 'same' : 'other';
}
