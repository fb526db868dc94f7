/** What the L4 path offers. Blocks and snapshots are data: any carrier could bring them. */
import type { BookLossReason, BookStatus, BookViewQuery, DecimalString, Side, UpstreamBlocks } from '@l4desk/protocol';
import type { CoinStatus } from './book-statuses.ts';

/** The part of a pino logger that the L4 path uses. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** How a snapshot's bytes are encoded, by the name `Content-Encoding` has for it. */
export type SnapshotEncoding = 'identity' | 'gzip' | 'br';

/** JSON text of one `l4BookSnapshot` response (`L4BookSnapshot`), encoded; shared by everybody who waited for it, so never to be written to. */
export interface SnapshotBytes {
  readonly coin: string;
  /** Block height of the book. */
  readonly height: number;
  readonly encoding: SnapshotEncoding;
  readonly bytes: Uint8Array;
}

/** JSON text of one coin's entry in a batch, serialised once; with statuses in full or only those of the block's diffs (L4-31). */
export interface EntryText {
  /** UTF-8, not compressed. */
  readonly plain: Uint8Array;
  /**
   * The same text without its closing brace, so that a field can follow, as byte-aligned raw DEFLATE blocks that refer to
   * nothing before them, ending in a sync flush. Such pieces may be concatenated. Null while no caller wants it, or where it would be no smaller.
   */
  readonly deflated: Uint8Array | null;
}

/** What a published block changed in one coin. */
export interface PublishedEntry {
  readonly coin: string;
  /** The coin's sequence within the epoch, and that of its entry before: a `prevSeq` other than the last `seq` is a gap (L4-6). */
  readonly seq: number;
  readonly prevSeq: number;
  /** The rolling checksum of the coin's whole book after this entry (L4-50); absent where the feed does not sum up. */
  readonly checksum?: string | undefined;
  /** JSON of what is known to have been executed of the entry's orders (L4-52); absent where nothing is. */
  readonly executed?: string | undefined;
  /** The entry with every status of the coin in the block; null where it has no reader. */
  readonly all: EntryText | null;
  /** The entry with the statuses of orders in its diffs only: all that a book needs (L4-31). */
  readonly book: EntryText;
}

/** One block, in strictly rising height within an epoch, with an entry for each live coin that has diffs in it (L4-24). */
export interface PublishedBlock {
  /** UUID of the sequence: a new one means that nothing continues what was before (L4-4, L4-19). */
  readonly epoch: string;
  readonly height: number;
  /** Block time, ms since the Unix epoch. */
  readonly time: number;
  /** When its first message arrived from upstream, by this machine's clock, ms since the Unix epoch. */
  readonly receivedAt: number;
  readonly entries: readonly PublishedEntry[];
}

/** Whether executions are known exactly, or can only be inferred from what happened to resting orders. */
export type Executions = 'exact' | 'inferred';

/** One execution between two orders, as the exchange's `trades` channel has it. */
export interface Trade {
  readonly coin: string;
  /** The side of the order that came: `B` bought. */
  readonly side: Side;
  readonly px: DecimalString;
  readonly sz: DecimalString;
  readonly hash: string;
  /** ms since the Unix epoch. */
  readonly time: number;
  readonly tid: number;
  readonly users: readonly [buyer: string, seller: string];
}

/** The executions of one coin in one block. They come beside the block, soon before or after it. */
export interface CoinTrades {
  readonly coin: string;
  readonly height: number;
  /** Block time, ms. */
  readonly time: number;
  readonly trades: readonly Trade[];
  /** Executions up to this block may be missing, and why. */
  readonly missing?: string;
}

/** State of one joined coin. */
export interface CoinHealth extends CoinStatus {
  readonly coin: string;
  /** Height of the book, null while there is none. */
  readonly height: number | null;
  /** The coin's sequence, as a snapshot taken now has it. */
  readonly seq: number;
  /** Resting orders in the book. */
  readonly orders: number;
  /** How often the book was rebuilt since the coin was joined, and why last. */
  readonly rebuilds: number;
  readonly lastLoss: BookLossReason | null;
}

