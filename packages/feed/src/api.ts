/** Public API of the L4 path. Blocks and snapshots are plain data, so any transport can carry them. */
import type {
  BookLossReason,
  BookState,
  BookStatus,
  BookViewQuery,
  DecimalString,
  L2BookQuery,
  Side,
  UpstreamBlocks,
} from '@l4desk/protocol';

/** Encoding of a snapshot's bytes, named as in `Content-Encoding`. */
export type SnapshotEncoding = 'identity' | 'gzip' | 'br';

/** Encoded JSON text of one `l4BookSnapshot` response (`L4BookSnapshot`). Shared by all its callers: do not modify it. */
export interface SnapshotBytes {
  readonly encoding: SnapshotEncoding;
  readonly bytes: Uint8Array;
}

/** JSON text of one coin's entry in a batch, serialised once, with all statuses or only those of the block's diffs (L4-31). */
export interface EntryText {
  /** UTF-8, not compressed. */
  readonly plain: Uint8Array;
  /**
   * The same without its closing brace, as byte-aligned raw DEFLATE blocks without back references, which may be
   * concatenated. Null while nobody wants it, or if it would not be smaller.
   */
  readonly deflated: Uint8Array | null;
}

/** The changes to one coin in a published block. */
export interface PublishedEntry {
  readonly coin: string;
  /** The coin's sequence number within the epoch, and the one before. A `prevSeq` other than the last `seq` is a gap (L4-6). */
  readonly seq: number;
  readonly prevSeq: number;
  /** Rolling checksum of the coin's whole book after this entry; absent if the feed computes none. */
  readonly checksum?: string | undefined;
  /** JSON of the known executions of the entry's orders; absent if there are none. */
  readonly executed?: string | undefined;
  /** The entry with every status of the coin in the block; null if it has no reader. */
  readonly all: EntryText | null;
  /** The entry with only the statuses of orders in its diffs, which is all that a book needs (L4-31). */
  readonly book: EntryText;
}

/** One block, with an entry for each live coin that has diffs in it (L4-24). Heights strictly increase within an epoch. */
export interface PublishedBlock {
  /** UUID of the sequence. Blocks of a new epoch do not continue those of the previous one (L4-4, L4-19). */
  readonly epoch: string;
  readonly height: number;
  /** Block time, ms since the Unix epoch. */
  readonly time: number;
  /** When the block's first message arrived from upstream, by this machine's clock, ms since the Unix epoch. */
  readonly receivedAt: number;
  readonly entries: readonly PublishedEntry[];
}

/** Whether executions are known exactly, or can only be inferred from changes to resting orders. */
export type Executions = 'exact' | 'inferred';

/** One execution between two orders, in the shape of the exchange's `trades` channel. */
export interface Trade {
  readonly coin: string;
  /** Side of the incoming (taker) order; `B` bought. */
  readonly side: Side;
  readonly px: DecimalString;
  readonly sz: DecimalString;
  readonly hash: string;
  /** ms since the Unix epoch. */
  readonly time: number;
  readonly tid: number;
  readonly users: readonly [buyer: string, seller: string];
}

/** The executions of one coin in one block. They are delivered separately, shortly before or after the block. */
export interface CoinTrades {
  readonly coin: string;
  readonly height: number;
  /** Block time, ms. */
  readonly time: number;
  readonly trades: readonly Trade[];
  /** Present if executions up to this block may be missing; says why. */
  readonly missing?: string;
}

/** State of a joined coin's book. `since` is when the state was entered, ms since the Unix epoch. */
export interface CoinStatus {
  readonly state: BookState;
  readonly since: number;
  /** Why there is no live book; null while there is one or while nothing has gone wrong. */
  readonly reason: BookLossReason | null;
}

/** State of a coin's book as the feed reports it: a `BookStatus` whose reason is one of `BOOK_LOSS_REASONS`. */
export type FeedBookStatus = BookStatus & CoinStatus;

/** State of one joined coin. */
export interface CoinHealth extends CoinStatus {
  readonly coin: string;
  readonly height: number | null;
  /** The coin's sequence number, as in a snapshot taken now. */
  readonly seq: number;
  readonly orders: number;
  /** How often the book was rebuilt since the coin was joined, and the reason of the last loss. */
  readonly rebuilds: number;
  readonly lastLoss: BookLossReason | null;
}

