import { Audit, describeDifference, describeFinding, type L4Book } from '@l4desk/book';
import type { CoinBatch, DecodedSnapshot } from '@l4desk/protocol';
import { abortController, type Platform, type Signal } from '../platform.ts';

/** The position of a coin's live book. */
export interface BookPosition {
  readonly book: L4Book;
  readonly epoch: string;
  readonly seq: number;
}

/** The result of one comparison of the live book with a fresh snapshot. */
export type VerifyOutcome =
  | { readonly kind: 'equal' }
  | { readonly kind: 'different'; readonly detail: string }
  /** The snapshot could not be used: request another one. */
  | { readonly kind: 'again' }
  /** The coin stopped being live. */
  | { readonly kind: 'abandoned' };

interface Running {
  readonly audit: Audit;
  snapshot: DecodedSnapshot | undefined;
  readonly settle: (outcome: VerifyOutcome) => void;
}

/**
 * Compares one coin's live book with snapshots that are requested after the comparison began. Blocks are still applied meanwhile.
 * They are recorded, and whichever of book and snapshot is behind is brought forward to the other.
 */
export class Verifications {
  readonly #running = new Set<Running>();
  readonly #deps: { readonly platform: Platform; readonly settings: { readonly aheadMs: number } };

  constructor(deps: { readonly platform: Platform; readonly settings: { readonly aheadMs: number } }) {
    this.#deps = deps;
  }

  /** Runs one comparison starting at `start`. Rejects if the snapshot fails, or with the signal's reason. */
  async run(
    start: BookPosition,
    live: () => BookPosition | undefined,
    fetch: (signal: Signal) => Promise<DecodedSnapshot>,
    signal: Signal | undefined,
  ): Promise<VerifyOutcome> {
    let settle: (outcome: VerifyOutcome) => void = () => {};
    let interrupt: (reason: unknown) => void = () => {};
    const settled = new Promise<VerifyOutcome>((resolve, reject) => {
      settle = resolve;
      interrupt = reject;
    });
    const running: Running = { audit: new Audit(start.seq), snapshot: undefined, settle };
    const call = abortController();
    const onAbort = () => interrupt(signal?.reason);
    let cancelTimer = () => {};
    this.#running.add(running);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    const compare = async () => {
      const snapshot = await fetch(call.signal);
      running.snapshot = snapshot;
      const now = live();
      if (now === undefined) return;
      this.#check(running, now);
      const detail = `the service is at seq ${snapshot.seq}, the stream stayed behind it`;
      const { platform, settings } = this.#deps;
      cancelTimer = platform.clock.after(settings.aheadMs, () => settle({ kind: 'different', detail }));
    };
    compare().catch(interrupt);
    try {
      return await settled;
    } finally {
      cancelTimer();
      signal?.removeEventListener('abort', onAbort);
      this.#running.delete(running);
      call.abort();
    }
  }

  /** Passes a block that was just applied to the running comparisons. */
  onApplied(batch: CoinBatch, now: BookPosition): void {
    for (const running of this.#running) {
      running.audit.record(batch.seq, batch.changes);
      this.#check(running, now);
    }
  }

  /** Abandons the running comparisons, because the coin is no longer live. */
  abandon(): void {
    for (const running of this.#running) running.settle({ kind: 'abandoned' });
  }

  #check(running: Running, now: BookPosition): void {
    const { audit, snapshot, settle } = running;
    if (snapshot === undefined) return;
    if (snapshot.epoch !== now.epoch) {
      settle({ kind: 'different', detail: `the snapshot is of epoch ${snapshot.epoch}, the stream of ${now.epoch}` });
      return;
    }
    const verdict = audit.check({ position: snapshot.seq, levels: snapshot.levels }, now.book, now.seq);
    switch (verdict.kind) {
      case 'equal':
        settle({ kind: 'equal' });
        break;
      case 'different':
        settle({ kind: 'different', detail: describeDifference(verdict.difference) });
        break;
      case 'finding':
        settle({ kind: 'different', detail: verdict.findings.map(describeFinding).join('; ') });
        break;
      case 'too-old':
      case 'overrun':
        settle({ kind: 'again' });
        break;
      case 'ahead':
        // A later block brings the book to the snapshot.
        break;
    }
  }
}
