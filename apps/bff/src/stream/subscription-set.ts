import type { CoinLease, CoinReader } from '@l4desk/feed';
import type { RelayedQuery } from '@l4desk/protocol';
import { type EntryForm, entryForm, hasAllStatuses } from './frame.ts';
import type { Subscription } from './subscription.ts';

/** The coins that a connection receives, each in the fullest form that any of its subscriptions requests (D25, D32). */
export type EffectiveCoins = ReadonlyMap<string, EntryForm>;

/** Prefix of relayed keys. No coin name starts with it. */
const RELAYED_PREFIX = 'relayed ';

/** The keys charged per minute: the coins of a subscription or, if it is relayed, what it is relayed for. */
export function billedKeys({ coins, relayed }: Subscription): readonly string[] {
  return relayed === undefined ? coins : [relayedKey(relayed)];
}

/** Subscriptions of one connection that get the same messages have the same key, and are charged once (BILL-13). */
export function relayedKey({ identity }: RelayedQuery): string {
  return RELAYED_PREFIX + identity;
}

/** Whether the key stands for a relayed subscription and not for a coin. */
export function isRelayedKey(billedKey: string): boolean {
  return billedKey.startsWith(RELAYED_PREFIX);
}

/** Maximum characters of a connection's subscriptions: they are stored, and cost nothing if their coins are paid for. */
const LENGTH_MAX = 262_144;

/** What the subscriptions of a connection want of a coin together. */
interface FollowedCoin {
  /** The fullest form of its entries; undefined if only channels of the exchange name it. */
  readonly form: EntryForm | undefined;
  readonly status: boolean;
  /** What is read of its entries, and the lease for that. */
  readonly statuses: CoinReader['statuses'];
  readonly lease: CoinLease;
  /** Whether it was reported as unavailable and is not live since. Each is reported once (WS-33). */
  isReported: boolean;
}

type Acquire = (coin: string, statuses: CoinReader['statuses']) => CoinLease;

/** The subscriptions of one connection, their combined effect, and the leases of their coins. */
export class SubscriptionSet {
  readonly #acquire: Acquire;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #coins = new Map<string, FollowedCoin>();
  /** The relayed subscriptions by their billed key, which bodies that differ may share. */
  readonly #relayed = new Map<string, Set<Subscription>>();

  constructor(acquire: Acquire) {
    this.#acquire = acquire;
  }

  get size(): number {
    return this.#subscriptions.size;
  }

  has(key: string): boolean {
    return this.#subscriptions.has(key);
  }

  hasCoin(coin: string): boolean {
    return this.#coins.has(coin);
  }

  wantsStatus(coin: string): boolean {
    return this.#coins.get(coin)?.status === true;
  }

  get wantsUpstream(): boolean {
    return this.all.some(({ upstream }) => upstream);
  }

  get all(): readonly Subscription[] {
    return [...this.#subscriptions.values()];
  }

  /** The query of the relayed subscriptions with this billed key; undefined if there is none. */
  relayedBy(billedKey: string): RelayedQuery | undefined {
    const [subscription] = this.#relayed.get(billedKey) ?? [];
    return subscription?.relayed;
  }

  /** Why the connection has no room for a subscription; undefined if it has. */
  problem({ coins, text }: Subscription, coinsMax: number): string | undefined {
    if (this.#coins.size + coins.filter((coin) => !this.#coins.has(coin)).length > coinsMax)
      return `more than ${coinsMax} distinct coins on one connection`;
    if (this.all.reduce((sum, one) => sum + one.text.length, text.length) > LENGTH_MAX)
      return `more than ${LENGTH_MAX} characters of subscriptions on one connection`;
    return undefined;
  }

  add(subscription: Subscription): void {
    this.#subscriptions.set(subscription.key, subscription);
    this.#combine(subscription.coins);
    if (subscription.relayed === undefined) return;
    const billedKey = relayedKey(subscription.relayed);
    const same = this.#relayed.get(billedKey);
    if (same === undefined) this.#relayed.set(billedKey, new Set([subscription]));
    else same.add(subscription);
  }

  /** Removes and returns a subscription by its identity. Undefined if there is none. */
  remove(key: string): Subscription | undefined {
    const subscription = this.#subscriptions.get(key);
    if (subscription === undefined) return undefined;
    this.#subscriptions.delete(key);
    this.#combine(subscription.coins);
    if (subscription.relayed !== undefined) {
      const billedKey = relayedKey(subscription.relayed);
      const same = this.#relayed.get(billedKey);
      same?.delete(subscription);
      if (same?.size === 0) this.#relayed.delete(billedKey);
    }
    return subscription;
  }

  /** The coin is live: the next time that it is unavailable is to be reported. */
  live(coin: string): void {
    const followed = this.#coins.get(coin);
    if (followed !== undefined) followed.isReported = false;
  }

  /** The coin is unavailable. Returns the subscriptions to report it for, oldest first: none if it was reported. */
  unavailable(coin: string): readonly Subscription[] {
    const followed = this.#coins.get(coin);
    if (followed === undefined || followed.isReported) return [];
    followed.isReported = true;
    return this.#naming(coin);
  }

  effective(): EffectiveCoins {
    const coins = new Map<string, EntryForm>();
    for (const [coin, { form }] of this.#coins) if (form !== undefined) coins.set(coin, form);
    return coins;
  }

  close(): void {
    for (const { lease } of this.#coins.values()) lease.release();
    this.#coins.clear();
  }

  #naming(coin: string): readonly Subscription[] {
    return this.all.filter(({ coins }) => coins.includes(coin));
  }

  /** Combines what the subscriptions want of these coins. */
  #combine(coins: readonly string[]): void {
    for (const coin of coins) {
      const naming = this.#naming(coin);
      const before = this.#coins.get(coin);
      if (naming.length > 0) this.#coins.set(coin, this.#combined(coin, naming, before));
      else {
        this.#coins.delete(coin);
        before?.lease.release();
      }
    }
  }

  #combined(coin: string, naming: readonly Subscription[], before: FollowedCoin | undefined): FollowedCoin {
    const books = naming.filter(({ channel }) => channel === undefined);
    const form = entryForm({
      statuses: books.some(({ statuses }) => statuses === 'all') ? 'all' : 'book',
      checksum: books.some(({ checksum }) => checksum),
      executions: books.some(({ executions }) => executions),
    });
    const statuses = books.length > 0 && hasAllStatuses(form) ? 'all' : 'book';
    const lease = before?.statuses === statuses ? before.lease : this.#acquire(coin, statuses);
    if (lease !== before?.lease) before?.lease.release();
    return {
      form: books.length > 0 ? form : undefined,
      status: naming.some((one) => one.status),
      statuses,
      lease,
      isReported: before?.isReported ?? false,
    };
  }
}
