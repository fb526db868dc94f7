import type { CoinState, ConnectionState } from '@l4desk/client';
import type { WatchRule } from '@l4desk/insight';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { FeedTimes } from './feed-times.ts';
import type { JournalEntry, JournalHit } from './journal.ts';
import type { TravelTo } from './panes/past.ts';
import type { PaneResults, ShownBlock } from './panes.ts';
import type { BestPrices, BookCounts, Position } from './position.ts';
import type { ExportOutcome, OpenedRecording, OpenOutcome } from './recorded.ts';
import type { SourceState } from './source.ts';
import type { WatchedWallet } from './watched.ts';
import type { CoinPlaces } from './worker/places/coin-places.ts';

export type ToWorker =
  /** Follow this coin and no other; messages of an older generation are ignored. */
  | { readonly kind: 'follow'; readonly generation: number; readonly coin: string }
  /** Paint a canvas of this kind: what page and canvas say to each other goes over the port. */
  | { readonly kind: 'canvas'; readonly name: CanvasName; readonly port: MessagePort }
  /** The page is hidden or visible again: while it is hidden nothing is painted, and no pane is computed. */
  | { readonly kind: 'look'; readonly isVisible: boolean }
  /** Hold the shown book at its block, or release it; the live book keeps updating underneath. */
  | { readonly kind: 'pause'; readonly paused: boolean }
  /** Show another moment of the kept minutes; a moment past the newest one means live again. */
  | { readonly kind: 'travel'; readonly to: TravelTo }
  /** Hold the shown book at this block once it is reached, or stop waiting for one; the coin need not be followed yet. */
  | { readonly kind: 'hold'; readonly hold: Hold | undefined }
  | { readonly kind: 'watch'; readonly wallets: readonly WatchedWallet[] }
  /** Show only this wallet's orders in the ladder, or everybody's again; best prices and panes stay those of the whole book. */
  | { readonly kind: 'only'; readonly wallet: Address | undefined }
  /** Compute a pane from now on, at once the first time, or no more; a request is a name and parameters (`paneRequest`). */
  | { readonly kind: 'pane'; readonly request: string; readonly isOpen: boolean }
  | { readonly kind: 'wallets'; readonly wallets: readonly Address[] }
  /** Report where the open orders of these wallets rest in these coins; other coins cost as much as the followed one. */
  | { readonly kind: 'places'; readonly coins: readonly string[]; readonly wallets: readonly Address[] }
  | { readonly kind: 'call'; readonly serial: number; readonly call: Call }
  | { readonly kind: 'verify' }
  /** Follow and show the live book again; requests to the recording, of an older generation, are ignored. */
  | { readonly kind: 'closeRecording'; readonly generation: number }
  | { readonly kind: 'rules'; readonly rules: readonly WatchRule[] }
  | { readonly kind: 'retry' };

/** What the page chooses: it holds until another message of the kind. */
export type Choice = Extract<ToWorker, { readonly kind: 'hold' | 'watch' | 'only' | 'wallets' | 'places' | 'rules' }>;

/** What the worker does for the page by name: what it is given, and what it returns. */
export interface Calls {
  /** Looks for an order in the shown book by its oid or cloid; null if there is none. */
  readonly find: [number | string, FoundOrder | null];
  /** Shows a recording in place of the live book, or of the next book followed. */
  readonly openRecording: [{ readonly file: Blob; readonly name: string }, OpenOutcome];
  /** Goes to the first block of the shown recording that has an order, by its oid; false if no block has it. */
  readonly seek: [number, boolean];
  /** Exports the kept minutes as a recording; the text names where they come from. */
  readonly exportPast: [string, ExportOutcome];
}

export type Call = { [Name in keyof Calls]: { readonly name: Name; readonly given: Calls[Name][0] } }[keyof Calls];

export interface Hold {
  readonly coin: string;
  readonly height: number;
}

export type CanvasName = 'ladder' | 'price';

export interface FoundOrder {
  readonly coin: string;
  readonly side: Side;
  readonly px: DecimalString;
  readonly oid: number;
}

