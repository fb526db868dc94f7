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
import type { Backoff } from '@l4desk/runtime';
import type { Client } from '../client.ts';
import type { Signal } from '../platform.ts';
import type { ConnectionState } from '../stream/state.ts';

/**
 * State of our copy of a coin's book. `kind` is documented with `BOOK_STATES`. `reason` is why there is no live book; it is null
 * while there is one and while nothing went wrong. `detail` is the reason in words. `since` is when the state was entered, in ms
 * since the Unix epoch.
 */
export interface CoinState {
  readonly kind: BookState;
  readonly reason: BookLossReason | null;
  readonly detail: string;
  readonly since: number;
}

/** How the sequence of a coin broke (L4-6). */
export type GapReason = Extract<BookLossReason, 'upstream-gap' | 'upstream-epoch'>;

/** The current state of one followed coin. Times are in ms since the Unix epoch. */
export interface CoinView {
  readonly coin: string;
  readonly state: CoinState;
  /** The last book held. Exact in state `live`, stale or unproven in every other state. */
  readonly book: L4Book | undefined;
  /** Position of `book`: block height, and the coin's sequence number within `epoch`. */
  readonly height: number | undefined;
  readonly seq: number | undefined;
  readonly epoch: string | undefined;
  /** The block's own time at `height`. */
  readonly blockTime: number | undefined;
  /** How often the coin's sequence broke since it has been followed (L4-6): gaps and new epochs. */
  readonly gaps: number;
  readonly lastGap: { readonly at: number; readonly reason: GapReason; readonly detail: string } | undefined;
  /** How often the book continued after a disconnect without a snapshot. */
  readonly resumes: number;
  /** When the last block of this coin came. A quiet coin has an old last block but a recent last message. */
  readonly lastBlockAt: number | undefined;
  /** When the last message of any kind came over the socket: the age of the transport. */
  readonly lastMessageAt: number | undefined;
  /** Height of the last block whose checksum matched our copy. Undefined if none has come for this book. */
  readonly provedHeight: number | undefined;
  /** When the book was last compared with a fresh snapshot and found equal. */
  readonly verifiedAt: number | undefined;
}

/** Result of comparing a book with a fresh snapshot, order by order, including queue order. */
export type Verification =
  | { readonly kind: 'equal'; readonly height: number; readonly seq: number; readonly at: number }
  /** The book differed from the service's and is rebuilt. */
  | { readonly kind: 'different'; readonly height: number; readonly seq: number; readonly detail: string }
  /** No comparison took place: the book was not live, or stopped being live meanwhile. */
  | { readonly kind: 'abandoned'; readonly state: CoinState };

/** The argument of `onEvent`, by `kind`. */
export type FollowEvent =
  /** The state of the socket changed. */
  | { readonly kind: 'connection'; readonly connection: ConnectionState }
  /** The state of a coin changed, or its reason or detail. */
  | { readonly kind: 'state'; readonly coin: string; readonly state: CoinState; readonly previous: CoinState }
  /** There is a new book (bootstrap or rebuild). Anything derived from the old one is invalid. */
  | { readonly kind: 'book'; readonly coin: string; readonly book: L4Book }
  /** A block was applied to the coin's book, which is now right after it. Buffered blocks are already part of `book`. */
  | { readonly kind: 'block'; readonly coin: string; readonly batch: CoinBatch }
  /**
   * After a block, the service's checksum (`expected`) differed from that of our copy (`actual`). The block is not delivered, and
   * the book is rebuilt.
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
  /** The service's report on its own book of the coin. Only with the option `status`, at subscribe and at each change. */
  | { readonly kind: 'bookStatus'; readonly coin: string; readonly status: BookStatus }
  /** The service's report on its upstream, with its own time. Only with the option `upstream`, every second. */
  | { readonly kind: 'upstream'; readonly upstream: UpstreamStatus }
  /** After a disconnect the book resumes where it was. This many missed entries come first, as blocks. */
  | { readonly kind: 'resumed'; readonly coin: string; readonly missed: number }
  /** The service no longer has the missed entries, for this reason. The book is refetched. */
  | { readonly kind: 'notResumed'; readonly coin: string; readonly reason: ResumeRefusal }
  /** A comparison with a fresh snapshot has ended. */
  | { readonly kind: 'verified'; readonly coin: string; readonly verification: Verification }
  /** The service refused to stream these coins. `message` is its reason. The next connection requests them again. */
  | { readonly kind: 'refused'; readonly coins: readonly string[]; readonly message: string };

