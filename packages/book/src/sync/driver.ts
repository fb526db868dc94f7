import type { CoinBatch, DecodedSnapshot } from '@l4desk/protocol';
import { SYNC_START, type SyncEvent, type SyncState } from './state.ts';
import { syncStep } from './table.ts';

/** Carries out the effects of the sync state machine for one coin. */
export interface SyncTarget {
  /** Fetches a snapshot after the backoff of `attempt` (none for 0), then dispatches `snapshot` or `snapshotFailed`. */
  fetch(request: number, attempt: number): void;
  /** The snapshot of the last request, or its backoff, is no longer wanted. */
  cancel(): void;
  /** Builds the book. Returns what is wrong with it (`finding`), which ends the step; undefined if nothing is. */
  build(snapshot: DecodedSnapshot): SyncEvent | undefined;
  /** Applies a batch; `isHeld` if it was buffered before the book was built. Returns like `build`, or `auditFailed`. */
  apply(batch: CoinBatch, isHeld: boolean): SyncEvent | undefined;
  /** The state has changed; its effects follow. Ending the coin here drops them. */
  stepped?(before: SyncState, after: SyncState): void;
  /** All effects of a step were carried out, and nothing was wrong. */
  performed?(isBuilt: boolean): void;
}

/** Drives one coin through the sync state machine (§4.7): the only place that carries out its effects. */
export class SyncDriver {
  private readonly target: SyncTarget;
  private current: SyncState = SYNC_START;

  constructor(target: SyncTarget) {
    this.target = target;
  }

  get state(): SyncState {
    return this.current;
  }

  /** Forgets the coin without effects. */
  reset(): void {
    this.current = SYNC_START;
  }

  dispatch(event: SyncEvent): void {
    const { target } = this;
    const before = this.current;
    const { state, effects } = syncStep(before, event);
    this.current = state;
    target.stepped?.(before, state);
    let isBuilt = false;
    for (const effect of effects) {
      // Something was wrong, or the target has ended the coin.
      if (this.current !== state) return;
      let wrong: SyncEvent | undefined;
      switch (effect.kind) {
        case 'fetchSnapshot':
          target.fetch(effect.request, effect.attempt);
          break;
        case 'cancelSnapshot':
          target.cancel();
          break;
        case 'build':
          wrong = target.build(effect.snapshot);
          isBuilt = true;
          break;
        case 'apply':
          wrong = target.apply(effect.batch, isBuilt);
      }
      if (wrong !== undefined) this.dispatch(wrong);
    }
    if (this.current === state) target.performed?.(isBuilt);
  }
}