/** Counters since the start; they only rise. */
interface FeedCounters {
  readonly blocksPublished: number;
  readonly entriesPublished: number;
  readonly upstreamMessages: number;
  readonly upstreamBytes: number;
  readonly upstreamConnects: number;
  readonly repeatsDropped: number;
  readonly lossesByReason: Readonly<Partial<Record<BookLossReason, number>>>;
  readonly auditsPassed: number;
  readonly auditsFailed: number;
  readonly auditsAbandoned: number;
  readonly snapshotsServed: number;
  readonly snapshotsSerialised: number;
  readonly snapshotsCompressed: number;
  readonly epochs: number;
}

/** A worker thread that has not reported for this long, in ms, hangs, and its last report is worthless. It reports every second. */
export const FEED_SILENT_MS = 4_000;

/** How the L4 path is doing, for `/readyz` and `/metrics`. At most about a second old; changes of state come at once. */
export interface FeedHealth {
  /** How long ago, in ms, the worker last said all this: it says it every second, unless it hangs. */
  readonly ageMs: number;
  readonly upstreamConnected: boolean;
  /** Why the upstream is not connected, without host names. */
  readonly upstreamProblem: string | null;
  /** How long ago, in ms, the upstream last gave a sign of life, null when it never did. */
  readonly upstreamAgeMs: number | null;
  /** How old the upstream's last block is, of all joined coins together, and what is usual; null while too few came. */
  readonly upstreamBlocks: UpstreamBlocks | null;
  readonly epoch: string;
  /** Height of the last block released, null before the first. */
  readonly height: number | null;
  readonly coins: readonly CoinHealth[];
  /** Whether `onTrades` reports every execution, or nothing. */
  readonly executions: Executions;
  /** Coins that wait for their turn to be joined, and those whose subscription was sent and that have no snapshot yet. */
  readonly joins: { readonly waiting: number; readonly outstanding: number };
  /** How often each book is audited at present, in ms: `L4_AUDIT_MS`, or longer where the upstream's time does not allow that. */
  readonly auditPeriodMs: number;
  readonly counters: FeedCounters;
  /** Delay of the worker's event loop over the last report, in ms. */
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** How often the worker thread ended by itself and was started again. */
  readonly workerRestarts: number;
  /** The role of the process in its cluster; absent outside a cluster. */
  readonly cluster?: ClusterHealth;
}

/** The role of a process in its cluster (`ROLE`). */
export interface ClusterHealth {
  readonly role: 'leader' | 'standby' | 'gateway';
  /** Why NATS is not connected; null while it is. */
  readonly natsProblem: string | null;
  /** Of a gateway: why no leading sequencer is heard; null while there is one, and of a sequencer. */
  readonly leaderProblem: string | null;
  /** Of a gateway: from the arrival of the last block at the sequencer to its being read here, by the machines' clocks. */
  readonly lagMs: number;
  /** Of a leader: bytes that the stream has not acknowledged. */
  readonly pendingBytes: number;
  /** Of a sequencer: how often it began to lead; of a gateway: how many leaders it heard. */
  readonly terms: number;
  /** Of a gateway: how often messages of the stream were missed, and every book rebuilt. */
  readonly gaps: number;
  /** Of a leader: gateways that say which coins they want. */
  readonly gateways: number;
}

/** Keeps a coin joined upstream until released. */
export interface CoinLease {
  readonly coin: string;
  /** Releases the coin; more than once is once. */
  release(): void;
}

/** A watched view as it is now. */
export interface BookView {
  /** `viewKey` of its query. */
  readonly key: string;
  /** JSON of the `data` of the channel's message. */
  readonly data: string;
}

/** Keeps a view watched until released. */
export interface ViewLease {
  readonly key: string;
  /** The last message about the view; null before the first one. Outdated where the book is not live. */
  readonly data: string | null;
  /** Releases it; more than once is once. */
  release(): void;
}

/**
 * Which texts of a coin's entries have a reader. The plain one with the statuses of its diffs is always there: a client that
 * resumes may ask for it.
 */
export interface TextsWanted {
  /** With every status. */
  readonly all: boolean;
  /** Compressed, of either. */
  readonly allDeflated: boolean;
  readonly bookDeflated: boolean;
}

/** Nobody reads more than what is always there. */
export const NO_TEXTS_WANTED: TextsWanted = { all: false, allDeflated: false, bookDeflated: false };

