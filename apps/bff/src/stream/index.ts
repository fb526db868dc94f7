import type { Server } from 'node:http';
import type { Authoriser } from '../http/principal.ts';
import type { L4Feed, Log } from '../upstream/l4/api.ts';
import type { CoinUniverse } from '../upstream/universe.ts';

/** Limits of the stream (D21, D24, D30, D33); every one is a setting. */
export interface StreamLimits {
  /** Most coins in one subscription array. */
  readonly subscriptionCoinsMax: number;
  /** Most distinct coins of one connection. */
  readonly connectionCoinsMax: number;
  /** Most client messages a second on one connection. */
  readonly messagesPerSecondMax: number;
  /** Most bytes of one client frame. */
  readonly frameBytesMax: number;
  /** Unsent bytes at which a connection is closed as a slow consumer. */
  readonly unsentBytesMax: number;
  /** How often a protocol ping is sent, in ms; a peer that misses two is dropped. */
  readonly pingMs: number;
  /** How often each connection's credential is looked at again, in ms; at most 60,000. */
  readonly recheckMs: number;
}

/** What the stream is built from. */
export interface StreamDeps {
  readonly feed: L4Feed;
  readonly universe: CoinUniverse;
  readonly authoriser: Authoriser;
  readonly limits: StreamLimits;
  readonly log: Log;
}

/** How the stream is doing, for `/metrics`; counters only rise. */
export interface StreamHealth {
  readonly connections: number;
  readonly subscriptions: number;
  readonly groups: number;
  readonly connectionsOpened: number;
  readonly upgradesRefused: number;
  readonly framesSent: number;
  readonly bytesSent: number;
  readonly framesBuilt: number;
  readonly closedByCode: Readonly<Record<string, number>>;
}

/** The stream's end of the service. */
export interface Stream extends AsyncDisposable {
  health(): StreamHealth;
  /** Looks at every connection's credential again now, without waiting for the next round (AUTH-23). */
  recheck(): Promise<void>;
  /** Refuses new upgrades with 503 and closes every connection with 1001 (WS-29); resolves when all are gone. */
  close(): Promise<void>;
}

/** Serves `GET /ws` upgrades of the HTTP server; any other path of an upgrade is refused with 404. */
export function attachStream(server: Server, deps: StreamDeps): Stream {
  throw new Error(`not built yet: ${String(server)} ${String(deps)}`);
}
