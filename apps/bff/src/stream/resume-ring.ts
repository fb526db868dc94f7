import type { EarlierBlocks, EntryText, PublishedBlock, PublishedEntry } from '@l4desk/feed';
import type { ResumeRefusal, StatusesMode } from '@l4desk/protocol';
import type { SystemClock } from '@l4desk/runtime/node';

export interface ResumeRingSettings {
  /** How long entries are kept, in ms; 0 keeps none. */
  readonly keepMs: number;
  /** Maximum bytes of memory that the entries retain. The oldest are dropped first. */
  readonly bytesMax: number;
  /** Whether all statuses of a coin have a reader. They are 80 times as large as the rest, so otherwise they are not kept. */
  readonly readsAll: (coin: string) => boolean;
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

/** A block with the entries that are kept. */
interface Kept {
  readonly block: Omit<PublishedBlock, 'entries'>;
  readonly entries: Map<string, PublishedEntry>;
  /** When it was published, on this thread's clock. */
  readonly at: number;
}

/** The kept entries of a coin have no gap: each `prevSeq` equals the `seq` before it, from `from` to `to`. */
interface KeptCoin {
  /** Where they began before the oldest were dropped. */
  origin: number;
  from: number;
  to: number;
  /** The last entry that lacks statuses of orders outside its diffs; -1 if there is none. */
  bookOnlyTo: number;
  /** Whether earlier entries were already requested, and up to where with all statuses: there are no more. */
  isSearched: boolean;
  allSearchedTo: number;
}

/** The blocks of one epoch that were published recently, oldest first. */
export class ResumeRing {
  readonly settings: ResumeRingSettings;
  readonly #clock: Pick<SystemClock, 'now'>;
  readonly #blocks: Kept[] = [];
  readonly #coins = new Map<string, KeptCoin>();
  /** How often a coin was forgotten. Entries requested before that belong to a sequence that has ended. */
  readonly #forgotten = new Map<string, number>();
  #epoch: string | null = null;
  #bytes = 0;

  constructor(settings: ResumeRingSettings, clock: Pick<SystemClock, 'now'>) {
    this.settings = settings;
    this.#clock = clock;
  }

  /** Bytes of memory that the kept texts retain. */
  get bytes(): number {
    return this.#bytes;
  }

  add(block: PublishedBlock): void {
    const { keepMs, readsAll } = this.settings;
    if (keepMs === 0) return;
    this.#begin(block.epoch);
    const now = this.#clock.now();
    const kept = keptOf(block, block.entries, readsAll, now);
    this.#blocks.push(kept);
    for (const entry of kept.entries.values()) {
      const { coin, prevSeq, seq, all } = entry;
      this.#bytes += entryBytes(entry);
      let known = this.#coins.get(coin);
      if (known?.to !== prevSeq) known = this.#newCoin(coin, prevSeq);
      known.to = seq;
      if (all === null) known.bookOnlyTo = seq;
    }
    this.#dropOld(now);
  }

