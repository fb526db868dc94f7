import type { BookLossReason, CoinBatch, DecodedSnapshot } from '@l4desk/protocol';
import { L4Book } from '../l4-book.ts';
import { SYNC_START, type SyncEffect, type SyncEvent, type SyncState } from '../sync/state.ts';
import { syncStep } from '../sync/table.ts';

/** Drives one coin as a real client does, without a clock: snapshot requests are recorded, and the test responds. */
export class Follower {
  state: SyncState = SYNC_START;
  book: L4Book | undefined;
  /** The request in flight. */
  wanted: number | undefined;
  /** Reasons of all fetches so far. */
  readonly reasons: (BookLossReason | null)[] = [];
  private readonly coin: string;

  constructor(coin: string) {
    this.coin = coin;
  }

  send(event: SyncEvent): void {
    const { state, effects } = syncStep(this.state, event);
    this.state = state;
    if (state.kind === 'buffering' && effects.some(({ kind }) => kind === 'fetchSnapshot')) {
      this.reasons.push(state.reason);
    }
    for (const effect of effects) {
      const findings = this.carryOut(effect);
      if (findings.length === 0) continue;
      this.send({ kind: 'finding', findings });
      return;
    }
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

  private carryOut(effect: SyncEffect) {
    switch (effect.kind) {
      case 'fetchSnapshot':
        this.wanted = effect.request;
        return [];
      case 'cancelSnapshot':
        this.wanted = undefined;
        return [];
      case 'build': {
        const { book, findings } = L4Book.build(this.coin, effect.snapshot.levels);
        this.book = book;
        this.wanted = undefined;
        return findings;
      }
      case 'apply': {
        const { changes, statuses, time } = effect.batch;
        return this.book?.apply(changes, statuses, time) ?? [];
      }
    }
  }
}
