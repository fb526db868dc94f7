import type { Packet } from '../faults/packet.ts';
import type { SnapshotLock } from './snapshot-lock.ts';

/** Most messages that wait for one connection of the order-level server; one more drops it. */
export const QUEUED_MESSAGES_MAX = 100;

/** Messages of a block beside the one with the order-level updates: fills and level-2 books. They take a place in the queue. */
export const OTHER_MESSAGES = 2;

export interface ConnectionOutput {
  /** Sends what the packet has for this connection; resolves when the socket has taken it. */
  deliver(packet: Packet): Promise<void>;
  /** The queue has overflowed. */
  overflow(): void;
}

/**
 * What one connection of the order-level server has to do, one thing after the other: a request and a queued message in turn.
 * So many requests at once make it fall behind the blocks, as a reader does that takes nothing (VENUE-22).
 */
export class ConnectionTurns {
  readonly #lock: SnapshotLock;
  readonly #output: ConnectionOutput;
  readonly #requests: (() => Promise<void>)[] = [];
  /** Null is a message about nothing that this feed sends. */
  readonly #queue: (Packet | null)[] = [];
  #running = false;
  #closed = false;

  constructor(lock: SnapshotLock, output: ConnectionOutput) {
    this.#lock = lock;
    this.#output = output;
  }

  get queuedMessages(): number {
    return this.#queue.length;
  }

  /** Takes in a request of the client. */
  request(respond: () => Promise<void>): void {
    this.#requests.push(respond);
    void this.#run();
  }

  /** Takes in a message of the server's own. */
  queue(message: Packet | null): void {
    this.#queue.push(message);
    if (this.#queue.length > QUEUED_MESSAGES_MAX) this.#output.overflow();
    else void this.#run();
  }

  /** Nothing more is done. */
  close(): void {
    this.#closed = true;
    this.#requests.length = 0;
    this.#queue.length = 0;
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    while (!this.#closed && this.#requests.length + this.#queue.length > 0) {
      await this.#requests.shift()?.();
      const message = this.#queue.shift();
      if (message === undefined) continue;
      await this.#lock.free();
      if (message !== null && !this.#closed) await this.#output.deliver(message);
    }
    this.#running = false;
  }
}
