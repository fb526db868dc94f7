import type { CoinBatch, DecodedSnapshot } from '@l4desk/protocol';
import { L4Book } from '../l4-book.ts';
import type { SyncEvent } from './state.ts';

/** Position of a book in its source's sequence. */
export type BookPosition = Pick<DecodedSnapshot, 'epoch' | 'seq' | 'height' | 'time'>;

/** A book that is built and continued by the effects of the sync state machine, with its position. */
export class SyncedBook {
  readonly coin: string;
  /** The last book that was built; undefined before the first. It is the source's only while the state is live. */
  book: L4Book | undefined;
  position: BookPosition | undefined;

  constructor(coin: string) {
    this.coin = coin;
  }

  /** Builds the book. Returns its findings, if any; the book before then stays. */
  build({ epoch, seq, height, time, levels }: DecodedSnapshot): SyncEvent | undefined {
    const { book, findings } = L4Book.build(this.coin, levels);
    if (findings.length > 0) return { kind: 'finding', findings };
    this.book = book;
    this.position = { epoch, seq, height, time };
    return undefined;
  }

  /** Applies a batch. Returns its findings, or that the book has not the checksum of the source. */
  apply({ epoch, seq, height, time, changes, statuses, checksum }: CoinBatch): SyncEvent | undefined {
    const { book } = this;
    if (book === undefined) throw new Error(`${this.coin} has no book to apply block ${height} to`);
    const findings = book.apply(changes, statuses, time);
    if (findings.length > 0) return { kind: 'finding', findings };
    this.position = { epoch, seq, height, time };
    if (checksum === undefined || book.rollingChecksum() === checksum) return undefined;
    const message = `after block ${height} the checksum of the service is ${checksum}, ours ${book.rollingChecksum()}`;
    return { kind: 'auditFailed', message };
  }
}
