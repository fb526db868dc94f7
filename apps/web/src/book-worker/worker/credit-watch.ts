import type { ConnectionState } from '@l4desk/client';
import type { CreditShortage } from '../messages.ts';

/** Time between two checks for credits; a check costs nothing. */
const LOOK_EVERY_MS = 15_000;

export interface CreditWatchDeps {
  /** The account's credits while it cannot pay for a single one; null while it can. Rejects without a response. */
  readonly credits: () => Promise<CreditShortage['credits'] | null>;
  readonly now: () => number;
  readonly later: (callback: () => void, afterMs: number) => void;
}

interface CreditWatchEvents {
  onShortage(): void;
  onReturn(): void;
}

/**
 * Tracks whether the account ran out of credits, and when it has some again. The stream reports a shortage when it closes. But a
 * browser cannot see why a socket was refused, so the service is asked.
 *
 * Loop "credits": one check every 15 s while the shortage lasts; ends with the shortage, when a connection opens, or when nothing
 * is followed any more.
 */
export class CreditWatch {
  readonly #deps: CreditWatchDeps;
  readonly #events: CreditWatchEvents;
  #shortage: CreditShortage | undefined;
  /** Invalidates the checks of a shortage that is over. */
  #turn = 0;

  constructor(deps: CreditWatchDeps, events: CreditWatchEvents) {
    this.#deps = deps;
    this.#events = events;
  }

  get shortage(): CreditShortage | undefined {
    return this.#shortage;
  }

  /** Handles a change of the connection: it shows whether there are credits, or triggers a check. */
  onConnection(connection: ConnectionState): void {
    if (connection.kind === 'open') this.#clear();
    if (connection.kind === 'stopped' && connection.reason.kind === 'credits') {
      this.#enter(this.#shortage?.credits);
      void this.#learn();
    }
    // A socket did not open, perhaps for lack of credits.
    if (connection.kind === 'waiting' && connection.reason.kind === 'failed') void this.#learn();
  }

  look(): void {
    void this.#look();
  }

  /** Nothing is followed any more that needs credits. */
  stop(): void {
    this.#clear();
  }

  #clear(): void {
    this.#turn += 1;
    this.#shortage = undefined;
  }

  /** Checks the account. A response that there are credits does not end a shortage that the stream has just reported. */
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
