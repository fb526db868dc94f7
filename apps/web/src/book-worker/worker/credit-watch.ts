import type { ConnectionState } from '@l4desk/client';
import type { CreditShortage } from '../messages.ts';

/** Between two looks at whether there are credits again; a look costs nothing. */
const LOOK_EVERY_MS = 15_000;

export interface CreditWatchDeps {
  /** Where the account stands while it cannot pay for a single credit; null while it can. Rejects without a response. */
  credits(): Promise<CreditShortage['credits'] | null>;
  now(): number;
  later(callback: () => void, afterMs: number): void;
}

interface CreditWatchEvents {
  /** The shortage began, or more is known of it. */
  onShortage(): void;
  /** There are credits again. */
  onReturn(): void;
}

/**
 * Knows whether the account ran out of credits, and when it has some again. The stream says the first when it closes; a
 * browser does not learn why a socket was refused, so that the service is asked.
 *
 * Loop "credits": one look every 15 s while the shortage lasts; its end, or a connection that opens, ends it.
 */
export class CreditWatch {
  readonly #deps: CreditWatchDeps;
  readonly #events: CreditWatchEvents;
  #shortage: CreditShortage | undefined;
  /** Counts the looks that were begun: those of a shortage that is over are void. */
  #turn = 0;

  constructor(deps: CreditWatchDeps, events: CreditWatchEvents) {
    this.#deps = deps;
    this.#events = events;
  }

  get shortage(): CreditShortage | undefined {
    return this.#shortage;
  }

  /** What the connection has come to says whether there are credits, or makes it worth asking. */
  hear(connection: ConnectionState): void {
    if (connection.kind === 'open') this.#clear();
    if (connection.kind === 'stopped' && connection.reason.kind === 'credits') {
      this.#enter(this.#shortage?.credits);
      void this.#learn();
    }
    // A socket did not open, perhaps for want of credits.
    if (connection.kind === 'waiting' && connection.reason.kind === 'failed') void this.#learn();
  }

  /** Looks now. */
  look(): void {
    void this.#look();
  }

  /** There are credits. */
  #clear(): void {
    this.#turn += 1;
    this.#shortage = undefined;
  }

  /** Learns how the account stands. A response that credits are there does not end a shortage that was told just now. */
  async #learn(): Promise<void> {
    const turn = this.#turn;
    const credits = await this.#deps.credits().catch(() => null);
    if (turn === this.#turn && credits !== null) this.#enter(credits);
  }

  async #look(): Promise<void> {
    const turn = this.#turn;
    const credits = await this.#deps.credits().catch(() => undefined);
    if (turn !== this.#turn || this.#shortage === undefined) return;
    if (credits === null) {
      this.#clear();
      this.#events.onReturn();
    } else {
      this.#enter(credits ?? this.#shortage.credits);
    }
  }

  #enter(credits: CreditShortage['credits']): void {
    this.#turn += 1;
    const turn = this.#turn;
    const now = this.#deps.now();
    this.#shortage = { since: this.#shortage?.since ?? now, credits, lookAt: now + LOOK_EVERY_MS };
    this.#deps.later(() => {
      if (turn === this.#turn) void this.#look();
    }, LOOK_EVERY_MS);
    this.#events.onShortage();
  }
}
