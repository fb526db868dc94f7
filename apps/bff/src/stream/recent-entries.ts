import type { EarlierBlocks, EntryText, PublishedBlock, PublishedEntry } from '@l4desk/feed';
import type { ResumeRefusal, StatusesMode } from '@l4desk/protocol';
import type { SystemClock } from '@l4desk/runtime/node';

export interface RecentEntriesSettings {
  /** How long entries are kept, in ms; 0 keeps none. */
  readonly keepMs: number;
  /** Maximum bytes of memory that the entries retain. The oldest are dropped first. */
  readonly bytesMax: number;
}

/** The point from which a client resumes: the `seq` of the last applied entry, by coin. */
export interface ResumeQuery {
  readonly epoch: string;
  readonly after: Map<string, number>;
  readonly statuses: StatusesMode;
}

/** The entries that a client missed, by block, up to the last published one. */
export interface Replay {
  /**
   * Returns the next block with missed entries, containing only those; null if none is left for now; `dropped` if a missed
   * entry is no longer kept because the client was too slow.
   */
  next(): PublishedBlock | null | 'dropped';
}

/** An entry, with the fields of its block. */
interface Kept {
  readonly entry: PublishedEntry;
  readonly height: number;
  readonly time: number;
  readonly receivedAt: number;
  /** When it was published, on this thread's clock. */
  readonly at: number;
  readonly memory: Memory;
}

/** Memory that holds texts of kept entries. Its bytes count as long as at least one of the entries is kept. */
interface Memory {
  readonly bytes: number;
  kept: number;
}

/** Kept entries of a coin, without gaps: each `prevSeq` equals the `seq` before it, starting at `from`. */
interface KeptCoin {
  readonly epoch: string;
  /** Start of the sequence before any entries were dropped. */
  origin: number;
  from: number;
  to: number;
  /** Oldest first. */
  entries: Kept[];
  /** Whether earlier entries were already requested, and the `seq` up to which all statuses were: there are no more. */
  isSearched: boolean;
  allSearchedTo: number;
}

/** Texts are kept as views if the block's memory is at most this many times their size; otherwise they are copied. */
const MEMORY_PER_TEXT_MAX = 1.25;

/**
 * Recently published entries (RES-1), by coin. All statuses of a coin are 80 times as large as the rest, so they are kept
 * only while they have a reader, and for `keepMs` after that.
 */
export class RecentEntries {
  readonly #settings: RecentEntriesSettings;
  readonly #clock: Pick<SystemClock, 'now'>;
  readonly #coins = new Map<string, KeptCoin>();
  /** How often a coin was forgotten. Entries requested before that belong to a sequence that has ended. */
  readonly #forgotten = new Map<string, number>();
  /** Time until which all statuses of a coin are kept. */
  readonly #allUntil = new Map<string, number>();
  #bytes = 0;
  /** Epoch of the last block. */
  #epoch: string | null = null;

  constructor(settings: RecentEntriesSettings, clock: Pick<SystemClock, 'now'>) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Bytes of memory that the kept texts retain. */
  get bytes(): number {
    return this.#bytes;
  }

  get settings(): RecentEntriesSettings {
    return this.#settings;
  }

  /** Sets whether all statuses of a coin have a reader from now on. */
  readAll(coin: string, isRead: boolean): void {
    this.#allUntil.set(coin, isRead ? Number.POSITIVE_INFINITY : this.#clock.now() + this.#settings.keepMs);
  }

