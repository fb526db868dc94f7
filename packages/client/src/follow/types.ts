import type { Finding, L4Book } from '@l4desk/book';
import type {
  BookLossReason,
  BookState,
  BookStatus,
  CoinBatch,
  ResumeRefusal,
  StatusesMode,
  UpstreamStatus,
} from '@l4desk/protocol';
import type { Backoff } from '../backoff.ts';
import type { Client } from '../client.ts';
import type { Signal } from '../platform.ts';
import type { ConnectionState } from '../stream/state.ts';

/**
 * How our copy of a coin's book is: `kind` as documented with `BOOK_STATES`. `reason` is why there is no live book, null while
 * there is one and while nothing went wrong; `detail` says it to people. `since` is when the state was entered, in ms since
 * the Unix epoch.
 */
export interface CoinState {
  readonly kind: BookState;
  readonly reason: BookLossReason | null;
  readonly detail: string;
  readonly since: number;
}

/** How the sequence of a coin broke (L4-6). */
export type GapReason = Extract<BookLossReason, 'upstream-gap' | 'upstream-epoch'>;

/** One followed coin as it is now. Times are ms since the Unix epoch. */
export interface CoinView {
  readonly coin: string;
  readonly state: CoinState;
  /** The last book held: exact in state `live`, old or unproven in every other one. */
  readonly book: L4Book | undefined;
  /** Position of `book`: block height, and the coin's sequence within `epoch`. */
  readonly height: number | undefined;
  readonly seq: number | undefined;
  readonly epoch: string | undefined;
  /** The block's own time at `height`. */
  readonly blockTime: number | undefined;
  /** How often the coin's sequence broke since it is followed (L4-6): gaps and new epochs. */
  readonly gaps: number;
  readonly lastGap: { readonly at: number; readonly reason: GapReason; readonly detail: string } | undefined;
  /** How often the book continued after a disconnect without a snapshot (RES-2). */
  readonly resumes: number;
  /** When the last block of this coin came. A quiet coin has an old block on a young transport. */
  readonly lastBlockAt: number | undefined;
  /** When the last message of any kind came over the socket: the age of the transport. */
  readonly lastMessageAt: number | undefined;
  /** Height of the last block whose checksum was that of our copy; undefined while none came for this book (L4-51). */
  readonly provedHeight: number | undefined;
  /** When the book was last compared with a fresh snapshot and found equal. */
  readonly verifiedAt: number | undefined;
}

/** Outcome of comparing a book with a fresh snapshot, order by order, queue order included. */
export type Verification =
  | { readonly kind: 'equal'; readonly height: number; readonly seq: number; readonly at: number }
  /** The book was not the service's: it is rebuilt. */
  | { readonly kind: 'different'; readonly height: number; readonly seq: number; readonly detail: string }
  /** No comparison took place: the book was not live, or stopped being so meanwhile. */
  | { readonly kind: 'abandoned'; readonly state: CoinState };

/** What `onEvent` is called with, by `kind`. */
export type FollowEvent =
  /** The socket changed its state. */
  | { readonly kind: 'connection'; readonly connection: ConnectionState }
  /** The state of a coin changed, or its reason or detail. */
  | { readonly kind: 'state'; readonly coin: string; readonly state: CoinState; readonly previous: CoinState }
  /** There is a whole new book (bootstrap or rebuild); what was derived from the old one is void. */
  | { readonly kind: 'book'; readonly coin: string; readonly book: L4Book }
  /** A block was applied to the coin's book, which stands right after it. Blocks that were buffered are inside `book`. */
  | { readonly kind: 'block'; readonly coin: string; readonly batch: CoinBatch }
  /**
   * After a block the checksum of the service (`expected`) was not that of our copy (`actual`): the block is not delivered,
   * and the book is rebuilt (L4-51).
   */
  | {
      readonly kind: 'disproved';
      readonly coin: string;
      readonly height: number;
      readonly expected: string;
      readonly actual: string;
    }
  /** A block contradicted the book, which is rebuilt. */
  | { readonly kind: 'findings'; readonly coin: string; readonly findings: readonly Finding[] }
  /** The service says how its own book of the coin is: with the option `status` only, at subscribe and at each change. */
  | { readonly kind: 'bookStatus'; readonly coin: string; readonly status: BookStatus }
  /** The service says how its upstream is, and its own time: with the option `upstream` only, every second. */
  | { readonly kind: 'upstream'; readonly upstream: UpstreamStatus }
  /** After a disconnect the book resumes where it was; this many missed entries come first, as blocks. */
  | { readonly kind: 'resumed'; readonly coin: string; readonly missed: number }
  /** The service does not have them any more, and why: the book is fetched again. */
  | { readonly kind: 'notResumed'; readonly coin: string; readonly reason: ResumeRefusal }
  /** A comparison with a fresh snapshot has ended. */
  | { readonly kind: 'verified'; readonly coin: string; readonly verification: Verification }
  /** The service refused to stream these coins; `message` is its sentence. The next connection asks for them again. */
  | { readonly kind: 'refused'; readonly coins: readonly string[]; readonly message: string };