const NO_EVENTS = {
  blocksPublished: 0,
  entriesPublished: 0,
  upstreamMessages: 0,
  upstreamBytes: 0,
  upstreamConnects: 0,
  repeatsDropped: 0,
  auditsPassed: 0,
  auditsFailed: 0,
  auditsAbandoned: 0,
  snapshotsServed: 0,
  snapshotsSerialised: 0,
  snapshotsCompressed: 0,
  epochs: 0,
};

interface FeedCounters extends Readonly<Record<keyof typeof NO_EVENTS, number>> {
  readonly lossesByReason: Readonly<Partial<Record<BookLossReason, number>>>;
}

/** The worker reports every second. After this long without a report, in ms, it counts as hung and its last report as invalid. */
export const FEED_SILENT_MS = 4_000;

/** Health of the L4 path, for `/readyz` and `/metrics`. At most about a second old; state changes are reported at once. */
export interface FeedHealth {
  /** Age of the worker's last report, in ms. The worker reports every second unless it hangs. */
  readonly ageMs: number;
  readonly upstreamConnected: boolean;
  /** Why the upstream is not connected, without host names. */
  readonly upstreamProblem: string | null;
  /** Time since the upstream's last sign of life, in ms; null if there was none. */
  readonly upstreamAgeMs: number | null;
  /** Age of the upstream's last block, over all joined coins, and the usual interval; null while too few blocks have arrived. */
  readonly upstreamBlocks: UpstreamBlocks | null;
  readonly epoch: string;
  readonly height: number | null;
  readonly coins: readonly CoinHealth[];
  /** `exact`: `onTrades` reports every execution; `inferred`: it reports nothing. */
  readonly executions: Executions;
  /** Why they are only inferred although the kind of source knows them; absent or null if there is no reason. */
  readonly executionsProblem?: string | null;
  /** What an operator should look at, one sentence each. */
  readonly warnings?: readonly string[];
  /** Number of coins waiting for their turn to be joined, and of coins subscribed upstream that have no snapshot yet. */
  readonly joins: { readonly waiting: number; readonly outstanding: number };
  /** Current audit period of each book, in ms: `L4_AUDIT_MS`, or longer if the upstream has too little time for that. */
  readonly auditPeriodMs: number;
  readonly counters: FeedCounters;
  /** Delay of the worker's event loop over the last report, in ms. */
  readonly loopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** The role of the process in its cluster; absent outside a cluster. */
  readonly cluster?: ClusterHealth;
}

/** Health of a feed before its first report. */
export const NO_HEALTH: FeedHealth = {
  ageMs: 0,
  upstreamConnected: false,
  upstreamProblem: 'not connected yet',
  upstreamAgeMs: null,
  upstreamBlocks: null,
  epoch: '',
  height: null,
  coins: [],
  executions: 'inferred',
  joins: { waiting: 0, outstanding: 0 },
  auditPeriodMs: 0,
  counters: { ...NO_EVENTS, lossesByReason: {} },
  loopDelayMs: { p50: 0, p99: 0, max: 0 },
};

/** The role of a process in its cluster (`ROLE`). */
export interface ClusterHealth {
  readonly role: 'leader' | 'standby' | 'gateway';
  readonly natsProblem: string | null;
  /** Gateway: why no leading sequencer is heard; null while there is one. Always null for a sequencer. */
  readonly leaderProblem: string | null;
  /** Gateway: time from the last block's arrival at the sequencer until it was read here, by the two machines' clocks. */
  readonly lagMs: number;
  /** Leader: bytes that the stream has not acknowledged. */
  readonly pendingBytes: number;
  /** Sequencer: how often it began to lead; gateway: how many leaders it heard. */
  readonly terms: number;
  /** Gateway: how often stream messages were missed and every book was rebuilt. */
  readonly gaps: number;
  /** Leader: number of gateways that report which coins they want. */
  readonly gateways: number;
}

/** Keeps a coin joined upstream until released. */
export interface CoinLease {
  /** Releases the coin. Calling it again has no effect. */
  release(): void;
}

/** A watched view as it is now. */
export interface BookView {
  /** JSON of its query. */
  readonly key: string;
  /** JSON of the `data` of the channel's message. */
  readonly data: string;
}