  /** Keeps all statuses of a coin for at least `keepMs` from now, because they will be requested. */
  keepAll(coin: string): void {
    if (this.#allUntil.get(coin) !== Number.POSITIVE_INFINITY) this.readAll(coin, false);
  }

  add(block: PublishedBlock): void {
    if (this.#settings.keepMs === 0) return;
    const now = this.#clock.now();
    this.#epoch = block.epoch;
    for (const kept of keptOf(block, block.entries, (coin) => (this.#allUntil.get(coin) ?? 0) > now, now)) {
      const { coin, prevSeq, seq } = kept.entry;
      const known = this.#coins.get(coin);
      this.#hold(kept);
      if (known?.epoch === block.epoch && known.to === prevSeq) {
        known.entries.push(kept);
        known.to = seq;
      } else this.#begin(coin, block.epoch, prevSeq, [kept]);
    }
    this.#dropOld(now);
  }

  /** Drops a coin whose book was released or lost. Its next entries do not continue the kept ones (RES-3). */
  forget(coin: string): void {
    this.#forgotten.set(coin, this.generation(coin) + 1);
    this.#remove(coin);
  }

  /** A number that changes with each `forget` of the coin. */
  generation(coin: string): number {
    return this.#forgotten.get(coin) ?? 0;
  }

  /** Whether entries earlier than those kept could satisfy the query for a coin, and were not requested yet. */
  isWorthSearching(coin: string, query: ResumeQuery): boolean {
    const reach = this.reach(coin, query);
    const known = this.#coins.get(coin);
    if (known === undefined || known.epoch !== query.epoch) return reach === 'expired' || reach === 'epoch';
    return (
      (reach === 'expired' && !known.isSearched) || (reach === 'statuses' && bookOnlyTo(known) > known.allSearchedTo)
    );
  }

  /**
   * Adds entries of a coin that were published before it was held here, or that have more statuses than the kept ones.
   * `generation` is the value from before they were requested.
   */
  takeEarlier(coin: string, { epoch, blocks, seqs }: EarlierBlocks, hasAll: boolean, generation: number): void {
    this.#epoch = epoch;
    if (generation !== this.generation(coin)) return;
    const now = this.#clock.now();
    const earlier = blocks.flatMap(({ ageMs, block }) => {
      const own = block.entries.filter((entry) => entry.coin === coin);
      return keptOf(block, own, () => hasAll, now - ageMs);
    });
    let known = this.#coins.get(coin);
    if (known?.epoch !== epoch) {
      const from = earlier[0]?.entry.prevSeq ?? seqs[coin];
      if (from === undefined) return;
      for (const kept of earlier) this.#hold(kept);
      known = this.#begin(coin, epoch, from, earlier);
    } else this.#merge(known, earlier, hasAll);
    known.isSearched = true;
    if (hasAll) known.allSearchedTo = known.to;
    this.#dropOld(now);
  }

  /** Inserts earlier entries before the kept ones, or replaces those if they have more statuses. Never leaves a gap. */
  #merge(known: KeptCoin, earlier: readonly Kept[], hasAll: boolean): void {
    const [first, last] = [earlier[0]?.entry, earlier.at(-1)?.entry];
    if (first === undefined || last === undefined || last.seq < known.from) return;
    const own = known.entries;
    const merged = hasAll
      ? [
          ...own.filter(({ entry }) => entry.seq <= first.prevSeq),
          ...earlier,
          ...own.filter(({ entry }) => entry.seq > last.seq),
        ]
      : [...earlier.filter(({ entry }) => entry.seq <= known.from), ...own];
    const from = Math.min(known.from, first.prevSeq);
    if (!isWhole(merged, from)) return;
    for (const kept of merged) this.#hold(kept);
    for (const kept of own) this.#letGo(kept);
    known.entries = merged;
    known.from = from;
    known.origin = Math.min(known.origin, from);
    known.to = merged.at(-1)?.entry.seq ?? known.to;
  }

  /** Returns the `seq` up to which a coin's missed entries can be sent, or the reason why they cannot (RES-4). */
  reach(coin: string, { epoch, after, statuses }: ResumeQuery): number | ResumeRefusal {
    if (this.#settings.keepMs === 0) return 'off';
    this.#dropOld(this.#clock.now());
    if (this.#epoch !== null && this.#epoch !== epoch) return 'epoch';
    const seq = after.get(coin);
    const known = this.#coins.get(coin);
    if (known === undefined || known.epoch !== epoch || seq === undefined) return 'expired';
    if (seq > known.to) return 'future';
    if (seq < known.from) return 'expired';
    return statuses === 'all' && seq < bookOnlyTo(known) ? 'statuses' : known.to;
  }

  /** Starts a replay of the missed entries for all coins of a query. They must be able to resume. */
  replay(query: ResumeQuery): Replay {
    const sent = new Map(query.after);
    // Entries published during the replay must be kept with all statuses, until the client reads the coin normally.
    if (query.statuses === 'all') for (const coin of sent.keys()) this.keepAll(coin);
    return { next: () => this.#next(query, sent) };
  }

  /** Returns the lowest block with an entry after those sent, and marks its entries as sent. */
  #next({ epoch, statuses }: ResumeQuery, sent: Map<string, number>): PublishedBlock | null | 'dropped' {
    let found: Kept[] = [];
    for (const [coin, seq] of sent) {
      const known = this.#coins.get(coin);
      if (known === undefined || known.epoch !== epoch) continue;
      if (seq < known.from && seq >= known.origin) return 'dropped';
      const kept = known.entries[indexAfter(known, seq)];
      if (kept === undefined) continue;
      const height = found[0]?.height ?? Number.POSITIVE_INFINITY;
      if (kept.height < height) found = [kept];
      else if (kept.height === height) found.push(kept);
    }
    const [first] = found;
    if (first === undefined) return null;
    if (statuses === 'all' && found.some(({ entry }) => entry.all === null)) return 'dropped';
    for (const { entry } of found) sent.set(entry.coin, entry.seq);
    const { height, time, receivedAt } = first;
    return { epoch, height, time, receivedAt, entries: found.map(({ entry }) => entry) };
  }

  #begin(coin: string, epoch: string, from: number, entries: Kept[]): KeptCoin {
    this.#remove(coin);
    const to = entries.at(-1)?.entry.seq ?? from;
    const known = { epoch, origin: from, from, to, entries, isSearched: false, allSearchedTo: -1 };
    this.#coins.set(coin, known);
    return known;
  }

  #remove(coin: string): void {
    const known = this.#coins.get(coin);
    if (known === undefined) return;
    for (const kept of known.entries) this.#letGo(kept);
    this.#coins.delete(coin);
  }

  #dropOld(now: number): void {
    const { keepMs, bytesMax } = this.#settings;
    for (const known of this.#coins.values()) {
      while (now - oldestAt(known) > keepMs) this.#dropOldest(known);
    }
    while (this.#bytes > bytesMax) {
      const oldest = [...this.#coins.values()].reduce((a, b) => (oldestAt(b) < oldestAt(a) ? b : a));
      if (oldest.entries.length === 0) break;
      this.#dropOldest(oldest);
    }
  }

  #dropOldest(known: KeptCoin): void {
    const kept = known.entries.shift();
    if (kept === undefined) return;
    known.from = kept.entry.seq;
    this.#letGo(kept);
  }

  #hold({ memory }: Kept): void {
    if (memory.kept === 0) this.#bytes += memory.bytes;
    memory.kept += 1;
  }

  #letGo({ memory }: Kept): void {
    memory.kept -= 1;
    if (memory.kept === 0) this.#bytes -= memory.bytes;
  }
}

