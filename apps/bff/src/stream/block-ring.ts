import type { Clock, EntryText, PublishedBlock, PublishedEntry } from '@l4desk/feed';
import type { ResumeRefusal } from '@l4desk/protocol';
import type { MissedBlocks, Replay, ResumeQuery } from './missed-blocks.ts';

export interface BlockRingSettings {
  /** How long blocks are kept, in ms; 0 keeps none. */
  readonly keepMs: number;
  /** Most bytes of their texts; the oldest blocks go first. */
  readonly bytesMax: number;
}

interface KeptBlock {
  readonly block: PublishedBlock;
  /** Coins of which only the statuses of orders in the diffs are kept. */
  readonly bookOnly: ReadonlySet<string>;
  readonly bytes: number;
  readonly at: number;
}

/** The entries of a coin that are kept: each `prevSeq` is the `seq` before, from the first one's `prevSeq` on. */
interface KeptCoin {
  readonly epoch: string;
  from: number;
  to: number;
  /** Entries up to this one may lack statuses of orders outside their diffs. */
  bookOnlyTo: number;
}

/** Blocks at the front that are gone, after which the list is shortened. */
const GONE_MAX = 1_024;

/**
 * The blocks of the last moments (RES-1), as they were published. All statuses of a coin are 80 times the rest, so they are kept
 * only while somebody reads them, and for as long after as blocks are kept.
 */
export class BlockRing implements MissedBlocks {
  readonly #settings: BlockRingSettings;
  readonly #clock: Pick<Clock, 'now'>;
  #blocks: KeptBlock[] = [];
  /** Where the first kept block lies in the list, and how many blocks were taken off the list. */
  #first = 0;
  #shortened = 0;
  #bytes = 0;
  /** That of the last block. */
  #epoch: string | null = null;
  readonly #coins = new Map<string, KeptCoin>();
  /** Until when all statuses of a coin are kept. */
  readonly #allUntil = new Map<string, number>();

  constructor(settings: BlockRingSettings, clock: Pick<Clock, 'now'>) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Bytes of the kept texts. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether somebody reads all statuses of a coin from now on. */
  readAll(coin: string, isRead: boolean): void {
    this.#allUntil.set(coin, isRead ? Number.POSITIVE_INFINITY : this.#clock.now() + this.#settings.keepMs);
  }

  add(block: PublishedBlock): void {
    if (this.#settings.keepMs === 0) return;
    const now = this.#clock.now();
    const kept = this.#keep(block, now);
    this.#epoch = block.epoch;
    for (const { coin, seq, prevSeq } of block.entries) {
      const bookOnlyTo = kept.bookOnly.has(coin) ? seq : -1;
      const known = this.#coins.get(coin);
      if (known === undefined || known.epoch !== block.epoch || known.to !== prevSeq) {
        this.#coins.set(coin, { epoch: block.epoch, from: prevSeq, to: seq, bookOnlyTo });
        continue;
      }
      known.to = seq;
      known.bookOnlyTo = Math.max(known.bookOnlyTo, bookOnlyTo);
    }
    this.#blocks.push(kept);
    this.#bytes += kept.bytes;
    this.#dropOld(now);
  }

  /** A coin left the books, or its book was lost: what is published of it from now on continues nothing (RES-3). */
  forget(coin: string): void {
    this.#coins.delete(coin);
  }

  reach(coin: string, { epoch, after, statuses }: ResumeQuery): number | ResumeRefusal {
    if (this.#settings.keepMs === 0) return 'off';
    this.#dropOld(this.#clock.now());
    if (this.#epoch !== null && this.#epoch !== epoch) return 'epoch';
    const seq = after.get(coin);
    const kept = this.#coins.get(coin);
    if (kept === undefined || kept.epoch !== epoch || seq === undefined) return 'expired';
    if (seq > kept.to) return 'future';
    if (seq < kept.from) return 'expired';
    return statuses === 'all' && seq < kept.bookOnlyTo ? 'statuses' : kept.to;
  }

  replay(query: ResumeQuery): Replay {
    for (const coin of query.after.keys()) {
      // Until it is read as any other: what is published meanwhile is to be kept as it is asked for.
      if (query.statuses === 'all' && this.#allUntil.get(coin) !== Number.POSITIVE_INFINITY) this.readAll(coin, false);
    }
    let place = this.#shortened + this.#first;
    return {
      next: () => {
        if (place < this.#shortened + this.#first) return 'dropped';
        for (;;) {
          const kept = this.#blocks[place - this.#shortened];
          if (kept === undefined) return null;
          place += 1;
          const { block } = kept;
          if (block.epoch !== query.epoch) continue;
          const entries = block.entries.filter(({ coin, seq }) => seq > (query.after.get(coin) ?? seq));
          if (entries.length > 0) return { ...block, entries };
        }
      },
    };
  }

  #keep(block: PublishedBlock, at: number): KeptBlock {
    const bookOnly = new Set<string>();
    for (const { coin } of block.entries) if (!((this.#allUntil.get(coin) ?? 0) > at)) bookOnly.add(coin);
    // The texts of a block share their memory: it goes only when none of them needs it.
    const isCopied = bookOnly.size === block.entries.length;
    const own = isCopied ? { ...block, entries: block.entries.map(withBookOnly) } : block;
    return { block: own, bookOnly: isCopied ? bookOnly : new Set(), bytes: bytesOf(own), at };
  }

  #dropOld(now: number): void {
    const { keepMs, bytesMax } = this.#settings;
    for (let kept = this.#blocks[this.#first]; kept !== undefined; kept = this.#blocks[this.#first]) {
      if (now - kept.at <= keepMs && this.#bytes <= bytesMax) break;
      this.#first += 1;
      this.#bytes -= kept.bytes;
      for (const { coin, seq } of kept.block.entries) {
        const known = this.#coins.get(coin);
        if (known !== undefined && known.epoch === kept.block.epoch && seq > known.from) known.from = seq;
      }
    }
    if (this.#first < GONE_MAX && this.#first < this.#blocks.length) return;
    this.#blocks = this.#blocks.slice(this.#first);
    this.#shortened += this.#first;
    this.#first = 0;
  }
}

function withBookOnly(entry: PublishedEntry): PublishedEntry {
  const { plain, deflated } = entry.book;
  const book: EntryText = { plain: Buffer.from(plain), deflated: deflated && Buffer.from(deflated) };
  return { ...entry, all: book, book };
}

/** Texts that lie in the same place count once. */
function bytesOf({ entries }: PublishedBlock): number {
  let bytes = 0;
  for (const { all, book } of entries) {
    for (const text of all.plain.byteOffset === book.plain.byteOffset ? [book] : [all, book]) {
      bytes += text.plain.length + (text.deflated?.length ?? 0);
    }
  }
  return bytes;
}