  /** Drops a coin whose book was released or lost. Its next entries do not continue the kept ones. */
  forget(coin: string): void {
    this.#forgotten.set(coin, this.generation(coin) + 1);
    if (!this.#coins.delete(coin)) return;
    for (const kept of this.#blocks) this.#remove(kept, coin);
  }

  /** A number that changes with each `forget` of the coin. */
  generation(coin: string): number {
    return this.#forgotten.get(coin) ?? 0;
  }

  /** Returns the `seq` up to which a coin's missed entries can be sent, or the reason why they cannot. */
  reach(coin: string, { epoch, after, statuses }: ResumeQuery): number | ResumeRefusal {
    if (this.settings.keepMs === 0) return 'off';
    this.#dropOld(this.#clock.now());
    if (this.#epoch !== null && this.#epoch !== epoch) return 'epoch';
    const seq = after.get(coin);
    const known = this.#coins.get(coin);
    if (known === undefined || seq === undefined) return 'expired';
    if (seq > known.to) return 'future';
    if (seq < known.from) return 'expired';
    return statuses === 'all' && seq < known.bookOnlyTo ? 'statuses' : known.to;
  }

  /** Whether entries earlier than those kept could satisfy the query for a coin, and were not requested yet. */
  isWorthSearching(coin: string, query: ResumeQuery): boolean {
    const reach = this.reach(coin, query);
    const known = this.#coins.get(coin);
    if (known === undefined || this.#epoch !== query.epoch) return reach === 'expired' || reach === 'epoch';
    return (
      (reach === 'expired' && !known.isSearched) || (reach === 'statuses' && known.bookOnlyTo > known.allSearchedTo)
    );
  }

  /**
   * Adds entries of a coin that were published before it was held here, or that have more statuses than the kept ones.
   * `generation` is the value from before they were requested.
   */
  takeEarlier(coin: string, { epoch, blocks, seqs }: EarlierBlocks, hasAll: boolean, generation: number): void {
    this.#begin(epoch);
    if (generation !== this.generation(coin)) return;
    const now = this.#clock.now();
    const found = blocks.flatMap(({ ageMs, block }) => {
      const own = block.entries.filter((entry) => entry.coin === coin);
      return own.length === 0 ? [] : [keptOf(block, own, () => hasAll, now - ageMs)];
    });
    const known = this.#coins.get(coin) ?? this.#firstOf(coin, found, seqs);
    if (known === undefined) return;
    const [first, last] = [entryOf(found[0], coin), entryOf(found.at(-1), coin)];
    if (first !== undefined && last !== undefined && last.seq >= known.from) {
      for (const kept of found) {
        const { seq } = entryOf(kept, coin) ?? last;
        // Kept entries without all statuses are replaced by those that have them.
        if (seq <= known.from || (hasAll && seq <= known.to)) this.#insert(kept, coin);
      }
      known.from = Math.min(known.from, first.prevSeq);
      known.origin = Math.min(known.origin, known.from);
      known.bookOnlyTo = this.#entriesOf(coin).findLast(({ all }) => all === null)?.seq ?? -1;
    }
    known.isSearched = true;
    if (hasAll) known.allSearchedTo = known.to;
    this.#dropOld(now);
  }

  /** Starts a replay of the missed entries for all coins of a query. They must be able to resume. */
  replay({ epoch, after, statuses }: ResumeQuery): Replay {
    const sent = new Map(after);
    let height = -1;
    const next = () => {
      if (this.#epoch !== epoch) return null;
      for (const [coin, seq] of sent) {
        const known = this.#coins.get(coin);
        if (known !== undefined && seq < known.from && seq >= known.origin) return 'dropped';
      }
      for (let place = this.#placeAfter(height); ; place += 1) {
        const kept = this.#blocks[place];
        if (kept === undefined) return null;
        const entries = [...sent].flatMap(([coin, seq]) => {
          const entry = kept.entries.get(coin);
          return entry !== undefined && entry.seq > seq ? [entry] : [];
        });
        if (entries.length === 0) continue;
        if (statuses === 'all' && entries.some(({ all }) => all === null)) return 'dropped';
        for (const { coin, seq } of entries) sent.set(coin, seq);
        height = kept.block.height;
        return { ...kept.block, entries };
      }
    };
    return { next };
  }

  /** Blocks of another epoch do not continue the kept ones. */
  #begin(epoch: string): void {
    if (this.#epoch === epoch) return;
    this.#epoch = epoch;
    this.#coins.clear();
    this.#blocks.length = 0;
    this.#bytes = 0;
  }

  #newCoin(coin: string, from: number): KeptCoin {
    // Entries before a gap are of no use. The last block is the one that has it.
    if (this.#coins.has(coin)) for (const kept of this.#blocks.slice(0, -1)) this.#remove(kept, coin);
    const known = { origin: from, from, to: from, bookOnlyTo: -1, isSearched: false, allSearchedTo: -1 };
    this.#coins.set(coin, known);
    return known;
  }

  /** A coin without kept entries begins with the found ones, or where its book is. */
  #firstOf(coin: string, found: readonly Kept[], seqs: EarlierBlocks['seqs']): KeptCoin | undefined {
    const to = entryOf(found.at(-1), coin)?.seq ?? seqs[coin];
    return to === undefined ? undefined : this.#newCoin(coin, to);
  }

  #entriesOf(coin: string): readonly PublishedEntry[] {
    return this.#blocks.flatMap(({ entries }) => entries.get(coin) ?? []);
  }

  /** Inserts a block with one entry, or adds the entry to the kept block of the same height. */
  #insert(kept: Kept, coin: string): void {
    const place = this.#placeAfter(kept.block.height - 1);
    const same = this.#blocks[place];
    for (const entry of kept.entries.values()) {
      this.#bytes += entryBytes(entry);
      if (same?.block.height !== kept.block.height) this.#blocks.splice(place, 0, kept);
      else {
        this.#remove(same, coin);
        same.entries.set(coin, entry);
      }
    }
  }

  #remove(kept: Kept, coin: string): void {
    const entry = kept.entries.get(coin);
    if (entry === undefined) return;
    kept.entries.delete(coin);
    this.#bytes -= entryBytes(entry);
  }

  #dropOld(now: number): void {
    const { keepMs, bytesMax } = this.settings;
    let count = 0;
    for (const { at, entries } of this.#blocks) {
      if (now - at <= keepMs && this.#bytes <= bytesMax) break;
      count += 1;
      for (const entry of entries.values()) {
        this.#bytes -= entryBytes(entry);
        const known = this.#coins.get(entry.coin);
        if (known !== undefined && known.from < entry.seq) known.from = entry.seq;
      }
    }
    this.#blocks.splice(0, count);
  }

  /** Index of the first kept block above a height. */
  #placeAfter(height: number): number {
    let [from, to] = [0, this.#blocks.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#blocks[middle]?.block.height ?? 0) <= height) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function entryOf(kept: Kept | undefined, coin: string): PublishedEntry | undefined {
  return kept?.entries.get(coin);
}

/** Copies entries of a block, because their texts are views of the memory of the whole block. */
function keptOf(
  { epoch, height, time, receivedAt }: PublishedBlock,
  entries: readonly PublishedEntry[],
  readsAll: (coin: string) => boolean,
  at: number,
): Kept {
  const own = entries.map((entry): PublishedEntry => {
    const book = ownText(entry.book);
    if (entry.all === entry.book) return { ...entry, book, all: book };
    return { ...entry, book, all: entry.all !== null && readsAll(entry.coin) ? ownText(entry.all) : null };
  });
  return { block: { epoch, height, time, receivedAt }, entries: new Map(own.map((entry) => [entry.coin, entry])), at };
}

function ownText({ plain, deflated }: EntryText): EntryText {
  return { plain: Buffer.from(plain), deflated: deflated && Buffer.from(deflated) };
}

function entryBytes({ all, book }: PublishedEntry): number {
  return textBytes(book) + (all === null || all === book ? 0 : textBytes(all));
}

function textBytes({ plain, deflated }: EntryText): number {
  return plain.length + (deflated?.length ?? 0);
}
