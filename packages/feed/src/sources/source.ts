import type { BookLevels, BookLossReason } from '@l4desk/protocol';
import type { Executions, Trade } from '../api.ts';
import type { UpstreamBlock } from '../sequencer/upstream-block.ts';

/** A coin's whole book as the upstream has it. */
export interface UpstreamSnapshot {
  readonly height: number;
  readonly time: number;
  readonly levels: BookLevels;
}

/** What a source reports. */
export interface SourceEvents {
  /** The socket is open; nothing is joined on it yet. */
  connected(): void;
  /** The socket is gone and with it everything joined; it is being opened again. */
  disconnected(problem: string): void;
  snapshot(coin: string, snapshot: UpstreamSnapshot): void;
  /** What one block did to coins that are joined, all of it that one upstream message holds. */
  blocks(blocks: readonly UpstreamBlock[]): void;
  /**
   * Executions of a joined coin in one block, each known exactly; only of a source that says so of itself (NODE-8). `missing` says
   * that some up to this block may be lost, and why.
   */
  trades(coin: string, height: number, time: number, trades: readonly Trade[], missing?: string): void;
  /** Everything up to this height has been reported for every coin whose snapshot was reported. */
  completeThrough(height: number): void;
  /**
   * Whether the source reports at once that it lost the coin: only then does its silence mean that the coin is quiet. A source
   * of which this is not said means it.
   */
  silenceIsQuiet(coin: string, isQuiet: boolean): void;
  /** The source's book of a coin whose snapshot was reported was still the same at this height. */
  unchanged(coin: string, height: number, time: number): void;
  /** The book of a joined coin may be old, and why; null when nothing speaks for it any more. */
  doubted(coin: string, reason: BookLossReason | null): void;
  /** A joined coin cannot be followed from here: the upstream refused it, or said something that does not fit. */
  lost(coin: string, reason: BookLossReason, detail: string): void;
  /** Part of a message arrived. */
  receiving(): void;
  /** The connection is up and coins are joined, but nothing was said for a while; said once until something is. */
  silent(): void;
}

export interface SourceCounters {
  messages: number;
  bytes: number;
  connects: number;
}

/** How the way to the upstream is. */
export interface ConnectionState {
  readonly counters: Readonly<SourceCounters>;
  readonly connected: boolean;
  /** When the upstream last gave a sign of life, a pong included, on the feed's clock; null before the first. */
  readonly heardAt: number | null;
  /** Whether coins are joined and nothing was said about any for longer than is usual. */
  readonly isSilent: boolean;
}

/** Where books come from: one connection to the upstream, one subscription a coin, in one of its dialects. */
export interface L4Source {
  readonly connection: ConnectionState;
  /** Whether it reports each execution, or executions can only be inferred from the diffs. */
  readonly executions: Executions;
  /** When the upstream last made progress with a request: it responded to one, or part of a long message came; null when it never did. */
  readonly progressAt: number | null;
  start(): void;
  /** Subscribes a coin; its snapshot and then its blocks follow. Nothing happens while the socket is not open. */
  join(coin: string): void;
  /** Unsubscribes a coin. */
  leave(coin: string): void;
  /** Whether a request about the coin is still without a response. */
  hasNotResponded(coin: string): boolean;
  /** Gives the connection up for a fresh one. */
  reconnect(problem: string): void;
  /** A fresh snapshot on a way of its own, for audits; `onProgress` is called when part of it comes. Rejects with one sentence without host names. */
  fetchSnapshot(coin: string, signal: AbortSignal, onProgress: () => void): Promise<UpstreamSnapshot>;
  close(): void | Promise<void>;
}
