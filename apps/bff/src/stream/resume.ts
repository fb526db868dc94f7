import type {
  BookStatus,
  CoinLease,
  CoinReader,
  EarlierBlocks,
  EntryText,
  L4Feed,
  PublishedBlock,
  PublishedEntry,
} from '@l4desk/feed';
import type { ResumeOutcome, ResumeRefusal, StatusesMode } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import type { Subscription } from './client-message.ts';
import type { EffectiveCoins } from './subscription-set.ts';

/** Result of a fetch for a resuming subscription. Its coins stay acquired until `release` is called. */
export interface Fetched {
  /** Coins whose entries could not be read in time, or were not looked up because there was no book. */
  readonly unread: ReadonlySet<string>;
  release(): void;
}

/** The result if nothing had to be fetched. */
export const NOTHING_FETCHED: Fetched = { unread: new Set(), release: () => {} };

/** Returns the next block of missed entries; null if none is left for now; `dropped` if one is no longer kept. */
export type Replay = () => PublishedBlock | null | 'dropped';

/** The point from which a client resumes: the `seq` of the last applied entry, by coin. */
interface ResumeQuery {
  readonly epoch: string;
  readonly after: Map<string, number>;
  readonly statuses: StatusesMode;
}

/** How long a subscription waits for entries of other gateways before it begins without them. */
const FETCH_WITHIN_MS = 5_000;

interface ResumeDeps {
  readonly feed: L4Feed;
  readonly clock: SystemClock;
  readonly log: Log;
  /** How long entries are kept, in ms, and their maximum bytes; 0 ms keeps none. */
  readonly keepMs: number;
  readonly bytesMax: number;
}

/** Finds the entries that clients missed: those of this process and, in a cluster, of another gateway. */
export class Resume {
  readonly #deps: ResumeDeps;
  readonly #ring: Ring;
  /** Number of readers of all statuses of a coin, those included that left recently and may resume. */
  readonly #allReaders = new Map<string, number>();
  /** Ends the wait for readers that left. */
  readonly #lingering = new Set<() => void>();
  /** Coins of the next read, and whether all their statuses are needed. Reads run one at a time, so many clients share one. */
  #wanted = new Map<string, boolean>();
  #next: Promise<void> | null = null;
  #reading: Promise<void> = Promise.resolve();
  /** Coins whose books were lost during the read: what it finds of them belongs to a sequence that has ended. */
  readonly #lost = new Set<string>();

  constructor(deps: ResumeDeps) {
    this.#deps = deps;
    this.#ring = new Ring(deps);
  }

  get bytes(): number {
    return this.#ring.bytes;
  }

  /** Keeps the entries of a block. All statuses are 80 times as large as the rest, so they are kept only while a client reads them. */
  add(block: PublishedBlock): void {
    this.#ring.add(block, (coin) => this.#allReaders.has(coin));
  }

  onBookStatus(status: BookStatus): void {
    if (hasBook(status)) return;
    this.#ring.forget(status.coin);
    this.#lost.add(status.coin);
  }

