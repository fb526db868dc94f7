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

/** A block with copies of the texts, because those of the feed are views of memory that holds more than is kept. */
interface RecentBlock {
  readonly block: PublishedBlock;
  /** When it was published, on this thread's clock. */
  readonly at: number;
}

/** What is kept of one coin: its entries after the `seq` `from` up to `to`, each `prevSeq` the `seq` before it. */
interface Run {
  from: number;
  to: number;
  /** Entries after this `seq` have all statuses, not only those of orders in their diffs. */
  allFrom: number;
  /** Whether the cluster has no earlier entries, and up to which `seq` it was asked for all statuses. */
  isSearched: boolean;
  allSearchedTo: number;
}

const runAt = (seq: number): Run => ({ from: seq, to: seq, allFrom: seq, isSearched: false, allSearchedTo: -1 });

/** The blocks of one epoch that were published recently, lowest first. */
export class KeptEntries {
  readonly #deps: KeptEntriesDeps;
  readonly #blocks: RecentBlock[] = [];
  /** Entries outside the run of their coin are never read. */
  readonly #runs = new Map<string, Run>();
  #epoch: string | null = null;
  #bytes = 0;

  constructor(deps: KeptEntriesDeps) {
    this.#deps = deps;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(block: PublishedBlock, readsAll: (coin: string) => boolean): void {
    this.#begin(block.epoch);
    const entries = block.entries.map((entry) => ownEntry(entry, readsAll(entry.coin)));
    for (const { coin, prevSeq, seq, all } of entries) {
      let run = this.#runs.get(coin);
      // Entries before a gap are of no use.
      if (run?.to !== prevSeq) {
        run = runAt(prevSeq);
        this.#runs.set(coin, run);
      }
      run.to = seq;
      if (all === null) run.allFrom = seq;
    }
    this.#keep({ ...block, entries }, this.#deps.clock.now());
    this.#dropOld();
  }

  /** Forgets a coin whose book was released or lost. Its next entries do not continue the kept ones. */
  forget(coin: string): void {
    this.#runs.delete(coin);
  }