/** Bounds and times of a follower, all in ms unless named otherwise. */
export interface FollowSettings {
  /** Between two pings of ours. */
  readonly pingMs: number;
  /** Without any message for this long the peer counts as dead and the socket is replaced. */
  readonly deadAfterMs: number;
  /**
   * A subscription that is not acknowledged by then is assumed to be taken, unless the service has acknowledged another
   * one: not every service acknowledges. Such a book is `live` from the coin's first block on, and `stale` before it.
   */
  readonly acknowledgeMs: number;
  /** First and longest wait before a new connection; every failure doubles it, chance takes up to half away. */
  readonly reconnect: Backoff;
  /** First and longest wait before a coin fetches its next snapshot after a failed one or a broken join. */
  readonly rebuild: Backoff;
  /** Most snapshots under way at once, over all coins. */
  readonly snapshotsAtOnce: number;
  /** A snapshot that has not come by then has failed. */
  readonly snapshotMs: number;
  /** How far a fresh snapshot may stay ahead of the stream before the coin counts as cut off from its blocks. */
  readonly aheadMs: number;
}

/** What to follow, and the listeners. */
export interface FollowOptions {
  readonly client: Client;
  /** Coins of the first subscription; several become one array. */
  readonly coins: readonly string[];
  /** Which order statuses to receive (L4-31): `book` (default) those of orders in the block's diffs, `all` every one. */
  readonly statuses?: StatusesMode;
  /** Whether to receive the state of the service's own book of each coin (L4-39), which tells a quiet coin from a broken one. */
  readonly status?: boolean;
  /** Whether to receive the age of the upstream's last block every second (L4-44). */
  readonly upstream?: boolean;
  /**
   * Whether each entry is to carry the rolling checksum of the book, which is compared with that of our copy (L4-51);
   * on unless switched off.
   */
  readonly checksum?: boolean;
  /**
   * Whether each block is to say which of its orders are known to have been executed, and how much of each (`executed` of the
   * batch, L4-52): where the service reads a node's files. Off unless switched on.
   */
  readonly executions?: boolean;
  /**
   * Whether a book resumes where it was at a disconnect, without a snapshot, where the service still has the blocks in
   * between; on unless switched off.
   */
  readonly resume?: boolean;
  /** Called with one event at a time, in order. It may call the follower and must not throw. */
  readonly onEvent?: (event: FollowEvent) => void;
  readonly settings?: Partial<FollowSettings>;
}

/** Follows any number of coins over one socket and keeps an exact book of each. */
export interface Follower {
  readonly connection: ConnectionState;
  /** How long the last pong took, in ms; undefined before the first one of this connection. */
  readonly roundTripMs: number | undefined;
  /** The followed coins, in the order they were added. */
  readonly coins: readonly string[];
  coin(coin: string): CoinView | undefined;
  /** Follows more coins, in one subscription; those already followed are left as they are. */
  add(coins: readonly string[]): void;
  /** Lets coins go. A subscription that named others too is first replaced by one for those (WS-6). */
  remove(coins: readonly string[]): void;
  /** Compares a coin's book with a fresh snapshot (1 credit). A difference rebuilds the book. Rejects as `l4BookSnapshot` does. */
  verify(coin: string, options?: { readonly signal?: Signal }): Promise<Verification>;
  /**
   * The caller knows from elsewhere that the service's book has gone on without the stream, as after a loss at the service
   * in a coin that has not changed since. Counts as a gap; an exact book is fetched again, any other one is already.
   */
  missed(coin: string, reason: GapReason, detail: string): void;
  /** Stops for good and closes the socket. */
  close(): void;
}