/** What a holder of a coin reads of its entries. */
export interface CoinReader {
  /** Every status, or only those of orders in the diffs (L4-31). */
  readonly statuses: 'all' | 'book';
  /** Whether it reads the compressed form. */
  readonly deflate: boolean;
}

/** Reads the texts that are always made. */
export const PLAIN_BOOK: CoinReader = { statuses: 'book', deflate: false };

/** Which texts of a coin's entries have a reader. The plain text with the diffs' statuses is always made. */
export interface TextsWanted {
  /** The text with every status. */
  readonly all: boolean;
  /** The compressed form of the text with every status, and of the one with the statuses of the diffs. */
  readonly allDeflated: boolean;
  readonly bookDeflated: boolean;
}

/** No reader needs more than the text that is always made. */
export const NO_TEXTS_WANTED: TextsWanted = { all: false, allDeflated: false, bookDeflated: false };

/** Selects earlier blocks. */
export interface EarlierQuery {
  readonly coins: readonly string[];
  /** The subset of `coins` whose entries are wanted with every status. */
  readonly all: readonly string[];
  /** How far back to read, in ms, and the maximum bytes of text; past it the oldest blocks are left out. */
  readonly keepMs: number;
  readonly bytesMax: number;
}

/** Blocks that were published earlier, as far as the feed's transport still has them. */
export interface EarlierBlocks {
  readonly epoch: string;
  /** Oldest first. A coin's entries may have gaps, which their seqs show. `ageMs`: how much older the block is than the last known one. */
  readonly blocks: readonly { readonly ageMs: number; readonly block: PublishedBlock }[];
  /** By coin: the `seq` of its book after all blocks already passed to listeners. Coins without a book are left out. */
  readonly seqs: Readonly<Record<string, number>>;
}

/** Resolves with earlier blocks. Rejects when the signal aborts or when they cannot be read. */
export type ReadEarlier = (query: EarlierQuery, signal: AbortSignal) => Promise<EarlierBlocks>;

/** Books of many coins, followed from one upstream. Disposing it leaves the upstream and stops everything it started. */
export interface L4Feed extends AsyncDisposable {
  /**
   * Keeps a coin joined upstream until released, and for the linger time after its last holder. `reader` says what is
   * read, by default `PLAIN_BOOK`; blocks in flight may lack it.
   */
  acquire(coin: string, reader?: CoinReader): CoinLease;
  /**
   * Returns the JSON text of `l4BookSnapshot`, taken at or after this call (SNAP-19) and shared by concurrent callers.
   * Rejects if the signal aborts before the book is ready, and if the feed is closed.
   */
  snapshot(coin: string, encoding: SnapshotEncoding, signal: AbortSignal): Promise<SnapshotBytes>;
  /** Calls the listener for every published block, in order, until the returned function is called. It must not throw. */
  onBlock(listener: (block: PublishedBlock) => void): () => void;
  /** Calls the listener with the executions of held coins, if these are known exactly, until the returned function is called. */
  onTrades(listener: (trades: CoinTrades) => void): () => void;
  /** Current state of a coin's book; `waiting` while it has no holder. */
  bookStatus(coin: string): FeedBookStatus;
  /** Calls the listener on each state change of a held coin's book, in order with blocks, until it is ended. */
  onBookStatus(listener: (status: FeedBookStatus) => void): () => void;
  /** Watches a view, once at a time, until the returned function is called. Joins no coin. */
  watchView(query: BookViewQuery): () => void;
  /** Calls the listener with a watched view once its book is live and on each change, after the block that caused it. */
  onView(listener: (view: BookView) => void): () => void;
  /** Resolves with the `data` of `l2Book` as it is now; null without a live book. Rejects when the signal aborts. */
  readL2Book(query: L2BookQuery, signal: AbortSignal): Promise<string | null>;
  /** Reads earlier blocks, up to those that listeners receive once a coin is held. Only in a cluster. */
  readonly earlier?: ReadEarlier;
  health(): FeedHealth;
}

/** Rounds to whole ms, as sent to clients. */
export function roundedBlocks({ ageMs, usualMs, suspectAfterMs }: UpstreamBlocks): UpstreamBlocks {
  const whole = (ms: number) => Math.max(0, Math.round(ms));
  return { ageMs: whole(ageMs), usualMs: whole(usualMs), suspectAfterMs: whole(suspectAfterMs) };
}
