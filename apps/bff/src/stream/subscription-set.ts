import type { EntryForm, RelayedQuery } from '@l4desk/protocol';
import type { Subscription } from './client-message.ts';

/** The coins a connection receives, each in the fullest form that any of its subscriptions asks for (D25, D32). */
export type EffectiveCoins = ReadonlyMap<string, EntryForm>;

/** What changed in the coins a connection receives. */
export interface CoinsChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function entryForm({
  statuses,
  checksum,
  executions,
}: Pick<Subscription, 'statuses' | 'checksum' | 'executions'>): EntryForm {
  return `${statuses}${checksum ? '+checksum' : ''}${executions ? '+executed' : ''}`;
}

/** Whether every status of the coin is in it, or only those of orders in the diffs. */
export function hasAllStatuses(form: EntryForm): boolean {
  return form.startsWith('all');
}

/** No coin begins like this. */
const RELAYED = 'relayed ';

/** What is paid for each minute: the coins of a subscription, or itself where it is relayed (CHAN-12). */
export function billedKeys({ coins, key, relayed }: Subscription): readonly string[] {
  return relayed === undefined ? coins : [RELAYED + key];
}

/** Whether it is a relayed subscription that is billed by this, and no coin. */
export function isRelayedKey(billedKey: string): boolean {
  return billedKey.startsWith(RELAYED);
}

interface Wanted {
  all: number;
  book: number;
  /** Subscriptions that ask for the state of the coin's book. */
  status: number;
  /** Subscriptions that want the checksum of the book. */
  checksum: number;
  /** Subscriptions that want what is known to have been executed. */
  executions: number;
  /** Subscriptions to channels of the exchange. */
  channels: number;
}

function nothingWanted(): Wanted {
  return { all: 0, book: 0, status: 0, checksum: 0, executions: 0, channels: 0 };
}

/** The subscriptions of one connection and what they come to together. */
export class SubscriptionSet {
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #wanted = new Map<string, Wanted>();
  #length = 0;
  /** Subscriptions that ask for the state of the upstream. */
  #upstream = 0;

  get size(): number {
    return this.#subscriptions.size;
  }

  /** Characters of all of them, as they were sent. */
  get length(): number {
    return this.#length;
  }

  has(key: string): boolean {
    return this.#subscriptions.has(key);
  }

  /** The subscription with this identity. */
  get(key: string): Subscription | undefined {
    return this.#subscriptions.get(key);
  }

  /** Whether a subscription names the coin. */
  hasCoin(coin: string): boolean {
    return this.#wanted.has(coin);
  }

  /** Whether a subscription asks for the state of the coin's book. */
  wantsStatus(coin: string): boolean {
    return (this.#wanted.get(coin)?.status ?? 0) > 0;
  }

  /** Whether a subscription asks for the state of the upstream. */
  get wantsUpstream(): boolean {
    return this.#upstream > 0;
  }

  get all(): readonly Subscription[] {
    return [...this.#subscriptions.values()];
  }

  /** What the relayed subscriptions of this identity are billed by. */
  relayedKeys({ identity }: RelayedQuery): readonly string[] {
    return this.all.flatMap((one) => (one.relayed?.identity === identity ? billedKeys(one) : []));
  }

  /** What the relayed subscription is for that is billed by this; undefined where there is none. */
  relayedBy(billedKey: string): RelayedQuery | undefined {
    return isRelayedKey(billedKey) ? this.#subscriptions.get(billedKey.slice(RELAYED.length))?.relayed : undefined;
  }

  /** The subscriptions that name the coin, oldest first. */
  naming(coin: string): readonly Subscription[] {
    return [...this.#subscriptions.values()].filter(({ coins }) => coins.includes(coin));
  }

  /** How many distinct coins there would be with these too. */
  coinsWith(coins: readonly string[]): number {
    return this.#wanted.size + coins.filter((coin) => !this.#wanted.has(coin)).length;
  }

  add(subscription: Subscription): CoinsChange {
    this.#subscriptions.set(subscription.key, subscription);
    const added = subscription.coins.filter((coin) => !this.#wanted.has(coin));
    this.#count(subscription, 1);
    return { added, removed: [] };
  }

  /** Takes a subscription out by its identity; undefined when there is none. */
  remove(key: string): CoinsChange | undefined {
    const subscription = this.#subscriptions.get(key);
    if (subscription === undefined) return undefined;
    this.#subscriptions.delete(key);
    this.#count(subscription, -1);
    return { added: [], removed: subscription.coins.filter((coin) => !this.#wanted.has(coin)) };
  }

  #count({ text, coins, statuses, status, upstream, checksum, executions, channel }: Subscription, by: 1 | -1): void {
    this.#length += by * text.length;
    if (upstream) this.#upstream += by;
    for (const coin of coins) {
      const wanted = this.#wanted.get(coin) ?? nothingWanted();
      wanted[channel === undefined ? statuses : 'channels'] += by;
      if (status) wanted.status += by;
      if (checksum) wanted.checksum += by;
      if (executions) wanted.executions += by;
      if (wanted.all + wanted.book + wanted.channels > 0) this.#wanted.set(coin, wanted);
      else this.#wanted.delete(coin);
    }
  }

  effective(): EffectiveCoins {
    const coins = new Map<string, EntryForm>();
    for (const [coin, wanted] of this.#wanted) {
      if (wanted.all + wanted.book === 0) continue;
      const { all, checksum, executions } = wanted;
      const statuses = all > 0 ? 'all' : 'book';
      coins.set(coin, entryForm({ statuses, checksum: checksum > 0, executions: executions > 0 }));
    }
    return coins;
  }
}
