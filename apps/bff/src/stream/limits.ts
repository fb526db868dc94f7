import { RESUME_BYTES_MAX, RESUME_MS, UNSENT_BYTES_TOTAL_MAX } from '@l4desk/protocol';
import type { Settings } from '../config/settings.ts';

/** How often the credential of an open stream is rechecked: well below the 60 s within which it must close (AUTH-9). */
const RECHECK_MS = 10_000;

/** How often a client is pinged. One that misses two pings is disconnected (D21). */
const PING_MS = 15_000;

/** Limits of the stream (D21, D24, D30, D33). Those that are settings are described there. */
export type StreamLimits = Readonly<ReturnType<typeof streamLimits>>;

export function streamLimits(settings: Settings) {
  return {
    connectionsPerKeyMax: settings.STREAM_CONNECTIONS_PER_KEY_MAX,
    subscriptionCoinsMax: settings.SUBSCRIPTION_COINS_MAX,
    connectionCoinsMax: settings.CONNECTION_COINS_MAX,
    messagesPerSecondMax: settings.CLIENT_MESSAGES_PER_SECOND_MAX,
    frameBytesMax: settings.CLIENT_FRAME_BYTES_MAX,
    unsentBytesMax: settings.UNSENT_BYTES_MAX,
    unsentBytesTotalMax: UNSENT_BYTES_TOTAL_MAX,
    resumeMs: RESUME_MS,
    resumeBytesMax: RESUME_BYTES_MAX,
    pingMs: PING_MS,
    recheckMs: RECHECK_MS,
  };
}

/** A connection whose unsent bytes are counted. */
export interface Sender {
  /** Bytes written to it that the system has not accepted yet. */
  readonly unsentBytes: number;
  cut(): void;
}

/** Bounds the unsent bytes of all connections together (D30): above it, the one with the most is terminated. */
export class SlowConsumers {
  readonly #totalMax: number;
  /** Connections with unsent bytes after their last write, and how many. What was sent since is not subtracted yet. */
  readonly #counted = new Map<Sender, number>();
  #total = 0;

  constructor(totalMax: number) {
    this.#totalMax = totalMax;
  }

  /** Current unsent bytes of all connections. */
  get total(): number {
    for (const sender of this.#counted.keys()) this.#count(sender, sender.unsentBytes);
    return this.#total;
  }

  /** Must be called after each write to a connection, unless it had nothing unsent before and after. */
  note(sender: Sender): void {
    this.#count(sender, sender.unsentBytes);
    if (this.#total <= this.#totalMax) return;
    while (this.total > this.#totalMax) {
      const [[slowest] = []] = [...this.#counted].sort(([, a], [, b]) => b - a);
      if (slowest === undefined) return;
      this.forget(slowest);
      slowest.cut();
    }
  }

  forget(sender: Sender): void {
    this.#count(sender, 0);
  }

  #count(sender: Sender, bytes: number): void {
    this.#total += bytes - (this.#counted.get(sender) ?? 0);
    if (bytes > 0) this.#counted.set(sender, bytes);
    else this.#counted.delete(sender);
  }
}
