import type { L4Book } from '@l4desk/book';
import type { HeldBlocks } from './held-blocks.ts';
import { fitsBefore, type OutOfTurn } from './out-of-turn.ts';
import { isSameBlock, type RecentBlocks } from './recent-blocks.ts';
import type { UpstreamBlock } from './upstream-block.ts';

/** A live coin at one moment (SNAP-6): reading it and the next block never mix, both run on one thread. */
export interface CoinView {
  readonly book: L4Book;
  readonly height: number;
  readonly time: number;
  readonly epoch: string;
  readonly seq: number;
}

/** A block, by its height and its time in ms. */
export interface Place {
  readonly height: number;
  readonly time: number;
}

export type CoinState =
  /** Not subscribed upstream. */
  | { readonly kind: 'waiting' }
  /** Subscribed; blocks are held until the snapshot comes. */
  | { readonly kind: 'joining'; readonly held: HeldBlocks; readonly askedAt: number }
  /** The snapshot is older than what is published: blocks are held until the coin has caught up. */
  | {
      readonly kind: 'catching-up';
      readonly book: L4Book;
      readonly base: number;
      readonly baseTime: number;
      readonly held: HeldBlocks;
      /** Height that was published when the coin was asked for: no snapshot of the same chain is older. */
      readonly askedAt: number;
      readonly since: number;
      readonly releasedThen: number;
    }
  /** The book is at the released height, or at the snapshot's `base` where that is ahead of it. */
  | {
      readonly kind: 'live';
      readonly book: L4Book;
      readonly base: number;
      readonly baseTime: number;
      readonly recent: RecentBlocks;
      /** Blocks that are out of order. */
      readonly outOfTurn: OutOfTurn;
      /** The last block applied, or the snapshot. */
      last: Place;
      /** Blocks in a row that were all published before. */
      repeats: number;
    };

export type LiveState = Extract<CoinState, { kind: 'live' }>;
export type CatchingUpState = Extract<CoinState, { kind: 'catching-up' }>;
export type JoinedState = Exclude<CoinState, { kind: 'waiting' }>;

/** What a live coin's book is aligned to, where `published` is what was published last: never past a block that it waits for. */
export function placeOf({ base, baseTime, last, outOfTurn }: LiveState, published: Place | null): Place {
  const waiting = outOfTurn.first;
  if (waiting !== undefined) return { height: Math.min(last.height, waiting.height - 1), time: last.time };
  return published === null || base > published.height ? { height: base, time: baseTime } : published;
}

/** Whether a block of a settled height can still be applied: no later block was, or none whose result depends on which of the two came first. */
export function isInTime({ book, recent, last }: LiveState, block: UpstreamBlock): boolean {
  if (block.height > last.height) return true;
  const later = recent.changesAfter(block.height);
  return later !== null && fitsBefore(block, later, book);
}

/** What a live coin has of a block whose height is settled: the same one, another one, or none. */
export function knownOf({ base, outOfTurn, recent }: LiveState, block: UpstreamBlock): 'same' | 'other' | 'none' {
  if (block.height <= base) return 'same';
  const waiting = outOfTurn.at(block.height);
  if (waiting === undefined) return recent.compare(block);
  return isSameBlock(waiting, block) ? 'same' : 'other';
}
