import type { DecodedSnapshot } from '@l4desk/protocol';
import type { Client } from '../client.ts';
import { TransportError } from '../errors.ts';
import { l4BookSnapshot } from '../info/l4BookSnapshot.ts';
import { abortController, type Platform } from '../platform.ts';
import type { Slots } from './slots.ts';

/** Result of a snapshot request. */
type SnapshotOutcome =
  | { readonly kind: 'snapshot'; readonly snapshot: DecodedSnapshot }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface SnapshotFetch {
  readonly coin: string;
  /** How long to wait before joining the queue, in ms; 0 joins at once. */
  readonly waitMs: number;
  /** Called at the end, unless cancelled. */
  readonly onEnd: (outcome: SnapshotOutcome) => void;
}

interface FetchDeps {
  readonly client: Client;
  readonly platform: Platform;
  readonly settings: { readonly snapshotMs: number };
  readonly slots: Slots;
  flush(): void;
}

/**
 * Waits, takes a slot and requests one snapshot, for at most `snapshotMs`. Returns a function that cancels at any point. It may
 * be called more than once.
 */
export function fetchSnapshot(deps: FetchDeps, { coin, waitMs, onEnd }: SnapshotFetch): () => void {
  const { client, platform, settings, slots } = deps;
  const controller = abortController();
  let cancelled = false;
  let cancelTimer = () => {};
  let giveSlotBack = () => {};

  const call = async () => {
    const late = new TransportError('timeout', `no snapshot of ${coin} within ${settings.snapshotMs} ms`);
    cancelTimer = platform.clock.after(settings.snapshotMs, () => controller.abort(late));
    const outcome = await l4BookSnapshot(client, { coin }, { signal: controller.signal }).then(
      (snapshot): SnapshotOutcome => ({ kind: 'snapshot', snapshot }),
      (error: unknown): SnapshotOutcome => ({ kind: 'failed', error }),
    );
    cancelTimer();
    giveSlotBack();
    if (!cancelled) onEnd(outcome);
    deps.flush();
  };
  const queue = () => {
    giveSlotBack = slots.take(() => void call());
  };

  if (waitMs === 0) queue();
  else {
    cancelTimer = platform.clock.after(waitMs, () => {
      queue();
      deps.flush();
    });
  }
  return () => {
    cancelled = true;
    cancelTimer();
    giveSlotBack();
    controller.abort();
  };
}
