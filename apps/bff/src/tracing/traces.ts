import type { L4Feed } from '@l4desk/feed';
import type { Meter } from '@l4desk/ledger';
import type { InfoClient } from '../exchange/info-client.ts';

/** The outcome of a traced call; undefined where it did not get that far. */
export interface CallOutcome {
  /** The query kind. */
  readonly kind: string | undefined;
  readonly account: string | undefined;
  readonly status: number;
  readonly error: string | undefined;
}

/**
 * Traces of the service, sent to a collector: a span for each call of `/info` with its upstream calls and its charge, and one for
 * each block from its arrival to the last write of its fan-out. No span holds a key, an address or a request body.
 */
export interface Traces {
  /** Runs one call of `/info` in a span; the parts below add theirs to it. */
  call(run: () => Promise<void>, outcome: () => CallOutcome): Promise<void>;
  info(client: InfoClient): InfoClient;
  meter(meter: Meter): Meter;
  feed(feed: L4Feed): L4Feed;
  /** Sends what is left; gives up after `graceMs`. */
  close(graceMs: number): Promise<void>;
}
