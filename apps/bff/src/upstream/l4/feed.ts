import type { L4Feed, Log } from './api.ts';

export * from './api.ts';

/** What the L4 path needs to know; times in ms. */
export interface L4FeedSettings {
  /** Whole URL of an `l4Book` WebSocket endpoint (`UPSTREAM_L4_URL`). */
  readonly upstreamUrl: string;
  /** Coins that stay joined whether or not anybody watches (`L4_PINNED_COINS`). */
  readonly pinnedCoins: readonly string[];
  /** How long a coin nobody holds stays joined (`L4_LINGER_MS`). */
  readonly lingerMs: number;
  /** How often each joined coin is compared with a fresh upstream snapshot (`L4_AUDIT_MS`); 0 is never. */
  readonly auditMs: number;
  /** How long a missing height is waited for (`L4_REORDER_MS`). */
  readonly reorderMs: number;
}

/** Where the worker's program is; the default is the file built beside the service's. */
export interface L4FeedOptions {
  readonly workerUrl?: URL;
}

/** Starts the L4 path in a worker thread of its own and connects it upstream. It ends when disposed. */
export function startL4Feed(settings: L4FeedSettings, log: Log, options: L4FeedOptions = {}): L4Feed {
  throw new Error(`not built yet: ${settings.upstreamUrl} ${String(log)} ${String(options)}`);
}
