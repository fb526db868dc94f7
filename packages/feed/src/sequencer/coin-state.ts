import type { L4Book } from '@l4desk/book';
import { bookStatuses } from '../blocks/entry-text.ts';
import type { UpstreamBlock } from '../blocks/upstream-block.ts';

/** Height and time (ms) of a block. */
export interface Position {
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
      last: Position;
      /** Number of consecutive blocks that were all published before. */
      repeats: number;
    };

export type LiveState = Extract<CoinState, { kind: 'live' }>;
export type CatchingUpState = Extract<CoinState, { kind: 'catching-up' }>;
export type JoinedState = Exclude<CoinState, { kind: 'waiting' }>;

/** The height and time of a live coin's book, given the last published block: never past a block that the coin waits for. */
export function positionOf({ base, baseTime, last, late }: LiveState, published: Position | null): Position {
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

/** Blocks of a coin that is not live yet, one per height. They are applied to its book later and never published. */
export class HeldBlocks {
  readonly #blocks = new Map<number, UpstreamBlock>();
  /** Height up to which the coin's snapshot already contains all blocks. */
  #upTo = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#blocks.size;
  }

  /** Adds a block. Returns false if a block of that height with different content is already held. */
  add(block: UpstreamBlock): boolean {
    if (block.height <= this.#upTo) return true;
    const known = this.#blocks.get(block.height);
    if (known !== undefined) return isSameBlock(known, block);
    // Keep only what the book needs.
    const statuses = bookStatuses(block);
    this.#blocks.set(block.height, { ...block, diffs: [], statuses, statusesText: null, hasOtherStatuses: false });
    return true;
  }

  /** The coin's snapshot has this height: drops blocks up to it and ignores them from now on. */
  dropUpTo(height: number): void {
    this.#upTo = height;
    for (const of of this.#blocks.keys()) if (of <= height) this.#blocks.delete(of);
  }

  inOrder(): readonly UpstreamBlock[] {
    return [...this.#blocks.values()].sort((a, b) => a.height - b.height);
  }
}

/** The last blocks applied to a coin, to tell a repeat from a late block and from a different block of that height. */
export class RecentBlocks {
  readonly #fingerprints = new Map<number, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Records an applied block. */
  add(block: UpstreamBlock): void {
    this.#fingerprints.set(block.height, fingerprintOf(block));
    if (this.#fingerprints.size <= this.#max) return;
    // A map iterates in insertion order: the first key is the oldest.
    for (const oldest of this.#fingerprints.keys()) {
      this.#fingerprints.delete(oldest);
      return;
    }
  }

  /** Whether the coin applied this block, another block of that height, or none. */
  compare(block: UpstreamBlock): 'same' | 'other' | 'none' {
    const known = this.#fingerprints.get(block.height);
    if (known === undefined) return 'none';
    return known === fingerprintOf(block) ? 'same' : 'other';
  }
}

/** Whether two blocks of one coin and height have the same content. */
export function isSameBlock(one: UpstreamBlock, other: UpstreamBlock): boolean {
  return fingerprintOf(one) === fingerprintOf(other);
}

/** A 32-bit hash of a block's time and changes: enough to detect a restarted chain, where even the times differ. */
function fingerprintOf({ time, changes }: UpstreamBlock): number {
  let hash = mixed(0x811c9dc5, String(time));
  for (const change of changes) {
    hash = mixed(hash, `${change.kind} ${change.oid} ${change.px}`);
    if (change.kind === 'insert') hash = mixed(hash, change.sz);
    if (change.kind === 'resize') hash = mixed(hash, change.newSz);
  }
  return hash;
}

/** FNV-1a, one character at a time. */
function mixed(hash: number, text: string): number {
  let mixing = hash;
  for (let at = 0; at < text.length; at += 1) mixing = Math.imul(mixing ^ text.charCodeAt(at), 0x01000193);
  return mixing;
}

/** A coin's sequence in the epoch. It is kept when the coin is left, so that no number is used twice after a rejoin. */
interface Sequence {
  seq: number;
  /** Whether the coin was live in this epoch, so that clients may hold its book at `seq`. */
  used: boolean;
}

/** The sequences of an epoch, one per coin (L4-26). */
export class Sequences {
  readonly #coins = new Map<string, Sequence>();

  of(coin: string): number {
    return this.#coins.get(coin)?.seq ?? 0;
  }

  /** Advances to the coin's next entry. */
  next(coin: string): { readonly seq: number; readonly prevSeq: number } {
    const sequence = this.#at(coin);
    const prevSeq = sequence.seq;
    sequence.seq += 1;
    return { seq: sequence.seq, prevSeq };
  }

  /** The coin has a new book: skips a number so that holders of the old book see a gap (L4-27). */
  begin(coin: string): void {
    const sequence = this.#at(coin);
    if (sequence.used) sequence.seq += 1;
    sequence.used = true;
  }

  /** A new epoch begins: restarts every sequence (L4-19). */
  clear(): void {
    this.#coins.clear();
  }

  #at(coin: string): Sequence {
    let sequence = this.#coins.get(coin);
    if (sequence === undefined) {
      sequence = { seq: 0, used: false };
      this.#coins.set(coin, sequence);
    }
    return sequence;
  }
}
