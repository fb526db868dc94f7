import type { Clock, EarlierBlocks, EntryText, PublishedBlock, PublishedEntry } from '@l4desk/feed';
import type { ResumeRefusal, StatusesMode } from '@l4desk/protocol';

export interface RecentEntriesSettings {
  /** How long entries are kept, in ms; 0 keeps none. */
  readonly keepMs: number;
  /** Most bytes of the memory they lie in; the oldest entries go first. */
  readonly bytesMax: number;
}

/** The point that a client resumes from: by coin the `seq` of the last entry it applied. */
export interface ResumeQuery {
  readonly epoch: string;
  readonly after: Map<string, number>;
  readonly statuses: StatusesMode;
}

/** The entries that a client missed, block by block, up to the last one published. */
export interface Replay {
  /**
   * The next block with missed entries, holding only those; null when none is left for now, `dropped` when it is not kept
   * any more because it was asked for too late.
   */
  next(): PublishedBlock | null | 'dropped';
}

/** An entry with what its block says. */
interface Kept {
  readonly entry: PublishedEntry;
  readonly height: number;
  readonly time: number;
  readonly receivedAt: number;
  /** When it was published, by this thread's clock. */
  readonly at: number;
  readonly memory: Memory;
}

/** What the texts of kept entries lie in: it counts from the first of them that is kept until the last one goes. */
interface Memory {
  readonly bytes: number;
  kept: number;
}

/** Entries of a coin: each `prevSeq` is the `seq` before, from `from` on. */
interface KeptCoin {
  readonly epoch: string;
  /** Where the sequence that is kept began, before anything was dropped. */
  origin: number;
  from: number;
  to: number;
  /** Oldest first. */
  entries: Kept[];
  /** Earlier entries were asked for already, and up to which one also those with all statuses: there are no more. */
  isSearched: boolean;
  allSearchedTo: number;
}

/** A block's memory may be at most this many times the texts that are kept of it; otherwise they are copied. */
const MEMORY_PER_TEXT_MAX = 1.25;

/**
 * The entries of the last moments (RES-1), by coin, as they were published. All statuses of a coin are 80 times the rest, so they
 * are kept only while somebody reads them, and for as long after as entries are kept.
 */
export class RecentEntries {
  readonly #settings: RecentEntriesSettings;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #coins = new Map<string, KeptCoin>();
  /** How often a coin was forgotten: what was asked for before is of a sequence that is over. */
  readonly #forgotten = new Map<string, number>();
  /** Until when all statuses of a coin are kept. */
  readonly #allUntil = new Map<string, number>();
  #bytes = 0;
  /** That of the last block. */
  #epoch: string | null = null;

  constructor(settings: RecentEntriesSettings, clock: Pick<Clock, 'now'>) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Bytes of the memory that the kept texts lie in. */
  get bytes(): number {
    return this.#bytes;
  }

  get settings(): RecentEntriesSettings {
    return this.#settings;
  }

  /** Whether somebody reads all statuses of a coin from now on. */
  readAll(coin: string, isRead: boolean): void {
    this.#allUntil.set(coin, isRead ? Number.POSITIVE_INFINITY : this.#clock.now() + this.#settings.keepMs);
  }

  /** All statuses of a coin will be asked for: what is published from now on is kept with them, for a while at least. */
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

  /** A coin left the books, or its book was lost: what is published of it from now on continues nothing (RES-3). */
  forget(coin: string): void {
    this.#forgotten.set(coin, this.generation(coin) + 1);
    this.#remove(coin);
  }

  /** Another number after each `forget` of the coin. */
  generation(coin: string): number {
    return this.#forgotten.get(coin) ?? 0;
  }

  /** Whether earlier entries than those kept could help a query of a coin, and were not asked for yet. */
  isWorthSearching(coin: string, query: ResumeQuery): boolean {
    const reach = this.reach(coin, query);
    const known = this.#coins.get(coin);
    if (known === undefined || known.epoch !== query.epoch) return reach === 'expired' || reach === 'epoch';
    return (
      (reach === 'expired' && !known.isSearched) || (reach === 'statuses' && bookOnlyTo(known) > known.allSearchedTo)
    );
  }

  /**
   * Takes entries of a coin that were published before it was held here, or with more statuses than are kept. `generation` is that
   * from before they were asked for.
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

  /** Puts earlier entries in front of those kept, or in their place where they say more; never with a hole between two. */
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

  /** The `seq` up to which a coin's entries can be sent, or why not (RES-4). */
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

  /** The missed entries of the coins of a query that can resume. */
  replay(query: ResumeQuery): Replay {
    const sent = new Map(query.after);
    // Until it is read as any other: what is published meanwhile is to be kept as it is asked for.
    if (query.statuses === 'all') for (const coin of sent.keys()) this.keepAll(coin);
    return { next: () => this.#next(query, sent) };
  }

  /** The lowest block with an entry behind those sent; notes what it holds as sent. */
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
 * Entries of a block as they are kept. The texts of a block share its memory: they are kept as views where they are nearly all
 * of it, and copied otherwise.
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

/** Bytes of the memory that the texts of entries lie in. */
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

/** Entries up to this one may lack statuses of orders outside their diffs. */
function bookOnlyTo({ entries }: KeptCoin): number {
  return entries.findLast(({ entry }) => entry.all === null)?.entry.seq ?? -1;
}

/** Whether each entry follows the one before, the first one from a place of the sequence. */
function isWhole(entries: readonly Kept[], from: number): boolean {
  return entries.every(({ entry }, place) => entry.prevSeq === (entries[place - 1]?.entry.seq ?? from));
}

/** The index of the first entry after a `seq`. */
function indexAfter({ entries }: KeptCoin, seq: number): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((entries[middle]?.entry.seq ?? 0) <= seq) from = middle + 1;
    else to = middle;
  }
  return from;
}
