/** The messages between the HTTP thread and the L4 worker. They are plain data, so any transport can carry them. */
import type { BookViewQuery, L2BookQuery } from '@l4desk/protocol';
import type { PostedLine, RpcRequest, RpcResponse } from '@l4desk/runtime/node';
import type {
  BookView,
  CoinReader,
  CoinStatus,
  CoinTrades,
  EarlierBlocks,
  EarlierQuery,
  EntryText,
  FeedHealth,
  PublishedBlock,
  PublishedEntry,
  SnapshotBytes,
  SnapshotEncoding,
} from '../api.ts';

/** Calls of the worker. */
export interface FeedCalls {
  snapshot(coin: string, encoding: SnapshotEncoding): Promise<SnapshotBytes>;
  earlier(query: EarlierQuery): Promise<PackedEarlier>;
  readL2Book(query: L2BookQuery): Promise<string | null>;
}

/** A coin that has a holder who reads this of it. */
export interface Hold {
  readonly coin: string;
  readonly reader: CoinReader;
}

/** Equal for equal holds. */
export function holdKey({ coin, reader: { statuses, deflate } }: Hold): string {
  return `${statuses} ${deflate} ${coin}`;
}

/** From the HTTP thread. */
export type ToWorker =
  | RpcRequest
  | ({ readonly kind: 'acquire' | 'release' } & Hold)
  | { readonly kind: 'watch' | 'unwatch'; readonly query: BookViewQuery }
  | { readonly kind: 'close' };

export type FromWorker =
  | RpcResponse
  | PostedLine
  | { readonly kind: 'block'; readonly block: PackedBlock }
  | { readonly kind: 'trades'; readonly trades: CoinTrades }
  /** The book state of a coin changed; null if the coin was left. */
  | {
      readonly kind: 'status';
      readonly coin: string;
      readonly status: CoinStatus | null;
      readonly upstreamAgeMs: number | null;
    }
  | { readonly kind: 'view'; readonly view: BookView }
  | { readonly kind: 'health'; readonly health: FeedHealth };

/** A range of a block's bytes. */
type Span = readonly [at: number, length: number];

interface PackedText {
  readonly plain: Span;
  readonly deflated: Span | null;
}

/** A published block whose texts are in one buffer, which is transferred instead of copied. */
export interface PackedBlock {
  readonly epoch: string;
  readonly height: number;
  readonly time: number;
  readonly receivedAt: number;
  readonly bytes: ArrayBuffer;
  readonly entries: readonly (Pick<PublishedEntry, 'coin' | 'seq' | 'prevSeq' | 'checksum' | 'executed'> & {
    readonly all: PackedText | null;
    readonly book: PackedText;
  })[];
}

/** Earlier blocks, packed for transfer between threads. */
interface PackedEarlier extends Omit<EarlierBlocks, 'blocks'> {
  readonly blocks: readonly { readonly ageMs: number; readonly block: PackedBlock }[];
}

/** Packs a block's texts into one buffer, one after the other. A text that is used twice is stored once. */
export function packBlock({ epoch, height, time, receivedAt, entries }: PublishedBlock): PackedBlock {
  const spans = new Map<Uint8Array, Span>();
  let size = 0;
  const place = (bytes: Uint8Array): Span => {
    let span = spans.get(bytes);
    if (span === undefined) {
      span = [size, bytes.length];
      size += bytes.length;
      spans.set(bytes, span);
    }
    return span;
  };
  const packText = ({ plain, deflated }: EntryText): PackedText => ({
    plain: place(plain),
    deflated: deflated === null ? null : place(deflated),
  });
  const packed = entries.map(({ coin, seq, prevSeq, checksum, executed, all, book }) => {
    return { coin, seq, prevSeq, checksum, executed, all: all && packText(all), book: packText(book) };
  });
  const whole = new Uint8Array(size);
  for (const [bytes, [at]] of spans) whole.set(bytes, at);
  return { epoch, height, time, receivedAt, bytes: whole.buffer, entries: packed };
}

/** Returns the block in the form that listeners receive; its texts are views into the packed buffer. */
export function unpackBlock(
  { epoch, height, time, receivedAt, entries }: Omit<PackedBlock, 'bytes'>,
  texts: Uint8Array,
): PublishedBlock {
  const windowOf = ([at, length]: Span) => texts.subarray(at, at + length);
  const unpackText = ({ plain, deflated }: PackedText): EntryText => ({
    plain: windowOf(plain),
    deflated: deflated === null ? null : windowOf(deflated),
  });
  return {
    epoch,
    height,
    time,
    receivedAt,
    entries: entries.map(({ coin, seq, prevSeq, checksum, executed, all: packedAll, book: packedBook }) => {
      const book = unpackText(packedBook);
      const isBoth = packedAll !== null && packedAll.plain[0] === packedBook.plain[0];
      const all = packedAll === null ? null : isBoth ? book : unpackText(packedAll);
      return { coin, seq, prevSeq, checksum, executed, all, book };
    }),
  };
}
