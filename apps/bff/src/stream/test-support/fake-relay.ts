import type { Relay, RelayHealth, RelayLease, RelayLimits } from '@l4desk/feed';
import type { RelayedQuery } from '@l4desk/protocol';

type Events = Parameters<Relay['listen']>[0];

/** A relay controlled by a test. It records which queries are held. */
export class FakeRelay implements Relay {
  isConnected = true;
  limits: RelayLimits = { users: 10, subscriptions: 1_000, messagesPerMinute: 2_000 };
  /** Whether subscriptions are accepted at once. If false, the test accepts them. */
  accepts = true;
  readonly #accepted = new Set<string>();
  /** The reason to refuse all subscriptions, if set. */
  refusal: string | undefined;
  readonly held = new Map<string, { readonly query: RelayedQuery; sofar: readonly string[] }>();
  #events: Events | undefined;

  listen(events: Events): void {
    this.#events = events;
  }

  problem(): string | undefined {
    return this.refusal;
  }

  hold(query: RelayedQuery): RelayLease {
    const held: { readonly query: RelayedQuery; sofar: readonly string[] } = { query, sofar: [] };
    this.held.set(query.identity, held);
    // The exchange responds later.
    if (this.accepts) queueMicrotask(() => this.accept(query.identity));
    return {
      get sofar() {
        return held.sofar;
      },
      release: () => {
        this.held.delete(query.identity);
        this.#accepted.delete(query.identity);
      },
    };
  }

  /** Sends a message of the exchange. Later subscribers get it first. */
  say(identity: string, message: object): void {
    const held = this.held.get(identity);
    if (held === undefined) throw new Error(`nobody holds ${identity}`);
    const text = JSON.stringify(message);
    held.sofar = [text];
    this.#events?.message(held.query, text);
  }

  refuse(identity: string, reason = 'the exchange refused it'): void {
    const held = this.held.get(identity);
    if (held !== undefined) this.#events?.refused(held.query, reason);
  }

  interrupt(identity: string): void {
    const held = this.held.get(identity);
    if (held !== undefined) this.#events?.interrupted(held.query);
  }

  isLive({ identity }: RelayedQuery): boolean {
    return this.isConnected && this.#accepted.has(identity);
  }

  /** Accepts a subscription on behalf of the exchange. */
  accept(identity: string): void {
    this.#accepted.add(identity);
    const held = this.held.get(identity);
    if (held !== undefined) this.#events?.accepted(held.query);
  }

  /** Reconnects and accepts all held subscriptions again. */
  connect(): void {
    this.isConnected = true;
    for (const identity of this.held.keys()) this.accept(identity);
  }

  health(): RelayHealth {
    return { connected: this.isConnected, subscriptions: this.held.size, users: 0, messages: 0, connects: 1 };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
