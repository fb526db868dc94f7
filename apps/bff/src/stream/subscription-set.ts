import type { EntryForm, RelayedQuery } from '@l4desk/protocol';
import type { Subscription } from './client-message.ts';
import { entryForm } from './frame.ts';

/** The coins that a connection receives, each in the fullest form that any of its subscriptions requests (D25, D32). */
export type EffectiveCoins = ReadonlyMap<string, EntryForm>;

/** Prefix of relayed keys. No coin name starts with it. */
const RELAYED_PREFIX = 'relayed ';

/** The keys charged per minute: the coins of a subscription or, if it is relayed, the subscription itself. */
export function billedKeys({ coins, key, relayed }: Subscription): readonly string[] {
  return relayed === undefined ? coins : [RELAYED_PREFIX + key];
}

/** Whether the key stands for a relayed subscription and not for a coin. */
export function isRelayedKey(billedKey: string): boolean {
  return billedKey.startsWith(RELAYED_PREFIX);
}

/** What the subscriptions of a connection want of a coin together. */
interface Wanted {
  /** The fullest form of its entries; undefined if only channels of the exchange name it. */
  readonly form: EntryForm | undefined;
  readonly status: boolean;
}

/** The subscriptions of one connection, and their combined effect. */
export class SubscriptionSet {
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #wanted = new Map<string, Wanted>();

  get size(): number {
    return this.#subscriptions.size;
  }

  /** Total characters of all subscription bodies as sent. */
  get length(): number {
    return this.all.reduce((sum, { text }) => sum + text.length, 0);
  }

  has(key: string): boolean {
    return this.#subscriptions.has(key);
  }

  get(key: string): Subscription | undefined {
    return this.#subscriptions.get(key);
  }

  get coins(): Iterable<string> {
    return this.#wanted.keys();
  }

  hasCoin(coin: string): boolean {
    return this.#wanted.has(coin);
  }

  wantsStatus(coin: string): boolean {
    return this.#wanted.get(coin)?.status === true;
  }

  get wantsUpstream(): boolean {
    return this.all.some(({ upstream }) => upstream);
  }

  get all(): readonly Subscription[] {
    return [...this.#subscriptions.values()];
  }

  /** The billed keys of the relayed subscriptions with this identity. */
  relayedKeys({ identity }: RelayedQuery): readonly string[] {
    return this.all.flatMap((one) => (one.relayed?.identity === identity ? billedKeys(one) : []));
  }

  /** The query of the relayed subscription with this billed key; undefined if there is none. */
  relayedBy(billedKey: string): RelayedQuery | undefined {
    return isRelayedKey(billedKey)
      ? this.#subscriptions.get(billedKey.slice(RELAYED_PREFIX.length))?.relayed
      : undefined;
  }

  /** The subscriptions that name the coin, oldest first. */
  naming(coin: string): readonly Subscription[] {
    return [...this.#subscriptions.values()].filter(({ coins }) => coins.includes(coin));
  }

  /** Number of distinct coins if these were added. */
  coinsWith(coins: readonly string[]): number {
    return this.#wanted.size + coins.filter((coin) => !this.#wanted.has(coin)).length;
  }

  add(subscription: Subscription): void {
    this.#subscriptions.set(subscription.key, subscription);
    this.#combine(subscription.coins);
  }

  /** Removes and returns a subscription by its identity. Undefined if there is none. */
  remove(key: string): Subscription | undefined {
    const subscription = this.#subscriptions.get(key);
    if (subscription === undefined) return undefined;
    this.#subscriptions.delete(key);
    this.#combine(subscription.coins);
    return subscription;
  }

  /** Combines what the subscriptions want of these coins. */
  #combine(coins: readonly string[]): void {
    for (const coin of coins) {
      const naming = this.naming(coin);
      const books = naming.filter(({ channel }) => channel === undefined);
      const form = entryForm({
        statuses: books.some(({ statuses }) => statuses === 'all') ? 'all' : 'book',
        checksum: books.some(({ checksum }) => checksum),
        executions: books.some(({ executions }) => executions),
      });
      const status = naming.some((one) => one.status);
      if (naming.length > 0) this.#wanted.set(coin, { form: books.length > 0 ? form : undefined, status });
      else this.#wanted.delete(coin);
    }
  }

  effective(): EffectiveCoins {
    const coins = new Map<string, EntryForm>();
    for (const [coin, { form }] of this.#wanted) if (form !== undefined) coins.set(coin, form);
    return coins;
  }
}
