import type { Packet } from '../faults/packet.ts';
import type { SnapshotLock } from './snapshot-lock.ts';

/** Maximum number of messages queued for one connection of the order-level server; one more drops the connection. */
const QUEUED_MESSAGES_MAX = 100;

/** Messages per block besides the order-level updates: fills and level-2 books. They take up places in the queue. */
export const OTHER_MESSAGES = 2;

export interface ConnectionOutput {
  /** Sends the connection's part of the packet; resolves once the socket has taken it. */
  deliver(packet: Packet): Promise<void>;
  /** Called when the queue has overflowed. */
  overflow(): void;
}

/**
 * The work of one connection of the order-level server, done sequentially: a request and a queued message in turn. Many
 * requests at once make the connection fall behind the blocks, like a client that does not read.
 */
export class ConnectionTurns {
  readonly #lock: SnapshotLock;
  readonly #output: ConnectionOutput;
  readonly #requests: (() => Promise<void>)[] = [];
  /** Null stands for a message of a kind that this feed does not send. */
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

  /** Queues a request of the client. */
  request(respond: () => Promise<void>): void {
    this.#requests.push(respond);
    void this.#run();
  }

  /** Queues a message to the client. */
  queue(message: Packet | null): void {
    this.#queue.push(message);
    if (this.#queue.length > QUEUED_MESSAGES_MAX) this.#output.overflow();
    else void this.#run();
  }

  /** Stops; drops everything queued. */
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
