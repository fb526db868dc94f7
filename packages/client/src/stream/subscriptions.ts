import {
  canonicalJson,
  type L4BookUpdatesSubscription,
  type ResumeOutcome,
  type ResumePoint,
  STREAM_ERRORS,
  type StatusesMode,
  SUBSCRIPTION_COINS_MAX,
} from '@l4desk/protocol';
import type { StreamMessage } from './message.ts';

/** The calls and notifications between the subscriptions and the follower. */
export interface SubscriptionHandlers {
  send(method: 'subscribe' | 'unsubscribe', subscription: L4BookUpdatesSubscription): void;
  /** Returns where these coins may resume after a disconnect. Undefined, or omitted, if none can. */
  resumePoint?(coins: readonly string[]): ResumePoint | undefined;
  /**
   * From here on the service streams these coins (WS-8). This may come after they were assumed to be streamed. `resume` is the
   * outcome for the point they were to resume from.
   */
  onSubscribed(coins: readonly string[], resume: ResumeOutcome | undefined): void;
  /** The service has not acknowledged these coins in time, nor anything before: it may or may not stream them yet. */
  onAssumed(coins: readonly string[]): void;
  /** The service refused these coins with this message. */
  onRefused(coins: readonly string[], message: string): void;
  /** The service reports that it no longer has a coin of an acknowledged subscription (WS-33). */
  onUnavailable(coin: string, message: string): void;
  /** Calls back once when the time for an acknowledgement is over. Returns a function that cancels it. */
  afterAcknowledgeTime(callback: () => void): () => void;
}

/** What subscriptions request besides their coins. */
export interface SubscriptionFields {
  /** Which order statuses (L4-31). */
  readonly statuses: StatusesMode;
  /** Whether to receive the state of each coin's book (L4-39). If the service refuses the field, it is omitted. */
  readonly status: boolean;
  /** Whether to receive the age of the upstream's last block. If the service refuses the field, it is omitted. */
  readonly upstream?: boolean;
  /** Whether to receive the checksum of the book with each entry. If the service refuses the field, it is omitted. */
  readonly checksum?: boolean;
  /** Whether to receive what is known to have been executed. If the service refuses the field, it is omitted. */
  readonly executions?: boolean;
}

/** Whether anything is requested that only this service supports. */
function hasExtraFields({
  status,
  upstream = false,
  checksum = false,
  executions = false,
}: SubscriptionFields): boolean {
  return status || upstream || checksum || executions;
}

interface Entry {
  readonly coins: readonly string[];
  readonly body: L4BookUpdatesSubscription;
  readonly extraFields: boolean;
  /** The body as sent, which errors quote (WS-17), and its canonical form, in which equal bodies are equal (WS-9). */
  readonly text: string;
  readonly canonical: string;
  /**
   * Larger subscriptions that this one replaces. They are unsubscribed once all their replacements are acknowledged or refused.
   */
  replaces: readonly Entry[];
  /** `assumed`: nothing was acknowledged in time; the acknowledgement may still come. */
  state: 'asked' | 'assumed' | 'taken';
  cancelTimer: () => void;
}

/**
 * The subscriptions of a socket, kept across reconnects. Unsubscribing needs the exact body (WS-5), so each body is kept as it
 * was sent. A set is narrowed (WS-6) by subscribing to the smaller one first and unsubscribing the larger one once that is
 * acknowledged. Overlapping subscriptions give one entry per coin (L4-33), so no block is missed in between.
 */
export class Subscriptions {
  readonly #wanted = new Set<string>();
  /**
   * Coins that the service refused on this connection. The next connection requests them again, because the service may know them
   * by then.
   */
  readonly #refused = new Set<string>();
  #entries: readonly Entry[] = [];
  /** Pending subscribes, oldest first. The service responds in order. */
  #unacknowledged: readonly Entry[] = [];
  #open = false;
  /**
   * Whether the service acknowledges, once known. If it has acknowledged once, it always does, and nothing is assumed. If it let
   * the first acknowledgement time pass, later ones are not waited for.
   */
  #acknowledges: boolean | undefined;
  /**
   * Whether to request the optional fields: as configured, until the service refuses them and accepts the same subscription
   * without.
   */
  #extraFields: boolean;
  readonly #fields: SubscriptionFields;
  readonly #handlers: SubscriptionHandlers;

