import type { ServerResponse } from 'node:http';
import type { Log } from '@l4desk/feed';

export interface PendingResponsesOptions {
  /** Most memory that unread responses may hold together. */
  readonly bytesMax: number;
  /** How long a response may wait without its client reading a byte of it. */
  readonly stallMs: number;
  readonly log: Log;
}

/** A piece of memory that a response keeps; several that keep the same object share it. */
export type Memory = Pick<ArrayBufferLike, 'byteLength'>;

/**
 * Responses that their clients have not read yet. One that is not read is aborted, and so is the oldest one of the account that holds
 * most memory once there is too much of it: reading slowly must not be a way to fill the memory (INFO-29).
 */
export class PendingResponses {
  readonly #options: PendingResponsesOptions;
  readonly #kept = new KeptMemory();
  readonly #accounts = new Map<string, Account>();

  constructor(options: PendingResponsesOptions) {
    this.#options = options;
  }

  /** Memory that unread responses hold. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /** Aborts a written response when its client reads nothing of it; to be called once it is written completely. */
  watch(response: ServerResponse): void {
    const { socket } = response;
    if (socket === null || response.writableLength === 0) return;
    const { stallMs } = this.#options;
    // The socket's own clock: it knows how much the system has taken of a long write.
    response.setTimeout(stallMs, () => this.#cut(response, 'client reads nothing'));
    response.once('finish', () => {
      // Between calls Node sets a time of its own; before a call that waits on the connection it does not.
      if (socket.timeout === stallMs) socket.setTimeout(0);
    });
  }

  /** Counts the memory that a written response of an account keeps until its client has read it. */
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
  /** With the memory of each, oldest first. */
  readonly responses: Map<ServerResponse, ReadonlySet<Memory>>;
}

/** How much memory is kept; what several responses share, as readers of one snapshot do, counts once. */
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
