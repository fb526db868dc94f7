import type { CoinState, ConnectionState } from '@l4desk/client';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { Axis, Centring } from './axis.ts';
import type { FeedTimes } from './feed-times.ts';
import type { JournalEntry } from './journal.ts';
import type { TravelTo } from './panes/past.ts';
import type { CoinPlaces } from './panes/places.ts';
import type { BestPrices, BookCounts, PanesAsk, PanesFrame } from './panes.ts';
import type { Position } from './position.ts';
import type { ExportOutcome, OpenedRecording, OpenOutcome } from './recorded.ts';
import type { SourceState } from './source.ts';
import type { TrialReport, WatchRule } from './watch.ts';
import type { WatchedWallet } from './watched.ts';

/** What the page tells the worker. */
export type ToWorker =
  /** Follow this coin and no other; whatever carries an older generation is void. */
  | { readonly kind: 'follow'; readonly generation: number; readonly coin: string }
  /**
   * Respond with one frame, as soon as there is one newer than `after`. Replaces a question of the same ladder that waits.
   * Several ladders may show the book: the first one, 0 or absent, gets what the panes show too.
   */
  | {
      readonly kind: 'ask';
      readonly ask: FrameAsk;
      /** Of the rows of an earlier frame, which were drawn. */
      readonly spare?: ArrayBuffer | undefined;
      /** Of what the panes showed of it, which was read. */
      readonly spent?: ArrayBuffer | undefined;
      readonly view?: number;
    }
  /** Forget the question of this ladder that waits: it is hidden, or gone. */
  | { readonly kind: 'rest'; readonly view?: number }
  /** Hold the shown book at its block, or let go of it; the live book goes on underneath. */
  | { readonly kind: 'pause'; readonly paused: boolean }
  /** Show another moment of the kept minutes; live again where it lies behind the newest one. */
  | { readonly kind: 'travel'; readonly to: TravelTo }
  /** Hold the shown book at this block once it is there, or no longer wait for one; the coin need not be followed yet. */
  | { readonly kind: 'hold'; readonly hold: Hold | undefined }
  /** The wallets whose orders are marked in every frame from now on. */
  | { readonly kind: 'watch'; readonly wallets: readonly WatchedWallet[] }
  /** Show the orders of this wallet alone in the ladder, or everybody's again; best prices and panes stay those of the book. */
  | { readonly kind: 'only'; readonly wallet: Address | undefined }
  /** What the panes want from now on, of every frame; the next frame has it. */
  | { readonly kind: 'panes'; readonly ask: PanesAsk }
  /** Follow the queues of these wallets' orders, and of no others. */
  | { readonly kind: 'wallets'; readonly wallets: readonly Address[] }
  /** Tell where the open orders of these wallets stand in these coins; coins beside the followed one cost as followed ones. */
  | { readonly kind: 'places'; readonly coins: readonly string[]; readonly wallets: readonly Address[] }
  /** Look for an order in the book that is shown, by its oid or its cloid; there is always a response. */
  | { readonly kind: 'find'; readonly serial: number; readonly order: number | string }
  /** Compare the live book with a fresh snapshot, order by order. */
  | { readonly kind: 'verify' }
  /** Show a recording in place of the live book, or of the book that is followed next; there is always a response. */
  | { readonly kind: 'openRecording'; readonly serial: number; readonly file: Blob; readonly name: string }
  /** Go to the first block of the shown recording in which an order is there; there is always a response. */
  | { readonly kind: 'seek'; readonly serial: number; readonly oid: number }
  /** Follow and show the live book again; what was asked of the recording, of an older generation, is void. */
  | { readonly kind: 'closeRecording'; readonly generation: number }
  /** Hand out the kept minutes as a recording. */
  | { readonly kind: 'exportPast'; readonly serial: number; readonly source: string }
  /** Watch the followed book by these rules, and by no others. */
  | { readonly kind: 'rules'; readonly rules: readonly WatchRule[] }
  /** Try rules on everything that is kept; told by and by as `tried`. It replaces the trial before it; without rules it ends it. */
  | { readonly kind: 'try'; readonly serial: number; readonly rules: readonly WatchRule[] }
  /** Try again to follow what the service stopped or refused. */
  | { readonly kind: 'retry' };

/** A block of a coin that is still to come. */
export interface Hold {
  readonly coin: string;
  readonly height: number;
}

