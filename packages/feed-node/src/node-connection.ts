import type { ConnectionState } from '@l4desk/feed/core';

/** Whether a node's files exist and blocks arrive. Stays connected once files were found; if they vanish, they are looked for. */
export class NodeConnection implements ConnectionState {
  readonly counters = { messages: 0, bytes: 0, connects: 0 };
  isSilent = false;
  #connected = false;
  #heardAt: number | null = null;

  get connected(): boolean {
    return this.#connected;
  }

  get heardAt(): number | null {
    return this.#heardAt;
  }

  opened(now: number): void {
    this.#connected = true;
    this.#heardAt = now;
    this.counters.connects += 1;
  }

  read(now: number, bytes: number): void {
    this.#heardAt = now;
    this.counters.bytes += bytes;
  }
}