  /** Returns the `seq` up to which a coin's missed entries can be sent, or the reason why they cannot. */
  reach(coin: string, { epoch, after, statuses }: ResumeQuery): number | ResumeRefusal {
    if (this.#epoch !== null && this.#epoch !== epoch) return 'epoch';
    this.#dropOld();
    const run = this.#runs.get(coin);
    const seq = after.get(coin);
    if (run === undefined || seq === undefined) return 'expired';
    if (seq > run.to) return 'future';
    if (seq < run.from) return 'expired';
    return statuses === 'all' && seq < run.allFrom ? 'statuses' : run.to;
  }

  /** Whether entries of the cluster could satisfy the query for a coin, and were not requested yet. */
  isWorthSearching(coin: string, query: ResumeQuery): boolean {
    const reach = this.reach(coin, query);
    const run = this.#runs.get(coin);
    if (run === undefined || this.#epoch !== query.epoch) return reach === 'expired' || reach === 'epoch';
    return (reach === 'expired' && !run.isSearched) || (reach === 'statuses' && run.allFrom > run.allSearchedTo);
  }

  /**
   * Adds entries that were published before their coin was held here, or that have more statuses than the kept ones.
   * `wanted`: the coins that were searched, and whether all their statuses were.
   */
  addEarlier({ epoch, blocks, seqs }: EarlierBlocks, wanted: ReadonlyMap<string, boolean>): void {
    this.#begin(epoch);
    for (const [coin, hasAll] of wanted) {
      const seq = seqs[coin];
      const run = this.#runs.get(coin) ?? (seq === undefined ? undefined : runAt(seq));
      if (run === undefined) continue;
      this.#runs.set(coin, run);
      run.isSearched = true;
      if (hasAll) run.allSearchedTo = run.to;
    }
    const now = this.#deps.clock.now();
    for (const { ageMs, block } of blocks.toReversed()) {
      const entries = block.entries
        .filter(({ coin }) => wanted.has(coin))
        .map((entry) => ownEntry(entry, wanted.get(entry.coin) === true))
        .filter((entry) => this.#extend(entry));
      if (entries.length > 0) this.#keep({ ...block, entries }, now - ageMs);
    }
    this.#dropOld();
  }

  /** Starts a replay of the missed entries for all coins of a query. They must be able to resume. */
  replay({ epoch, after, statuses }: ResumeQuery): Replay {
    const sent = new Map(after);
    const isMissed = ({ coin, seq }: PublishedEntry) => this.#runs.has(coin) && seq > (sent.get(coin) ?? seq);
    let height = Number.NEGATIVE_INFINITY;
    return () => {
      if (this.#epoch !== epoch) return null;
      for (const [coin, seq] of sent) if (seq < (this.#runs.get(coin)?.from ?? seq)) return 'dropped';
      const next = this.#blocks.find(({ block }) => block.height > height && block.entries.some(isMissed));
      if (next === undefined) return null;
      const entries = next.block.entries.filter(isMissed);
      if (statuses === 'all' && entries.some(({ all }) => all === null)) return 'dropped';
      for (const { coin, seq } of entries) sent.set(coin, seq);
      height = next.block.height;
      return { ...next.block, entries };
    };
  }

  /** Blocks of another epoch do not continue the kept ones. */
  #begin(epoch: string): void {
    if (this.#epoch === epoch) return;
    this.#epoch = epoch;
    this.#blocks.length = 0;
    this.#runs.clear();
    this.#bytes = 0;
  }

  /** Extends a coin's run by the entry before it, or by all statuses of an entry in it. Returns whether it did. */
  #extend({ coin, seq, prevSeq, all }: PublishedEntry): boolean {
    const run = this.#runs.get(coin);
    if (run === undefined || seq < run.from || seq > run.to || (seq > run.from && all === null)) return false;
    if (seq === run.allFrom && all !== null) run.allFrom = prevSeq;
    if (seq === run.from) run.from = prevSeq;
    return true;
  }

  /** Keeps a block at its height, with entries of other coins that are kept of it. */
  #keep(block: PublishedBlock, at: number): void {
    const place = this.#blocks.findLastIndex((kept) => kept.block.height < block.height) + 1;
    const known = this.#blocks[place]?.block.height === block.height ? this.#blocks.splice(place, 1) : [];
    const coins = new Set(block.entries.map(({ coin }) => coin));
    const others = known.flatMap((kept) => kept.block.entries.filter(({ coin }) => !coins.has(coin)));
    const joined = { ...block, entries: [...others, ...block.entries] };
    this.#blocks.splice(place, 0, { block: joined, at });
    this.#bytes += bytesOf(joined) - known.reduce((sum, kept) => sum + bytesOf(kept.block), 0);
  }

  #dropOld(): void {
    const { clock, keepMs, bytesMax } = this.#deps;
    const oldestAt = clock.now() - keepMs;
    for (let [first] = this.#blocks; first !== undefined; [first] = this.#blocks) {
      if (first.at >= oldestAt && this.#bytes <= bytesMax) return;
      this.#blocks.shift();
      this.#bytes -= bytesOf(first.block);
      for (const { coin, seq } of first.block.entries) {
        const run = this.#runs.get(coin);
        if (run === undefined || run.from >= seq) continue;
        run.from = seq;
        run.allFrom = Math.max(run.allFrom, seq);
      }
    }
  }
}

function ownEntry(entry: PublishedEntry, hasAll: boolean): PublishedEntry {
  const book = ownText(entry.book);
  const all = entry.all === entry.book ? book : entry.all !== null && hasAll ? ownText(entry.all) : null;
  return { ...entry, book, all };
}

function ownText({ plain, deflated }: EntryText): EntryText {
  return { plain: Buffer.from(plain), deflated: deflated && Buffer.from(deflated) };
}

function bytesOf({ entries }: PublishedBlock): number {
  let bytes = 0;
  for (const { all, book } of entries) bytes += textBytes(book) + (all === null || all === book ? 0 : textBytes(all));
  return bytes;
}

function textBytes({ plain, deflated }: EntryText): number {
  return plain.length + (deflated?.length ?? 0);
}