/** Limits and durations of a follower, in ms unless stated otherwise. */
export interface FollowSettings {
  /** Time between two pings that we send. */
  readonly pingMs: number;
  /** If no message comes for this long, the connection counts as dead and the socket is replaced. */
  readonly deadAfterMs: number;
  /**
   * A subscription that is not acknowledged within this time is assumed to be active, unless the service has acknowledged another
   * one: not every service acknowledges. Such a book is `live` from the coin's first block on, and `stale` before it.
   */
  readonly acknowledgeMs: number;
  /** First and longest wait before a new connection. Every failure doubles the wait, and up to half is subtracted at random. */
  readonly reconnect: Backoff;
  /** First and longest wait before a coin fetches its next snapshot after a failed one or a broken join. */
  readonly rebuild: Backoff;
  /** The most snapshots in flight at once, over all coins. */
  readonly snapshotsAtOnce: number;
  /** A snapshot fails if it has not come within this time. */
  readonly snapshotMs: number;
  /** How long a fresh snapshot may stay ahead of the stream before the coin counts as cut off from its blocks. */
  readonly aheadMs: number;
}

/** What to follow, and the event listener. */
export interface FollowOptions {
  readonly client: Client;
  /** Coins of the first subscription. Several are sent as one array. */
  readonly coins: readonly string[];
  /** Which order statuses to receive (L4-31): `book` (default) those of orders in the block's diffs, `all` every one. */
  readonly statuses?: StatusesMode;
  /**
   * Whether to receive the state of the service's own book of each coin (L4-39), which distinguishes a quiet coin from a broken
   * one.
   */
  readonly status?: boolean;
  /** Whether to receive the age of the upstream's last block every second. */
  readonly upstream?: boolean;
  /**
   * Whether each entry carries the rolling checksum of the book, which is compared with that of our copy. Defaults to
   * true.
   */
  readonly checksum?: boolean;
  /**
   * Whether each block lists which of its orders are known to have been executed, and how much of each (`executed` of the
   * batch). Available if the service reads a node's files. Defaults to false.
   */
  readonly executions?: boolean;
  /**
   * Whether a book resumes where it was at a disconnect, without a snapshot, if the service still has the blocks in between.
   * Defaults to true.
   */
  readonly resume?: boolean;
  /** Called with one event at a time, in order. It may call the follower and must not throw. */
  readonly onEvent?: (event: FollowEvent) => void;
  readonly settings?: Partial<FollowSettings>;
}

/** Follows any number of coins over one socket and keeps an exact book of each. */
export interface Follower {
  readonly connection: ConnectionState;
  /** How long the last pong took, in ms. Undefined before the first one of this connection. */
  readonly roundTripMs: number | undefined;
  /** The followed coins, in the order in which they were added. */
  readonly coins: readonly string[];
  coin(coin: string): CoinView | undefined;
  /** Follows more coins, in one subscription. Coins that are already followed are not affected. */
  add(coins: readonly string[]): void;
  /** Stops following coins. A subscription that also named other coins is first replaced by one for those (WS-6). */
  remove(coins: readonly string[]): void;
  /** Compares a coin's book with a fresh snapshot (1 credit). A difference rebuilds the book. Rejects like `l4BookSnapshot`. */
  verify(coin: string, options?: { readonly signal?: Signal }): Promise<Verification>;
  /**
   * Call this on learning from another source that the service's book has advanced without the stream, for example after a loss
   * at the service in a coin that has not changed since. It counts as a gap. An exact book is refetched; any other is being
   * refetched already.
   */
  missed(coin: string, reason: GapReason, detail: string): void;
  /** Stops for good and closes the socket. */
  close(): void;
}
