import type { BookLossReason, CoinBatch, DecodedSnapshot } from '@l4desk/protocol';
import type { L4Book } from '../l4-book.ts';
import { SyncDriver, type SyncTarget } from '../sync/driver.ts';
import type { SyncEvent, SyncState } from '../sync/state.ts';
import { SyncedBook } from '../sync/synced-book.ts';

/** Follows one coin as a real client does, without a clock: snapshot requests are recorded, and the test responds. */
export class Follower implements SyncTarget {
  /** The request in flight. */
  wanted: number | undefined;
  /** Reasons of all fetches so far. */
  readonly reasons: (BookLossReason | null)[] = [];
  private readonly driver = new SyncDriver(this);
  private readonly synced: SyncedBook;

  constructor(coin: string) {
    this.synced = new SyncedBook(coin);
  }

  get state(): SyncState {
    return this.driver.state;
  }

  get book(): L4Book | undefined {
    return this.synced.book;
  }

  send(event: SyncEvent): void {
    this.driver.dispatch(event);
  }

  batch(batch: CoinBatch): void {
    this.send({ kind: 'batch', batch });
  }

  /** Responds to the request in flight, if there is one. */
  respond(snapshot: DecodedSnapshot): void {
    if (this.wanted !== undefined) this.send({ kind: 'snapshot', request: this.wanted, snapshot });
  }

  /** Fails the request in flight, if there is one. */
  failResponse(): void {
    const request = this.wanted;
    if (request === undefined) return;
    this.wanted = undefined;
    this.send({ kind: 'snapshotFailed', request, retryable: true, message: 'timed out' });
  }

  fetch(request: number): void {
    this.wanted = request;
    if (this.state.kind === 'buffering') this.reasons.push(this.state.reason);
  }

  cancel(): void {
    this.wanted = undefined;
  }

  build(snapshot: DecodedSnapshot): SyncEvent | undefined {
    this.wanted = undefined;
    return this.synced.build(snapshot);
  }

  apply(batch: CoinBatch): SyncEvent | undefined {
    return this.synced.apply(batch);
  }
}