/**
 * Prepares entries of a block to be kept. The texts of a block share its memory. They are kept as views if they make up
 * nearly all of it, and copied otherwise.
 */
function keptOf(
  { height, time, receivedAt }: PublishedBlock,
  entries: readonly PublishedEntry[],
  hasAll: (coin: string) => boolean,
  at: number,
): readonly Kept[] {
  const chosen = entries.map((entry): PublishedEntry => {
    const isKept = entry.all === null || entry.all === entry.book || hasAll(entry.coin);
    return isKept ? entry : { ...entry, all: null };
  });
  const bytes = memoryOf(chosen);
  const shared = bytes <= sum(chosen, entryBytes) * MEMORY_PER_TEXT_MAX ? { bytes, kept: 0 } : undefined;
  return chosen.map((entry) => {
    const memory = shared ?? { bytes: entryBytes(entry), kept: 0 };
    return { entry: shared === undefined ? ownEntry(entry) : entry, height, time, receivedAt, at, memory };
  });
}

/** Bytes of memory that the texts of the entries retain. */
function memoryOf(entries: readonly PublishedEntry[]): number {
  const memory = new Set<ArrayBufferLike>();
  for (const { all, book } of entries) {
    memory.add(book.plain.buffer);
    if (book.deflated !== null) memory.add(book.deflated.buffer);
    if (all === null || all === book) continue;
    memory.add(all.plain.buffer);
    if (all.deflated !== null) memory.add(all.deflated.buffer);
  }
  return sum(memory, ({ byteLength }) => byteLength);
}

function entryBytes({ all, book }: PublishedEntry): number {
  return textBytes(book) + (all === null || all === book ? 0 : textBytes(all));
}

function ownEntry(entry: PublishedEntry): PublishedEntry {
  const book = ownText(entry.book);
  return { ...entry, book, all: entry.all === entry.book ? book : entry.all && ownText(entry.all) };
}

function ownText({ plain, deflated }: EntryText): EntryText {
  return { plain: Buffer.from(plain), deflated: deflated && Buffer.from(deflated) };
}

function sum<Item>(items: Iterable<Item>, of: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}

function textBytes({ plain, deflated }: EntryText): number {
  return plain.length + (deflated?.length ?? 0);
}

function oldestAt({ entries }: KeptCoin): number {
  return entries[0]?.at ?? Number.POSITIVE_INFINITY;
}

/** The `seq` of the last entry that lacks statuses of orders outside its diffs; -1 if there is none. */
function bookOnlyTo({ entries }: KeptCoin): number {
  return entries.findLast(({ entry }) => entry.all === null)?.entry.seq ?? -1;
}

/** Whether the entries have no gap: each follows the one before it, and the first follows `from`. */
function isWhole(entries: readonly Kept[], from: number): boolean {
  return entries.every(({ entry }, place) => entry.prevSeq === (entries[place - 1]?.entry.seq ?? from));
}

/** Index of the first entry after `seq`. */
function indexAfter({ entries }: KeptCoin, seq: number): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((entries[middle]?.entry.seq ?? 0) <= seq) from = middle + 1;
    else to = middle;
  }
  return from;
}