/** Which blocks of the past are asked for. */
export interface EarlierQuery {
  readonly coins: readonly string[];
  /** Those of them whose entries are wanted with every status. */
  readonly all: readonly string[];
  /** How far back, in ms, and most bytes of texts: the oldest blocks go first. */
  readonly keepMs: number;
  readonly bytesMax: number;
}

/** Blocks that were published before, as far as the feed's carrier still has them. */
export interface EarlierBlocks {
  readonly epoch: string;
  /**
   * Oldest first, with the entries of those coins and no others; of each coin every entry follows the one before. `ageMs` is how
   * much older a block is than the last one known.
   */
  readonly blocks: readonly { readonly ageMs: number; readonly block: PublishedBlock }[];
  /** By coin the `seq` of its book after all blocks that listeners were given; coins without a book are left out. */
  readonly seqs: Readonly<Record<string, number>>;
}

/** Resolves with blocks of the past; rejects when the signal aborts, or where they cannot be read. */
export type ReadEarlier = (query: EarlierQuery, signal: AbortSignal) => Promise<EarlierBlocks>;

/** The books of coins, followed from one upstream. Disposing it leaves the upstream and ends what it started. */
export interface L4Feed extends AsyncDisposable {
  /**
   * Keeps a coin joined upstream while held; a coin without holders is left after the linger (UP-5). Returns at once; how the book
   * is, for example for a coin that the upstream refuses, is in `bookStatus`.
   */
  acquire(coin: string): CoinLease;
  /**
   * The JSON text of `l4BookSnapshot`, taken at or after this call (SNAP-19) and shared by concurrent callers. Joins the coin
   * by itself. Rejects with BookNotReady when the signal aborts before the book is there (SNAP-18), and with Error when the
   * feed is closed.
   */
  snapshot(coin: string, encoding: SnapshotEncoding, signal: AbortSignal): Promise<SnapshotBytes>;
  /** Calls the listener for every published block, in order, until the returned function is called. It must not throw. */
  onBlock(listener: (block: PublishedBlock) => void): () => void;
  /** Calls the listener with the executions of held coins, where these are known exactly, until the returned function is called. */
  onTrades(listener: (trades: CoinTrades) => void): () => void;
  /** How the book of a coin is now; `waiting` while it has no holder. */
  bookStatus(coin: string): BookStatus;
  /** Calls the listener at each change of a held coin's book state, in order with the blocks, until the returned function is called. */
  onBookStatus(listener: (status: BookStatus) => void): () => void;
  /**
   * Keeps a view of the books watched until released. It is passed to `onView` as soon as its book is live, and then after each
   * block that changes it; a watcher holds the coin too.
   */
  watchView(query: BookViewQuery): ViewLease;
  /** Calls the listener at each change of a watched view, after the block that changed it, until the returned function is called. */
  onView(listener: (view: BookView) => void): () => void;
  /** Says which texts of a coin have a reader from now on; `NO_TEXTS_WANTED` at first. Blocks under way may lack them. */
  wantTexts(coin: string, wanted: TextsWanted): void;
  /**
   * Blocks that were published before, up to those that listeners are given from the moment a coin is held (CL-16). Absent of
   * a feed that nobody else published for.
   */
  readonly earlier?: ReadEarlier;
  /** How the feed is doing; see `FeedHealth`. */
  health(): FeedHealth;
}

/** The book of a coin was not ready before the caller's deadline (SNAP-18). */
export class BookNotReady extends Error {
  readonly code = 'book_not_ready';
  readonly retryable = true;
  readonly coin: string;

  constructor(coin: string, options?: ErrorOptions) {
    super(`The book of ${coin} is not ready yet.`, options);
    this.name = 'BookNotReady';
    this.coin = coin;
  }
}

/** In whole ms, as it is sent. */
export function roundedBlocks({ ageMs, usualMs, suspectAfterMs }: UpstreamBlocks): UpstreamBlocks {
  const whole = (ms: number) => Math.max(0, Math.round(ms));
  return { ageMs: whole(ageMs), usualMs: whole(usualMs), suspectAfterMs: whole(suspectAfterMs) };
}
