import type { EarlierBlocks, EntryText, PublishedBlock, PublishedEntry } from '@l4desk/feed';
import type { ResumeRefusal, StatusesMode } from '@l4desk/protocol';
import type { SystemClock } from '@l4desk/runtime/node';

/** Returns the next block of missed entries; null if none is left for now; `dropped` if one is no longer kept. */
export type Replay = () => PublishedBlock | null | 'dropped';

/** The point from which a client resumes: the `seq` of the last applied entry, by coin. */
export interface ResumeQuery {
  readonly epoch: string;
  readonly after: Map<string, number>;
  readonly statuses: StatusesMode;
}

export interface KeptEntriesDeps {
  readonly clock: SystemClock;
  /** How long entries are kept, in ms, and their maximum bytes. */
  readonly keepMs: number;
  readonly bytesMax: number;
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
export class KeptEntries {
  readonly #deps: KeptEntriesDeps;
  readonly #coins = new Map<string, KeptCoin>();
  #epoch: string | null = null;

  constructor(deps: KeptEntriesDeps) {
    this.#deps = deps;
  }

  get bytes(): number {
    let bytes = 0;
    for (const coin of this.#coins.values()) bytes += coin.bytes;
    return bytes;
  }

  add(block: PublishedBlock, readsAll: (coin: string) => boolean): void {
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
