/** Limits of the stream (D21, D24, D30, D33); every one is a setting. */
export interface StreamLimits {
  /** Most connections that one key, or the sessions that signed in with it, may have open. */
  readonly connectionsPerKeyMax: number;
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
  /** Unsent bytes of all connections of an account, above which the one with the most is disconnected. */
  readonly unsentBytesPerAccountMax: number;
  /** Unsent bytes of all connections, above which the one with the most, in the account with the most, is disconnected. */
  readonly unsentBytesTotalMax: number;
  /** How long published entries are kept for clients that resume, in ms, and most bytes of them (RES-1). */
  readonly resumeMs: number;
  readonly resumeBytesMax: number;
  /** How often a protocol ping is sent, in ms; a peer that misses two is dropped. */
  readonly pingMs: number;
  /** How often each connection's credential is looked at again, in ms; at most 60,000. */
  readonly recheckMs: number;
}
