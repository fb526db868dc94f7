import type { BookLevels, BookLossReason } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import type { Executions, Trade } from '../api.ts';
import type { UpstreamBlock } from '../blocks/upstream-block.ts';
import type { L4Tuning } from '../settings.ts';

/** A coin's whole book at the upstream. */
export interface UpstreamSnapshot {
  readonly height: number;
  readonly time: number;
  readonly levels: BookLevels;
}

export interface SourceEvents {
  connected(): void;
  /** The socket is closed, and nothing is joined any more; it is being reopened. */
  disconnected(problem: string): void;
  snapshot(coin: string, snapshot: UpstreamSnapshot): void;
  /** One block's changes to joined coins: everything in one upstream message. */
  blocks(blocks: readonly UpstreamBlock[]): void;
  /** Exact executions of a joined coin in one block (NODE-8). `missing` says why some up to it may be missing. */
  trades(coin: string, height: number, time: number, trades: readonly Trade[], missing?: string): void;
  /** Everything up to this height has been reported for every coin whose snapshot was reported. */
  completeThrough(height: number): void;
  /** Whether the source reports at once when it loses the coin, so that silence means quiet. Assumed by default. */
  silenceIsQuiet(coin: string, isQuiet: boolean): void;
  /** The source's book of a coin whose snapshot was reported was unchanged at this height. */
  unchanged(coin: string, height: number, time: number): void;
  /** The reason why the book of a joined coin may be outdated; null once there is none. */
  doubted(coin: string, reason: BookLossReason | null): void;
  /** A joined coin can no longer be followed: the upstream refused it, or sent something inconsistent. */
  lost(coin: string, reason: BookLossReason, detail: string): void;
  receiving(): void;
  /** Coins are joined on an open connection, but no message arrived for a while. Reported once until one arrives. */
  silent(): void;
  /** The snapshots so far may have lacked a part of their height: every book is to be compared soon. */
  snapshotsDoubted(): void;
  /** The upstream makes no blocks since this time of the feed's clock; null once it does. */
  standsStill(since: number | null): void;
}

export interface SourceCounters {
  messages: number;
  bytes: number;
  connects: number;
}

export interface ConnectionState {
  readonly counters: Readonly<SourceCounters>;
  readonly connected: boolean;
  /** When the upstream last gave a sign of life, including pongs, on the feed's clock; null before the first. */
  readonly aliveAt: number | null;
  /** Whether coins are joined and no message about any has arrived for unusually long. */
  readonly isSilent: boolean;
}

/** A source of books: one connection to the upstream, one subscription per coin, in one dialect. */
export interface L4Source {
  readonly connection: ConnectionState;
  /** Whether the source reports every execution, or executions can only be inferred from the diffs. */
  readonly executions: Executions;
  /** Why executions are not known although this kind of source reports them; null if they are. */
  readonly executionsProblem?: string | null;
  /** What an operator should look at, one sentence each, without host names. */
  readonly warnings?: readonly string[];
  /** When the upstream last responded to a request or sent part of a long message; null if it never did. */
  readonly progressAt: number | null;
  start(): void;
  /** Subscribes a coin; its snapshot and then its blocks follow. Does nothing while the socket is not open. */
  join(coin: string): void;
  leave(coin: string): void;
  /** Whether a request about the coin has no response yet. */
  hasNotResponded(coin: string): boolean;
  reconnect(problem: string): void;
  /** Fetches a fresh snapshot apart from the stream, for audits. Rejects with one sentence without host names. */
  fetchSnapshot(coin: string, signal: AbortSignal, onProgress: () => void): Promise<UpstreamSnapshot>;
  close(): void | Promise<void>;
}

/** What a source needs from its feed. */
export interface SourceDeps {
  readonly clock: SystemClock;
  readonly random: () => number;
  readonly log: Log;
  /** Whether all statuses of a coin have a reader, or only those of orders in its diffs are needed. */
  readonly readsAll: (coin: string) => boolean;
  /** Whether an order is in the coin's book; undefined while there is none. */
  readonly rests: (coin: string, oid: number) => boolean | undefined;
}

/** How the books of one kind of upstream are followed. */
export interface SourceKind {
  /** Limits and times that differ from `L4_TUNING`. */
  readonly tuning: Partial<L4Tuning>;
  /** How long a missing height may still arrive, in ms. */
  readonly reorderMs: number;
  /** Whether whole blocks arrive in order, so that each is settled before the next. */
  readonly sendsWholeBlocks: boolean;
  /** Whether the source logs by itself that no blocks arrive. */
  readonly logsSilence: boolean;
  open(tuning: L4Tuning, events: SourceEvents, deps: SourceDeps): L4Source;
}