  /** Acquires a coin. A reader of all statuses stays for a while after it has left, because it may resume. */
  acquire(coin: string, reader: CoinReader): CoinLease {
    const { feed, clock, keepMs } = this.#deps;
    const lease = feed.acquire(coin, reader);
    if (reader.statuses === 'book' || keepMs === 0) return lease;
    this.#allReaders.set(coin, (this.#allReaders.get(coin) ?? 0) + 1);
    const release = () => {
      const cancel = clock.after(keepMs, () => {
        this.#lingering.delete(cancel);
        const left = (this.#allReaders.get(coin) ?? 1) - 1;
        if (left > 0) this.#allReaders.set(coin, left);
        else this.#allReaders.delete(coin);
        lease.release();
      });
      this.#lingering.add(cancel);
    };
    return { coin, release };
  }

  close(): void {
    for (const cancel of this.#lingering) cancel();
  }

  /** Fetches missed entries of other gateways; null if there is nothing to wait for. Never rejects; ends in seconds. */
  fetch(subscription: Subscription, followed: EffectiveCoins): Promise<Fetched> | null {
    const query = queryOf(subscription);
    if (query === null || this.#deps.feed.earlier === undefined) return null;
    const coins = subscription.coins.filter((coin) => query.after.has(coin) && !followed.has(coin));
    const searched = coins.filter((coin) => this.#ring.isWorthSearching(coin, query));
    // Another gateway may be slightly ahead of this one.
    const ahead = coins.filter((coin) => this.#ring.reach(coin, query) === 'future');
    return searched.length + ahead.length === 0 ? null : this.#fetch(searched, ahead, query);
  }

  /** Decides a subscription's request to resume. The outcome is null if it does not resume. */
  decide(
    subscription: Subscription,
    followed: EffectiveCoins,
    { unread }: Fetched,
  ): { readonly outcome: ResumeOutcome | null; readonly replay: Replay | null } {
    const query = queryOf(subscription);
    if (query === null) return { outcome: null, replay: null };
    const outcome: ResumeOutcome = { resumed: {}, refused: {} };
    const reachOf = (coin: string): number | ResumeRefusal => {
      if (followed.has(coin)) return 'followed';
      if (!hasBook(this.#deps.feed.bookStatus(coin))) return 'not-live';
      const reach = this.#ring.reach(coin, query);
      return typeof reach !== 'number' && unread.has(coin) ? 'unread' : reach;
    };
    for (const coin of subscription.coins) {
      if (!query.after.has(coin)) continue;
      const reach = reachOf(coin);
      if (typeof reach === 'number') outcome.resumed[coin] = reach;
      else {
        outcome.refused[coin] = reach;
        query.after.delete(coin);
      }
    }
    return { outcome, replay: query.after.size === 0 ? null : this.#ring.replay(query) };
  }

  async #fetch(searched: readonly string[], ahead: readonly string[], { statuses }: ResumeQuery): Promise<Fetched> {
    const coins = [...searched, ...ahead];
    const leases = coins.map((coin) => this.acquire(coin, { statuses, deflate: false }));
    const over = new AbortController();
    const cancel = this.#deps.clock.after(FETCH_WITHIN_MS, () => over.abort());
    // The books have to be live first: entries published before may belong to a book that is lost again.
    const live = await Promise.all(coins.map((coin) => this.#becomesLive(coin, over.signal)));
    const ready = new Set(coins.filter((_, index) => live[index]));
    const wanted = searched.filter((coin) => ready.has(coin));
    // A read that starts after the deadline would have no waiter, and its failure no handler.
    const isRead =
      ready.size === 0 ||
      (!over.signal.aborted && (await settledBefore(this.#read(wanted, statuses === 'all'), over.signal)));
    cancel();
    // A book may become live too late. Entries that were not looked up are reported as unread, not as expired.
    const unread = new Set(coins.filter((coin) => !isRead || !ready.has(coin)));
    return { unread, release: () => leases.forEach((lease) => lease.release()) };
  }

  /** Resolves with true once the coin's book is live; with false if it is unavailable or the signal aborts. */
  #becomesLive(coin: string, signal: AbortSignal): Promise<boolean> {
    const { feed } = this.#deps;
    return new Promise((resolve) => {
      const end = (isLive: boolean) => {
        unlisten();
        resolve(isLive);
      };
      const onStatus = (status: BookStatus) => {
        if (status.coin !== coin) return;
        if (hasBook(status)) end(true);
        else if (status.state === 'unavailable') end(false);
      };
      const unlisten = feed.onBookStatus(onStatus);
      signal.addEventListener('abort', () => end(false), { once: true });
      onStatus(feed.bookStatus(coin));
    });
  }

  #read(coins: readonly string[], hasAll: boolean): Promise<void> {
    for (const coin of coins) this.#wanted.set(coin, hasAll || this.#wanted.get(coin) === true);
    this.#next ??= this.#reading.then(() => {
      const wanted = this.#wanted;
      this.#wanted = new Map();
      this.#next = null;
      const reading = this.#readNow(wanted);
      this.#reading = reading.catch(() => {});
      return reading;
    });
    return this.#next;
  }

  async #readNow(wanted: ReadonlyMap<string, boolean>): Promise<void> {
    const { feed, log, keepMs, bytesMax } = this.#deps;
    const coins = [...wanted.keys()];
    const all = coins.filter((coin) => wanted.get(coin) === true);
    this.#lost.clear();
    try {
      const found = await feed.earlier?.({ coins, all, keepMs, bytesMax }, AbortSignal.timeout(FETCH_WITHIN_MS));
      if (found === undefined) return;
      for (const [coin, hasAll] of wanted) if (!this.#lost.has(coin)) this.#ring.addEarlier(coin, found, hasAll);
    } catch (error) {
      log.warn({ err: error, coins }, 'missed entries not read');
      throw error;
    }
  }
}

/** An entry, its block, and when it was published on this thread's clock. */
interface Kept {
  readonly block: Omit<PublishedBlock, 'entries'>;
  readonly entry: PublishedEntry;
  readonly at: number;
}

/** Kept entries of one coin, oldest first and without a gap: each `prevSeq` equals the `seq` before it. */
class KeptCoin {
  #entries: readonly Kept[] = [];
  /** The `seq` before the first entry, and that of the last one. */
  from: number;
  to: number;
  bytes = 0;
  /** Whether the cluster has no earlier entries, and up to which `seq` it was asked for all statuses. */
  isSearched = false;
  allSearchedTo = -1;

  constructor(from: number) {
    this.from = from;
    this.to = from;
  }

  get first(): Kept | undefined {
    return this.#entries[0];
  }

  /** The `seq` of the last entry that lacks statuses of orders outside its diffs; -1 if there is none. */
  get bookOnlyTo(): number {
    return this.#entries.findLast(({ entry }) => entry.all === null)?.entry.seq ?? -1;
  }

  push(kept: Kept): void {
    (this.#entries as Kept[]).push(kept);
    this.to = kept.entry.seq;
    this.bytes += entryBytes(kept);
  }

  dropFirst(): void {
    const first = (this.#entries as Kept[]).shift();
    if (first === undefined) return;
    this.from = first.entry.seq;
    this.bytes -= entryBytes(first);
  }

  /** Adds entries that may begin earlier. Those that have all statuses replace kept ones. */
  merge(found: readonly Kept[], hasAll: boolean): void {
    const [first, last] = [found[0], found.at(-1)];
    if (first === undefined || last === undefined || last.entry.seq < this.from) return;
    const foundBySeq = new Map(found.map((kept) => [kept.entry.seq, kept]));
    this.#entries = [
      ...found.filter(({ entry }) => entry.seq <= this.from),
      ...this.#entries.map((kept) => (hasAll ? foundBySeq.get(kept.entry.seq) : undefined) ?? kept),
    ];
    this.from = Math.min(this.from, first.entry.prevSeq);
    this.bytes = this.#entries.reduce((sum, kept) => sum + entryBytes(kept), 0);
  }

  after(seq: number): Kept | undefined {
    let [from, to] = [0, this.#entries.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#entries[middle]?.entry.seq ?? 0) <= seq) from = middle + 1;
      else to = middle;
    }
    return this.#entries[from];
  }
}

/** The entries of one epoch that were published recently. */
class Ring {
  readonly #deps: Pick<ResumeDeps, 'keepMs' | 'bytesMax' | 'clock'>;
  readonly #coins = new Map<string, KeptCoin>();
  #epoch: string | null = null;

  constructor(deps: Pick<ResumeDeps, 'keepMs' | 'bytesMax' | 'clock'>) {
    this.#deps = deps;
  }

  get bytes(): number {
    let bytes = 0;
    for (const coin of this.#coins.values()) bytes += coin.bytes;
    return bytes;
  }

  add(block: PublishedBlock, readsAll: (coin: string) => boolean): void {
    if (this.#deps.keepMs === 0) return;
    this.#begin(block.epoch);
    const now = this.#deps.clock.now();
    for (const entry of block.entries) {
      const { coin, prevSeq } = entry;
      let kept = this.#coins.get(coin);
      // Entries before a gap are of no use.
      if (kept?.to !== prevSeq) {
        kept = new KeptCoin(prevSeq);
        this.#coins.set(coin, kept);
      }
      kept.push(keptOf(block, entry, readsAll(coin), now));
    }
    this.#dropOld();
  }

  /** Drops a coin whose book was released or lost. Its next entries do not continue the kept ones. */
  forget(coin: string): void {
    this.#coins.delete(coin);
  }

  /** Returns the `seq` up to which a coin's missed entries can be sent, or the reason why they cannot. */
  reach(coin: string, { epoch, after, statuses }: ResumeQuery): number | ResumeRefusal {
    if (this.#deps.keepMs === 0) return 'off';
    if (this.#epoch !== null && this.#epoch !== epoch) return 'epoch';
    const kept = this.#coins.get(coin);
    const seq = after.get(coin);
    if (kept === undefined || seq === undefined) return 'expired';
    this.#expire(kept);
    if (seq > kept.to) return 'future';
    if (seq < kept.from) return 'expired';
    return statuses === 'all' && seq < kept.bookOnlyTo ? 'statuses' : kept.to;
  }

  /** Whether entries of the cluster could satisfy the query for a coin, and were not requested yet. */
  isWorthSearching(coin: string, query: ResumeQuery): boolean {
    const reach = this.reach(coin, query);
    const kept = this.#coins.get(coin);
    if (kept === undefined || this.#epoch !== query.epoch) return reach === 'expired' || reach === 'epoch';
    return (reach === 'expired' && !kept.isSearched) || (reach === 'statuses' && kept.bookOnlyTo > kept.allSearchedTo);
  }

  /** Adds entries of a coin that were published before it was held here, or that have more statuses than the kept ones. */
  addEarlier(coin: string, { epoch, blocks, seqs }: EarlierBlocks, hasAll: boolean): void {
    this.#begin(epoch);
    const now = this.#deps.clock.now();
    const found = blocks.flatMap(({ ageMs, block }) =>
      block.entries.filter((entry) => entry.coin === coin).map((entry) => keptOf(block, entry, hasAll, now - ageMs)),
    );
    const to = found.at(-1)?.entry.seq ?? seqs[coin];
    const kept = this.#coins.get(coin) ?? (to === undefined ? undefined : new KeptCoin(to));
    if (kept === undefined) return;
    kept.merge(found, hasAll);
    kept.isSearched = true;
    if (hasAll) kept.allSearchedTo = kept.to;
    this.#coins.set(coin, kept);
    this.#dropOld();
  }

  /** Starts a replay of the missed entries for all coins of a query. They must be able to resume. */
  replay({ epoch, after, statuses }: ResumeQuery): Replay {
    const sent = new Map(after);
    return () => {
      if (this.#epoch !== epoch) return null;
      const nexts: Kept[] = [];
      for (const [coin, seq] of sent) {
        const kept = this.#coins.get(coin);
        if (kept !== undefined && seq < kept.from) return 'dropped';
        const next = kept?.after(seq);
        if (next !== undefined) nexts.push(next);
      }
      const [first] = nexts.toSorted((a, b) => a.block.height - b.block.height);
      if (first === undefined) return null;
      const entries = nexts.filter(({ block }) => block.height === first.block.height).map(({ entry }) => entry);
      if (statuses === 'all' && entries.some(({ all }) => all === null)) return 'dropped';
      for (const { coin, seq } of entries) sent.set(coin, seq);
      return { ...first.block, entries };
    };
  }

  /** Blocks of another epoch do not continue the kept ones. */
  #begin(epoch: string): void {
    if (this.#epoch !== epoch) this.#coins.clear();
    this.#epoch = epoch;
  }

  #dropOld(): void {
    for (const kept of this.#coins.values()) this.#expire(kept);
    for (let over = this.bytes - this.#deps.bytesMax; over > 0; over = this.bytes - this.#deps.bytesMax) {
      const height = ({ first }: KeptCoin) => first?.block.height ?? Number.POSITIVE_INFINITY;
      const [oldest] = [...this.#coins.values()].sort((a, b) => height(a) - height(b));
      oldest?.dropFirst();
    }
  }

  #expire(kept: KeptCoin): void {
    const oldestAt = this.#deps.clock.now() - this.#deps.keepMs;
    while (kept.first !== undefined && kept.first.at < oldestAt) kept.dropFirst();
  }
}

/** Copies an entry, because its texts are views of the memory of the whole block. */
function keptOf(
  { epoch, height, time, receivedAt }: PublishedBlock,
  entry: PublishedEntry,
  hasAll: boolean,
  at: number,
): Kept {
  const book = ownText(entry.book);
  const all = entry.all === entry.book ? book : entry.all !== null && hasAll ? ownText(entry.all) : null;
  return { block: { epoch, height, time, receivedAt }, entry: { ...entry, book, all }, at };
}

function ownText({ plain, deflated }: EntryText): EntryText {
  return { plain: Buffer.from(plain), deflated: deflated && Buffer.from(deflated) };
}

function entryBytes({ entry: { all, book } }: Kept): number {
  return textBytes(book) + (all === null || all === book ? 0 : textBytes(all));
}

function textBytes({ plain, deflated }: EntryText): number {
  return plain.length + (deflated?.length ?? 0);
}

function queryOf({ resume, statuses }: Subscription): ResumeQuery | null {
  if (resume === undefined) return null;
  return { epoch: resume.epoch, after: new Map(Object.entries(resume.seq)), statuses };
}

function hasBook({ state }: BookStatus): boolean {
  return state === 'live' || state === 'stale';
}

/** Resolves with whether the work succeeds before the signal aborts, which it has not done yet. */
function settledBefore(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
    work.then(
      () => resolve(true),
      () => resolve(false),
    );
  });
}
