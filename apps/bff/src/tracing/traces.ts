import type { L4Feed } from '@l4desk/feed';
import type { Meter } from '@l4desk/ledger';
import type { InfoClient } from '../exchange/info-client.ts';

/** Result of a traced call. A field is undefined if the call never got that far. */
export interface CallOutcome {
  /** The query kind. */
  readonly kind: string | undefined;
  readonly account: string | undefined;
  readonly status: number;
  readonly error: string | undefined;
}

/**
 * Traces sent to a collector: a span for each `/info` call, with its upstream calls and its charge, and a span for each
 * block, from its arrival to the last write of its fan-out. No span contains a key, an address or a request body.
 */
export interface Traces {
  /** Runs one `/info` call in a span. The parts wrapped below add child spans. */
  call(run: () => Promise<void>, outcome: () => CallOutcome): Promise<void>;
  info(client: InfoClient): InfoClient;
  meter(meter: Meter): Meter;
  feed(feed: L4Feed): L4Feed;
  /** Sends the remaining spans; gives up after `graceMs`. */
  close(graceMs: number): Promise<void>;
}