  constructor(fields: SubscriptionFields, handlers: SubscriptionHandlers) {
    this.#fields = fields;
    this.#extraFields = hasExtraFields(fields);
    this.#handlers = handlers;
  }

  /** Subscribes to coins that are not wanted yet, in one subscription, or in several past the limit of an array. */
  add(coins: readonly string[]): void {
    for (const coin of coins) {
      this.#wanted.add(coin);
      this.#refused.delete(coin);
    }
    for (let from = 0; from < coins.length; from += SUBSCRIPTION_COINS_MAX) {
      this.#enter(this.#entryOf(coins.slice(from, from + SUBSCRIPTION_COINS_MAX)));
    }
  }

  remove(coins: readonly string[]): void {
    for (const coin of coins) {
      this.#wanted.delete(coin);
      this.#refused.delete(coin);
    }
    for (const entry of this.#standing()) {
      const staying = entry.coins.filter((coin) => this.#wanted.has(coin));
      if (staying.length === entry.coins.length) continue;
      const { replaces } = entry;
      entry.replaces = [];
      if (staying.length > 0) {
        this.#enter(this.#entryOf(staying, [entry, ...replaces]));
      } else {
        this.#leave(entry);
        this.#leaveReplaced(replaces);
      }
    }
  }

  /** A socket is open: subscribes to everything, because the service keeps nothing from earlier sockets. */
  opened(): void {
    this.#open = true;
    this.#extraFields = hasExtraFields(this.#fields);
    const coinsOf = this.#standing().map((entry) => entry.coins.filter((coin) => this.#wanted.has(coin)));
    this.#entries = [];
    for (const coins of coinsOf) {
      const resume = this.#handlers.resumePoint?.(coins);
      if (coins.length > 0) this.#enter(this.#entryOf(coins, [], resume !== undefined || this.#extraFields, resume));
    }
    for (const coin of this.#refused) this.add([coin]);
  }

  closed(): void {
    this.#open = false;
    this.#unacknowledged = [];
    for (const entry of this.#entries) entry.cancelTimer();
  }

  /** Handles an acknowledgement, or an error about one of our subscriptions. */
  receive(message: StreamMessage): void {
    if (message.kind === 'acknowledged') {
      this.#acknowledges = true;
      if (message.method !== 'subscribe') return;
      const canonical = canonicalJson(message.subscription);
      const entry = this.#settled((item) => item.canonical === canonical);
      if (entry !== undefined) this.#take(entry, message.resume);
    } else if (message.kind === 'error') {
      const doubled = this.#settled((item) => message.message === `${STREAM_ERRORS.alreadySubscribed}${item.text}`);
      if (doubled !== undefined) this.#take(doubled);
      const refused = this.#settled((item) =>
        message.message.startsWith(`${STREAM_ERRORS.invalidSubscription}${item.text}`),
      );
      if (refused !== undefined) this.#refuse(refused, message.message);
      else if (doubled === undefined) this.#tellUnavailable(message.message);
    }
  }

  #tellUnavailable(message: string): void {
    const entry = this.#entries.find((item) => message.startsWith(`${STREAM_ERRORS.invalidSubscription}${item.text}`));
    const coin = entry?.coins.find((name) => message.endsWith(`: ${name} is not available upstream`));
    if (coin !== undefined) this.#handlers.onUnavailable(coin, message);
  }

  /** Entries that no other entry replaces. */
  #standing(): readonly Entry[] {
    const replaced = new Set(this.#entries.flatMap((entry) => entry.replaces));
    return this.#entries.filter((entry) => !replaced.has(entry));
  }

  /** Returns the oldest pending entry that a response matches, if it is still ours. */
  #settled(fits: (entry: Entry) => boolean): Entry | undefined {
    const entry = this.#unacknowledged.find(fits);
    this.#unacknowledged = this.#unacknowledged.filter((item) => item !== entry);
    return entry !== undefined && this.#entries.includes(entry) ? entry : undefined;
  }

