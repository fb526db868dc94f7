import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { SnapshotBytes, SnapshotEncoding } from '../api.ts';
import type { CoinView } from '../blocks/upstream-block.ts';

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

interface Waiter {
  readonly encoding: SnapshotEncoding;
  readonly resolve: (snapshot: SnapshotBytes) => void;
  readonly reject: (error: Error) => void;
}

/** The texts of a book at one moment. */
interface Served {
  readonly key: string;
  readonly plain: Uint8Array;
  readonly compressed: Map<Compression, Promise<Uint8Array>>;
}

type Compression = Exclude<SnapshotEncoding, 'identity'>;

interface CoinSnapshots {
  readonly coin: string;
  readonly waiters: Set<Waiter>;
  /** Whether a round is in progress. Later callers are served by the next round, from the book as it is then (SNAP-19). */
  serving: boolean;
  served: Served | null;
}

/** Serves `l4BookSnapshot` with at most one serialisation a height (SNAP-6) and one compression an encoding. */
export class SnapshotServer {
  readonly counters = { served: 0, serialised: 0, compressed: 0 };
  readonly #view: (coin: string) => CoinView | null;
  readonly #coins = new Map<string, CoinSnapshots>();

  /** `view` returns a coin's live book, or null while there is none. */
  constructor(view: (coin: string) => CoinView | null) {
    this.#view = view;
  }

  /** Resolves with a snapshot taken at this call or later. Waits while the coin is not live; rejects when the signal aborts. */
  request(coin: string, encoding: SnapshotEncoding, signal: AbortSignal): Promise<SnapshotBytes> {
    return new Promise((resolve, reject) => {
      const snapshots = this.#of(coin);
      const end = (settle: () => void) => {
        snapshots.waiters.delete(waiter);
        signal.removeEventListener('abort', abort);
        this.#tidy(snapshots);
        settle();
      };
      const waiter: Waiter = {
        encoding,
        resolve: (snapshot) => end(() => resolve(snapshot)),
        reject: (error) => end(() => reject(error)),
      };
      const abort = () => waiter.reject(asError(signal.reason));
      signal.addEventListener('abort', abort);
      snapshots.waiters.add(waiter);
      if (signal.aborted) abort();
      else this.serve(coin);
    });
  }

  isAwaited(coin: string): boolean {
    return (this.#coins.get(coin)?.waiters.size ?? 0) > 0;
  }

  /** Serves the coin's waiters if it is live. Call it when the coin becomes live. */
  serve(coin: string): void {
    const snapshots = this.#coins.get(coin);
    if (snapshots === undefined || snapshots.serving || snapshots.waiters.size === 0) return;
    const view = this.#view(coin);
    if (view === null) return;
    const waiters = [...snapshots.waiters];
    snapshots.serving = true;
    void this.#serveRound(snapshots, view, waiters).finally(() => {
      snapshots.serving = false;
      this.serve(coin);
      this.#tidy(snapshots);
    });
  }

  dropStale(): void {
    for (const snapshots of this.#coins.values()) {
      if (snapshots.served === null || snapshots.serving) continue;
      const view = this.#view(snapshots.coin);
      if (view === null || keyOf(view) !== snapshots.served.key) snapshots.served = null;
      this.#tidy(snapshots);
    }
  }

  #of(coin: string): CoinSnapshots {
    let snapshots = this.#coins.get(coin);
    if (snapshots === undefined) {
      snapshots = { coin, waiters: new Set(), serving: false, served: null };
      this.#coins.set(coin, snapshots);
    }
    return snapshots;
  }

  #tidy(snapshots: CoinSnapshots): void {
    if (snapshots.waiters.size > 0 || snapshots.serving || snapshots.served !== null) return;
    this.#coins.delete(snapshots.coin);
  }

  async #serveRound(snapshots: CoinSnapshots, view: CoinView, waiters: readonly Waiter[]): Promise<void> {
    let served: Served;
    try {
      served = this.#servedAt(snapshots, view);
    } catch (error) {
      for (const waiter of waiters) waiter.reject(asError(error));
      return;
    }
    const serveEncoding = async (encoding: SnapshotEncoding) => {
      const waiting = waiters.filter((waiter) => waiter.encoding === encoding);
      try {
        const bytes = await this.#encoded(served, encoding);
        this.counters.served += waiting.length;
        for (const waiter of waiting) waiter.resolve({ encoding, bytes });
      } catch (error) {
        for (const waiter of waiting) waiter.reject(asError(error));
      }
    };
    await Promise.all([...new Set(waiters.map((waiter) => waiter.encoding))].map(serveEncoding));
  }

  #servedAt(snapshots: CoinSnapshots, view: CoinView): Served {
    const key = keyOf(view);
    if (snapshots.served?.key !== key) {
      this.counters.serialised += 1;
      const plain = snapshotJson(snapshots.coin, view);
      snapshots.served = { key, plain, compressed: new Map() };
    }
    return snapshots.served;
  }

  async #encoded({ plain, compressed }: Served, encoding: SnapshotEncoding): Promise<Uint8Array> {
    if (encoding === 'identity') return plain;
    let bytes = compressed.get(encoding);
    if (bytes === undefined) {
      this.counters.compressed += 1;
      bytes = compress(plain, encoding);
      compressed.set(encoding, bytes);
    }
    return bytes;
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function keyOf({ epoch, height, seq }: CoinView): string {
  return `${epoch} ${height} ${seq}`;
}

/** Uses the fastest levels: a snapshot is read once. */
async function compress(plain: Uint8Array, encoding: Compression): Promise<Uint8Array> {
  if (encoding === 'gzip') return shared(await gzipAsync(plain, { level: 1 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  return shared(await brotliAsync(plain, { params }));
}

/** The text of a response (§2.6), in memory shared between threads. */
function snapshotJson(coin: string, { book, height, time, epoch, seq }: CoinView): Uint8Array {
  const head = `{"coin":${JSON.stringify(coin)},"time":${time},"height":${height},"epoch":"${epoch}","seq":${seq},"levels":`;
  return shared(Buffer.from(head), ...book.levelsJson(), Buffer.from('}'));
}

function shared(...pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(pieces.reduce((sum, piece) => sum + piece.length, 0)));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
