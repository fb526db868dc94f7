import type { ServerResponse } from 'node:http';
import type { Log } from '@l4desk/feed';

export interface PendingResponsesOptions {
  /** Maximum total memory of pending responses. */
  readonly bytesMax: number;
  /** How long a response may stay pending without its client reading a byte of it. */
  readonly stallMs: number;
  readonly log: Log;
}

/** A block of memory that a response retains. Responses that retain the same object share it. */
export type Memory = Pick<ArrayBufferLike, 'byteLength'>;

/**
 * Tracks responses that their clients have not read yet. A response that is not being read is aborted. If all of them
 * retain too much memory, the oldest response of the account that retains most is aborted. Otherwise slow readers could
 * exhaust the memory (INFO-29).
 */
export class PendingResponses {
  readonly #options: PendingResponsesOptions;
  readonly #kept = new KeptMemory();
  readonly #accounts = new Map<string, Account>();

  constructor(options: PendingResponsesOptions) {
    this.#options = options;
  }

  /** Bytes retained by pending responses. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /** Aborts a response if its client reads nothing of it. Must be called once the response is written completely. */
  watch(response: ServerResponse): void {
    const { socket } = response;
    if (socket === null || response.writableLength === 0) return;
    const { stallMs } = this.#options;
    // The socket's own timeout knows how much of a long write the system has accepted.
    response.setTimeout(stallMs, () => this.#cut(response, 'client reads nothing'));
    response.once('finish', () => {
      // Node sets its own timeout between calls, but not if the next call is already waiting on the connection.
      if (socket.timeout === stallMs) socket.setTimeout(0);
    });
  }

  /** Counts the memory that a written response of an account retains until its client has read it. */
  keep(accountId: string, response: ServerResponse, kept: readonly Memory[]): void {
    if (response.writableLength === 0) return;
    let account = this.#accounts.get(accountId);
    if (account === undefined) {
      account = { kept: new KeptMemory(), responses: new Map() };
      this.#accounts.set(accountId, account);
    }
    const memory = new Set(kept);
    account.responses.set(response, memory);
    account.kept.add(memory);
    this.#kept.add(memory);
    response.once('close', () => this.#forget(accountId, response));
    while (this.#kept.bytes > this.#options.bytesMax) this.#cutOldestOfMost();
  }

  #cutOldestOfMost(): void {
    const [most] = [...this.#accounts].toSorted(([, a], [, b]) => b.kept.bytes - a.kept.bytes);
    if (most === undefined) return;
    const [accountId, { responses }] = most;
    const [oldest] = responses.keys();
    if (oldest === undefined) return;
    this.#forget(accountId, oldest);
    this.#cut(oldest, 'too many unsent bytes');
  }

  #cut(response: ServerResponse, reason: string): void {
    this.#options.log.warn({ reason, unsent: response.writableLength }, 'response aborted');
    response.destroy();
  }

  #forget(accountId: string, response: ServerResponse): void {
    const account = this.#accounts.get(accountId);
    const memory = account?.responses.get(response);
    if (account === undefined || memory === undefined) return;
    account.responses.delete(response);
    account.kept.remove(memory);
    this.#kept.remove(memory);
    if (account.responses.size === 0) this.#accounts.delete(accountId);
  }
}

interface Account {
  readonly kept: KeptMemory;
  /** The memory of each response, oldest first. */
  readonly responses: Map<ServerResponse, ReadonlySet<Memory>>;
}

/** Counts retained memory. Memory shared by several responses, such as readers of one snapshot, counts once. */
class KeptMemory {
  readonly #keepers = new Map<Memory, number>();
  bytes = 0;

  add(memory: ReadonlySet<Memory>): void {
    for (const piece of memory) {
      const keepers = this.#keepers.get(piece) ?? 0;
      if (keepers === 0) this.bytes += piece.byteLength;
      this.#keepers.set(piece, keepers + 1);
    }
  }

  remove(memory: ReadonlySet<Memory>): void {
    for (const piece of memory) {
      const keepers = (this.#keepers.get(piece) ?? 1) - 1;
      if (keepers > 0) {
        this.#keepers.set(piece, keepers);
      } else {
        this.bytes -= piece.byteLength;
        this.#keepers.delete(piece);
      }
    }
  }
}
