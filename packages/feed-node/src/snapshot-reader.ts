import { type BookLevels, readJson, WireFormatError } from '@l4desk/protocol';
import { readNodeLevels } from '@l4desk/protocol/upstream';

/** One coin's book in a node's snapshot file. */
export interface CoinOfSnapshot {
  readonly coin: string;
  readonly height: number;
  readonly levels: BookLevels;
}

const HEAD = /^\[(\d{1,15}),\[/;
const HEAD_BYTES_MAX = 64;

/** The end of a coin's entry and the start of the next one; this sequence never occurs inside an entry. */
const NEXT_COIN = Buffer.from(']]],["');

/** Bytes kept at the end of a piece, because a mark or the end of the file may be split there. */
const END_BYTES = 16;

/** Upper bound on the length of a coin's name. */
const NAME_BYTES_MAX = 256;

const QUOTE = 34;

/**
 * Reads `[height,[["BTC",[[[user,order],…],[…]]],…]]` piece by piece, parses the coins in `wanted` and skips the others
 * (NODE-7). Coins that the file does not list come last, with an empty book (D67). Throws WireFormatError.
 */
export async function* readSnapshotFile(
  pieces: AsyncIterable<Buffer>,
  wanted: ReadonlySet<string>,
): AsyncGenerator<CoinOfSnapshot> {
  const scan = new SnapshotScan(wanted);
  const missing = new Set(wanted);
  for await (const piece of pieces) {
    scan.push(piece);
    for (let found = scan.next(); found !== null; found = scan.next()) {
      missing.delete(found.coin);
      yield found;
    }
  }
  const last = scan.end();
  if (last !== null) {
    missing.delete(last.coin);
    yield last;
  }
  for (const coin of missing) yield { coin, height: scan.height, levels: [[], []] };
}

class SnapshotScan {
  readonly #wanted: ReadonlySet<string>;
  #height: number | null = null;
  /** Unprocessed bytes; between two coins they begin with the bracket before a name. */
  #rest: Buffer = Buffer.alloc(0);
  #coin: string | null = null;
  /** Earlier bytes of that coin, if it is wanted. */
  #kept: Buffer[] = [];

  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
  }

  push(piece: Buffer): void {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
  }

  /** Returns the next complete wanted coin; null if more bytes are needed. */
  next(): CoinOfSnapshot | null {
    if (this.#height === null && !this.#readHead()) return null;
    for (;;) {
      const coin = this.#coin ?? this.#readName();
      if (coin === null) return null;
      this.#coin = coin;
      const end = this.#rest.indexOf(NEXT_COIN);
      if (end < 0) {
        this.#keep(coin, Math.max(0, this.#rest.length - END_BYTES));
        return null;
      }
      this.#keep(coin, end + 3);
      // Skip the comma between the two entries.
      this.#rest = this.#rest.subarray(1);
      this.#coin = null;
      if (this.#wanted.has(coin)) return this.#parse(coin);
    }
  }

  /** Height of the snapshot; 0 before it is read. */
  get height(): number {
    return this.#height ?? 0;
  }

  /** The file has ended: returns its last coin if that is wanted. */
  end(): CoinOfSnapshot | null {
    const end = this.#rest.toString('latin1').trimEnd();
    if (this.#height !== null && this.#coin === null && end === ']]') return null;
    if (this.#coin === null || !end.endsWith(']]]]]')) throw new WireFormatError('snapshot', 'is cut off');
    this.#keep(this.#coin, end.length - 2);
    return this.#wanted.has(this.#coin) ? this.#parse(this.#coin) : null;
  }

  #readHead(): boolean {
    const text = this.#rest.toString('latin1', 0, HEAD_BYTES_MAX);
    const head = HEAD.exec(text);
    if (head === null) {
      if (text.length < HEAD_BYTES_MAX) return false;
      throw new WireFormatError('snapshot', 'must start with a height');
    }
    this.#height = Number(head[1]);
    this.#rest = this.#rest.subarray(head[0].length);
    return true;
  }

  #readName(): string | null {
    const nameEnd = this.#rest.indexOf(QUOTE, 2);
    if (nameEnd < 0 && this.#rest.length < NAME_BYTES_MAX) return null;
    if (nameEnd < 0 || this.#rest.toString('latin1', 0, 2) !== '["')
      throw new WireFormatError('snapshot', 'must list coins');
    this.#kept = [];
    return this.#rest.toString('latin1', 2, nameEnd);
  }

  /** Consumes the next bytes of the rest, and keeps them if the coin is wanted. */
  #keep(coin: string, bytes: number): void {
    if (this.#wanted.has(coin)) this.#kept.push(this.#rest.subarray(0, bytes));
    this.#rest = this.#rest.subarray(bytes);
  }

  #parse(coin: string): CoinOfSnapshot {
    const kept = this.#kept;
    this.#kept = [];
    return parseCoin(coin, this.#height ?? 0, kept);
  }
}

function parseCoin(coin: string, height: number, kept: readonly Buffer[]): CoinOfSnapshot {
  const value = readJson(Buffer.concat(kept).toString(), coin);
  const sides: unknown = Array.isArray(value) ? value[1] : undefined;
  return { coin, height, levels: readNodeLevels(sides, coin) };
}
