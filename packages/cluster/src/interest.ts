import { parsedJson, z } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { Subscription } from '@nats-io/transport-node';
import { INTEREST_BUCKET, INTEREST_TTL_MS, type NatsSession } from './nats-link.ts';

/** How often a gateway repeats its interest, which expires `INTEREST_TTL_MS` after the last time. */
const REPEAT_MS = 2_000;

/** Changes within this time are sent together. */
const GATHER_MS = 20;

const interest = z.object({
  coins: z.array(z.string()),
  /** The subset with a reader of all statuses. */
  all: z.array(z.string()),
});

type Interest = z.infer<typeof interest>;

/** Publishes which coins a gateway wants, until it is closed. */
export class OwnInterest {
  readonly #id: string;
  readonly #session: () => NatsSession | null;
  readonly #interest: () => Interest;
  #soon: NodeJS.Timeout | undefined;
  readonly #repeat: NodeJS.Timeout;

  constructor(id: string, session: () => NatsSession | null, interest: () => Interest) {
    this.#id = id;
    this.#session = session;
    this.#interest = interest;
    this.#repeat = setInterval(() => void this.#publish(), REPEAT_MS);
  }

  changed(): void {
    this.#soon ??= setTimeout(() => void this.#publish(), GATHER_MS);
  }

  async close(): Promise<void> {
    clearTimeout(this.#soon);
    clearInterval(this.#repeat);
    const session = this.#session();
    if (session === null) return;
    await session.interest.delete(this.#id).catch(() => {});
  }

  async #publish(): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const session = this.#session();
    if (session === null) return;
    try {
      await session.interest.put(this.#id, JSON.stringify(this.#interest()));
    } catch {
      // The interest is sent again soon.
    }
  }
}

/** The combined interest of all gateways. */
export class JoinedInterest {
  readonly #changed: (coins: ReadonlyMap<string, boolean>) => void;
  readonly #now: () => number;
  readonly #log: Log;
  readonly #byGateway = new Map<string, Interest & { readonly at: number }>();
  #subscription: Subscription | null = null;
  readonly #sweep: NodeJS.Timeout;

  /** `changed` receives the coins that any gateway wants, and whether with all statuses. `now` is a monotonic clock in ms. */
  constructor(changed: (coins: ReadonlyMap<string, boolean>) => void, now: () => number, log: Log) {
    this.#changed = changed;
    this.#now = now;
    this.#log = log;
    this.#sweep = setInterval(() => this.#forgetSilent(), REPEAT_MS);
  }

  get gateways(): number {
    return this.#byGateway.size;
  }

  /** Reads the stored interests and listens to changes. */
  async listen(session: NatsSession): Promise<void> {
    const prefix = `$KV.${INTEREST_BUCKET}.`;
    this.#subscription = session.connection.subscribe(`${prefix}>`, {
      callback: (error, message) => {
        // A deleted key has no value.
        if (error === null) this.#onInterest(message.subject.slice(prefix.length), message.string());
      },
    });
    for await (const id of await session.interest.keys()) {
      const entry = await session.interest.get(id);
      if (entry !== null && !this.#byGateway.has(id))
        this.#onInterest(id, entry.operation === 'PUT' ? entry.string() : '');
    }
  }

  stop(): void {
    this.#subscription?.unsubscribe();
    this.#subscription = null;
  }

  close(): void {
    clearInterval(this.#sweep);
    this.stop();
  }

  #onInterest(id: string, text: string): void {
    if (text === '') this.#byGateway.delete(id);
    else {
      const read = readInterest(text);
      if (read === undefined) {
        this.#log.warn({ gateway: id }, 'interest of a gateway cannot be read');
        return;
      }
      this.#byGateway.set(id, { ...read, at: this.#now() });
    }
    this.#notify();
  }

  #forgetSilent(): void {
    // While not listening, silence means nothing.
    if (this.#subscription === null) return;
    const before = this.#now() - INTEREST_TTL_MS;
    for (const [id, { at }] of this.#byGateway) if (at < before) this.#byGateway.delete(id);
    this.#notify();
  }

  #notify(): void {
    const coins = new Map<string, boolean>();
    for (const gateway of this.#byGateway.values()) {
      for (const coin of gateway.coins) coins.set(coin, coins.get(coin) === true || gateway.all.includes(coin));
    }
    this.#changed(coins);
  }
}

function readInterest(text: string): Interest | undefined {
  return interest.safeParse(parsedJson(text)).data;
}