/** The block at which the shown book is held, and since when. */
interface FrozenAt extends Position {
  readonly at: number;
  /** The block it was asked to hold at; it holds there or at the coin's next block after it. Undefined if a person paused it. */
  readonly asked: number | undefined;
}

export type VerificationReport =
  | { readonly kind: 'running'; readonly since: number }
  | {
      readonly kind: 'equal';
      readonly at: number;
      readonly height: number;
      readonly orders: number;
      readonly tookMs: number;
    }
  | { readonly kind: 'different'; readonly at: number; readonly detail: string }
  | { readonly kind: 'failed'; readonly at: number; readonly detail: string };

/** The account has run out of credits. Times are ms since the Unix epoch. */
export interface CreditShortage {
  readonly since: number;
  /**
   * Credits used in this calendar month, the month's limit, and when the next month begins; undefined until the service has
   * reported them.
   */
  readonly credits: { readonly used: number; readonly limit: number; readonly resetsAt: number } | undefined;
  /** When the worker next checks for credits. */
  readonly lookAt: number;
}

/** What the UI around the ladder shows. Times are ms since the Unix epoch. */
export interface LiveStatus {
  readonly generation: number;
  readonly coin: string;
  readonly connection: ConnectionState;
  /** Set while the account has no credits to follow anything with. */
  readonly shortage: CreditShortage | undefined;
  readonly state: CoinState;
  readonly position: Position | undefined;
  /**
   * How often blocks of the coin were not seen since it was chosen: breaks of its sequence, and what a rebuild after a disconnect or
   * a recording left out. Below, the last time.
   */
  readonly gaps: number;
  readonly lastGap: { readonly at: number; readonly detail: string } | undefined;
  /** When the last block of this coin arrived; below, when the last message of any kind arrived. */
  readonly lastBlockAt: number | undefined;
  readonly lastMessageAt: number | undefined;
  readonly roundTripMs: number | undefined;
  /** The times that distinguish a quiet coin from a dead feed. */
  readonly times: FeedTimes;
  /** The service's last report on the source of a coin without blocks; undefined while blocks arrive. */
  readonly source: SourceState | undefined;
  readonly verification: VerificationReport | undefined;
  /** Ticks by which this book can be grouped, finest first; empty before there is a book. */
  readonly ticks: readonly DecimalString[];
  /** The best prices of the live book; undefined for an empty side and before there is a book. */
  readonly best: BestPrices;
  readonly counts: BookCounts | undefined;
  readonly frozen: FrozenAt | undefined;
  readonly recorded: OpenedRecording | undefined;
  /** The future block at which the book will be held; undefined once it is held there. */
  readonly holdAt: number | undefined;
  /** The block of the snapshot that this book was built from; every later block is applied to it. */
  readonly builtAt: number | undefined;
  /** The last block after which the service's checksum matched this book; undefined before the first one. */
  readonly provedHeight: number | undefined;
}

export type FromWorker =
  /**
   * What changed in the book, at most five times a second, urgent changes at once. The results of a live book's panes follow in a
   * message each, all of the same block. A hidden page gets the status only.
   */
  | {
      readonly kind: 'book';
      readonly generation: number;
      readonly status?: LiveStatus | undefined;
      readonly shown?: ShownBlock | undefined;
      readonly panes: PaneResults;
    }
  /** Where the requested open orders rest in one coin, at most twice a second. */
  | { readonly kind: 'places'; readonly places: CoinPlaces }
  | { readonly kind: 'journal'; readonly entry: JournalEntry }
  /** Watch rules that fired: the first at once, and those that follow within a second together. */
  | { readonly kind: 'hits'; readonly hits: readonly JournalHit[] }
  /** The cost of a paid call by the worker: a snapshot. */
  | { readonly kind: 'paid'; readonly credits: number }
  | { readonly kind: 'returned'; readonly serial: number; readonly value: unknown };

export interface WorkerPort {
  postMessage(message: ToWorker, options: { transfer: Transferable[] }): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<FromWorker>) => void): void;
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void;
  terminate(): void;
}