  #entryOf(
    coins: readonly string[],
    replaces: readonly Entry[] = [],
    extraFields = this.#extraFields,
    resume?: ResumePoint,
  ): Entry {
    const [only] = coins;
    const coin = coins.length === 1 && only !== undefined ? only : [...coins];
    const { statuses, status, upstream = false, checksum = false, executions = false } = this.#fields;
    const body: L4BookUpdatesSubscription = {
      type: 'l4BookUpdates',
      coin,
      // `all` is what a server sends by default, including one that does not know the field.
      ...(statuses === 'all' ? {} : { statuses }),
      ...(extraFields && status ? { status: true } : {}),
      ...(extraFields && upstream ? { upstream: true } : {}),
      ...(extraFields && checksum ? { checksum: true } : {}),
      ...(extraFields && executions ? { executions: true } : {}),
      ...(resume === undefined ? {} : { resume }),
    };
    const text = JSON.stringify(body);
    const canonical = canonicalJson(body);
    return { coins, body, extraFields, text, canonical, replaces, state: 'asked', cancelTimer: () => {} };
  }

  #enter(entry: Entry): void {
    this.#entries = [...this.#entries, entry];
    // Nothing is streamed while the socket is closed. The next one starts with the subscriptions of that time.
    if (!this.#open) return;
    this.#unacknowledged = [...this.#unacknowledged, entry];
    this.#handlers.send('subscribe', entry.body);
    if (this.#acknowledges === false) this.#assume(entry);
    else entry.cancelTimer = this.#handlers.afterAcknowledgeTime(() => this.#assume(entry));
  }

  #take(entry: Entry, resume?: ResumeOutcome): void {
    entry.cancelTimer();
    if (entry.state === 'taken') return;
    entry.state = 'taken';
    this.#extraFields &&= entry.extraFields;
    this.#settle(entry, (coins) => this.#handlers.onSubscribed(coins, resume));
  }

  #assume(entry: Entry): void {
    if (this.#acknowledges === true) return;
    this.#acknowledges = false;
    entry.state = 'assumed';
    this.#settle(entry, (coins) => this.#handlers.onAssumed(coins));
  }

  /** The entry counts as streamed. Larger ones that it replaces are unsubscribed. */
  #settle(entry: Entry, handler: (coins: readonly string[]) => void): void {
    const { replaces } = entry;
    entry.replaces = [];
    // The replaced subscription already streamed these coins, so nothing starts for them now.
    if (replaces.length === 0) handler(this.#stayingOf(entry));
    this.#leaveReplaced(replaces);
  }

  /** Unsubscribes larger subscriptions, except those that another entry still replaces. */
  #leaveReplaced(entries: readonly Entry[]): void {
    for (const entry of entries) if (this.#successorsOf(entry).length === 0) this.#leave(entry);
  }

  #leave(entry: Entry): void {
    if (!this.#entries.includes(entry)) return;
    this.#drop(entry);
    if (this.#open) this.#handlers.send('unsubscribe', entry.body);
  }

  /**
   * Loop "split": no part of a refused array takes effect (WS-22), so its coins are requested one by one, once. If the array
   * replaced a larger one, so do they: removed coins are unsubscribed even if another coin has been delisted meanwhile.
   */
  #refuse(entry: Entry, message: string): void {
    const { replaces } = entry;
    entry.replaces = [];
    this.#drop(entry);
    const successors = this.#successorsOf(entry);
    // Smaller ones are already requested. They have nothing to unsubscribe now.
    for (const item of successors) item.replaces = item.replaces.filter((replaced) => replaced !== entry);
    if (successors.length > 0) return;
    const coins = entry.coins.filter((coin) => this.#wanted.has(coin));
    if (entry.extraFields) {
      // Loop "plain": a service that does not know a field may refuse a body that has it, so the body is sent once without it.
      this.#enter(this.#entryOf(coins, replaces, false));
      return;
    }
    if (entry.coins.length > 1) {
      for (const coin of coins) this.#enter(this.#entryOf([coin], replaces));
    } else {
      for (const coin of coins) {
        this.#wanted.delete(coin);
        this.#refused.add(coin);
      }
      this.#handlers.onRefused(coins, message);
    }
    this.#leaveReplaced(replaces);
  }

  /**
   * Coins that this subscription should keep streaming. A coin that was removed from it may be wanted again, by another
   * subscription.
   */
  #stayingOf(entry: Entry): readonly string[] {
    const successors = this.#successorsOf(entry);
    const coins = successors.length === 0 ? entry.coins : successors.flatMap((item) => item.coins);
    return coins.filter((coin) => this.#wanted.has(coin));
  }

  #successorsOf(entry: Entry): readonly Entry[] {
    return this.#entries.filter((item) => item.replaces.includes(entry));
  }

  #drop(entry: Entry): void {
    entry.cancelTimer();
    this.#entries = this.#entries.filter((item) => item !== entry);
  }
}