/** A ladder pane's question: which rows it shows, and how they may move. */
export interface FrameAsk {
  readonly serial: number;
  readonly generation: number;
  /** Respond only with a newer version than this; 0 for any, because the question itself changed. */
  readonly after: number;
  /** Null, or a tick the coin does not offer: its finest one. */
  readonly tick: DecimalString | null;
  readonly axis: Axis | null;
  readonly slots: number;
  readonly mode: Centring;
  readonly held: boolean;
  readonly recentre: boolean;
  /** Most orders per row the queue lane can show. */
  readonly lane: number;
  /** Whether the rows carry their own notional, or that of them and all better ones. */
  readonly notional: 'none' | 'row' | 'cumulative';
  /** Whether the rows carry what came and was withdrawn in the last seconds. */
  readonly flow: boolean;
  /** Numbers are of the book without this wallet's orders, which carry the ghost's mark. Absent: of the whole book. */
  readonly without?: Address | undefined;
}

/** An order of the shown book, and where it rests. */
export interface FoundOrder {
  readonly coin: string;
  readonly side: Side;
  readonly px: DecimalString;
  readonly oid: number;
}

/** Where the shown book is held, and since when. */
interface FrozenAt extends Position {
  readonly at: number;
  /** The block it was to be held at: that one, or the coin's next after it. Undefined where a person paused it. */
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
  /** Credits used in this calendar month, the month's limit, and when the next one begins; undefined until the service has said. */
  readonly credits: { readonly used: number; readonly limit: number; readonly resetsAt: number } | undefined;
  /** When the worker looks again whether there are credits. */
  readonly lookAt: number;
}

/** What the chrome around the ladder shows, sent a few times a second at most. Times are ms since the Unix epoch. */
export interface LiveStatus {
  readonly generation: number;
  readonly coin: string;
  readonly connection: ConnectionState;
  /** Set while the account has no credits to follow anything with. */
  readonly shortage: CreditShortage | undefined;
  readonly state: CoinState;
  readonly position: Position | undefined;
  readonly gaps: number;
  readonly lastGap: { readonly at: number; readonly detail: string } | undefined;
  /** When the last block of this coin came; when the last message of any kind came. */
  readonly lastBlockAt: number | undefined;
  readonly lastMessageAt: number | undefined;
  readonly roundTripMs: number | undefined;
  /** What tells a quiet coin from a feed that died. */
  readonly times: FeedTimes;
  /** What the service last said of the source of a coin without blocks; undefined while blocks come. */
  readonly source: SourceState | undefined;
  readonly verification: VerificationReport | undefined;
  /** Ticks this book can be grouped by, finest first; empty before there is a book. */
  readonly ticks: readonly DecimalString[];
  /** The best prices of the live book; undefined before there is one, or of an empty side. */
  readonly best: BestPrices;
  readonly counts: BookCounts | undefined;
  /** Set while the shown book is held. */
  readonly frozen: FrozenAt | undefined;
  /** The recording that is shown in place of the live book. */
  readonly recorded: OpenedRecording | undefined;
  /** The block at which it will be held, as long as that is to come. */
  readonly holdAt: number | undefined;
  /** The block of the snapshot that this book grew from; every later one is applied to it. */
  readonly builtAt: number | undefined;
  /** The last block after which the checksum of the service was that of this book; undefined while none came. */
  readonly provedHeight: number | undefined;
}

/** What the worker tells the page. */
export type FromWorker =
  /** The ladder's rows, and what the panes show, of one block. */
  | { readonly kind: 'frame'; readonly buffer: ArrayBuffer; readonly panes: PanesFrame }
  /** The rows of another ladder of the same book. */
  | { readonly kind: 'rows'; readonly view: number; readonly buffer: ArrayBuffer }
  /** Where the open orders asked for stand in one coin, twice a second at most. */
  | { readonly kind: 'places'; readonly places: CoinPlaces }
  | { readonly kind: 'journal'; readonly entry: JournalEntry }
  | { readonly kind: 'status'; readonly status: LiveStatus }
  /** How a trial of rules goes, a few times a second, and what came of it. */
  | { readonly kind: 'tried'; readonly serial: number; readonly trial: TrialReport }
  /** What a call of the worker that was paid for cost: a snapshot. */
  | { readonly kind: 'paid'; readonly credits: number }
  /** The response to `find` of that serial; null when the book has no such order, or there is none. */
  | { readonly kind: 'found'; readonly serial: number; readonly order: FoundOrder | null }
  /** Whether the order of a `seek` of that serial is in the recording: then it stands there now. */
  | { readonly kind: 'sought'; readonly serial: number; readonly isThere: boolean }
  | { readonly kind: 'openedRecording'; readonly serial: number; readonly outcome: OpenOutcome }
  | { readonly kind: 'exportedPast'; readonly serial: number; readonly outcome: ExportOutcome };
