import {
  identitiesOf,
  isObject,
  isRelayedType,
  parsedJson,
  type RelayedQuery,
  readRelayed,
  STREAM_ERRORS,
} from '@l4desk/protocol';
import { type Backoff, type Log, ReconnectingSocket, type SocketEnd } from '@l4desk/runtime';
import { every, type SystemClock, systemClock } from '@l4desk/runtime/node';
import { closeProblem, UpstreamSocket } from '../sources/upstream-connection.ts';
import { PacedSender } from './paced-sender.ts';

/** Limits for one address on the exchange's stream: distinct wallets, and subscriptions, at a time. */
const RELAY_LIMITS = { users: 10, subscriptions: 1_000, messagesPerMinute: 2_000 };

export type RelayLimits = Readonly<typeof RELAY_LIMITS>;

export interface RelaySettings {
  /** The exchange's public WebSocket (`UPSTREAM_WS_URL`). */
  readonly url: string;
  readonly limits?: RelayLimits;
  readonly reconnect?: Backoff;
}

/** Events of the relayed channels. Messages are texts as the exchange sent them. */
export interface RelayEvents {
  message(query: RelayedQuery, text: string): void;
  /** The exchange refused the subscription, or did not decide about it in time; it is dropped. The reason has no braces. */
  refused(query: RelayedQuery, reason: string): void;
  /** The connection was lost. Messages of this query may have been missed, and there is no way to tell which. */
  interrupted(query: RelayedQuery): void;
  /** The exchange accepted the subscription; called again after each reconnect. */
  accepted(query: RelayedQuery): void;
}

/** A subscription of the exchange, until it is released. */
export interface RelayLease {
  /** Messages to send to a new subscriber first, as of now: the last state, or the snapshot and the messages after it. */
  readonly sofar: readonly string[];
  release(): void;
}

export type RelayHealth = ReturnType<ExchangeRelay['health']>;

/** The relay as its users see it. */
export type Relay = Pick<ExchangeRelay, keyof ExchangeRelay>;

interface Held {
  readonly query: RelayedQuery;
  /** Whether the exchange has accepted it on the current connection, and on any. */
  isAccepted: boolean;
  wasAccepted: boolean;
  /** Connections that ended before the exchange decided about it. */
  undecidedEnds: number;
  /** Whether the next message holds the whole state, of a channel whose first message does. */
  isWholeNext: boolean;
  /** Cancels the deadline of the exchange's decision. */
  cancelDeadline: () => void;
  sofar: string[];
  bytes: number;
}

const RECONNECT: Backoff = { firstMs: 500, longestMs: 30_000 };
const OPEN_WITHIN_MS = 10_000;

const PING_EVERY_MS = 20_000;

/** How long the exchange may take to decide about a subscription (D62). */
const DECIDED_WITHIN_MS = 10_000;

/** The oldest subscription that is undecided when this many connections end in a row may be what ends them. */
const UNDECIDED_ENDS_MAX = 2;

/** Maximum characters of the messages kept after a snapshot; past it they are dropped, and resubscribing gets a new snapshot. */
const FOLLOWERS_MAX = 1_048_576;

const PING = JSON.stringify({ method: 'ping' });

/** Channels of the exchange, each subscribed once, over one connection that is reopened whenever it is lost. */
export class ExchangeRelay implements AsyncDisposable {
  readonly limits: RelayLimits;
  readonly #clock: SystemClock;
  readonly #log: Log;
  readonly #socket: ReconnectingSocket<string>;
  readonly #sender: PacedSender;
  /** Keyed by the identity of their messages. */
  readonly #held = new Map<string, Held>();
  /** Requested on the current connection and not decided yet, oldest first. */
  readonly #undecided = new Set<Held>();
  #events: RelayEvents | undefined;
  #wasConnected = false;
  #messages = 0;
  #connects = 0;
  #receivedAt = 0;
  #cancelPing = () => {};

  constructor({ url, limits = RELAY_LIMITS, reconnect = RECONNECT }: RelaySettings, log: Log, clock = systemClock) {
    this.limits = limits;
    this.#clock = clock;
    this.#log = log;
    this.#sender = new PacedSender(limits.messagesPerMinute, clock, (text) => this.#socket.send(text));
    const open = () => new UpstreamSocket(url, { compress: true, onBytes: () => {}, onPong: () => {} });
    this.#socket = new ReconnectingSocket(
      { open, openWithinMs: OPEN_WITHIN_MS, backoff: reconnect, clock, random: Math.random },
      {
        connecting: () => {},
        opened: () => this.#onOpened(),
        message: (data) => this.#onMessage(String(data)),
        ended: problemOf,
        waiting: (problem, _, waitMs) => this.#onLost(problem, waitMs),
      },
    );
    this.#socket.start();
  }

  get isConnected(): boolean {
    return this.#socket.isOpen;
  }

  isLive({ identity }: RelayedQuery): boolean {
    return this.isConnected && this.#held.get(identity)?.isAccepted === true;
  }

  /** Sets the listener; there is one at a time. */
  listen(events: RelayEvents): void {
    this.#events = events;
  }

  /** Why the query cannot be relayed now, as text without braces; undefined if it can. */
  problem(query: RelayedQuery): string | undefined {
    if (!this.isConnected) return 'the stream of the exchange is not connected, try again shortly';
    const held = this.#held.get(query.identity);
    if (held?.query.normalized === query.normalized) return undefined;
    if (held !== undefined) {
      return `its messages could not be distinguished from those of another ${query.type} that is relayed at the moment`;
    }
    const { users, subscriptions } = this.limits;
    if (this.#held.size >= subscriptions) return `the exchange allows ${subscriptions} subscriptions, all are taken`;
    const known = this.#users();
    if (query.user !== null && !known.has(query.user) && known.size >= users) {
      return `the exchange allows ${users} wallets at a time, all are taken`;
    }
    return undefined;
  }

  /** Subscribes for the one holder of the query, who shares it among its own: another hold would displace its lease. */
  hold(query: RelayedQuery): RelayLease {
    const held: Held = {
      query,
      isAccepted: false,
      wasAccepted: false,
      undecidedEnds: 0,
      isWholeNext: false,
      cancelDeadline: () => {},
      sofar: [],
      bytes: 0,
    };
    this.#held.set(query.identity, held);
    this.#subscribe(held);
    return {
      get sofar() {
        return held.sofar;
      },
      release: () => this.#release(held),
    };
  }

  health() {
    return {
      connected: this.isConnected,
      subscriptions: this.#held.size,
      users: this.#users().size,
      messages: this.#messages,
      connects: this.#connects,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cancelPing();
    for (const { cancelDeadline } of this.#held.values()) cancelDeadline();
    this.#sender.clear();
    this.#socket.stop();
  }

  #users(): ReadonlySet<string> {
    return new Set([...this.#held.values()].flatMap(({ query: { user } }) => (user === null ? [] : [user])));
  }

  #release(held: Held): void {
    const { query } = held;
    if (this.#held.get(query.identity) !== held) return;
    this.#drop(held);
    this.#request('unsubscribe', query);
  }

  #drop(held: Held): void {
    this.#held.delete(held.query.identity);
    this.#undecided.delete(held);
    held.cancelDeadline();
  }

  #refuse(held: Held, reason: string): void {
    this.#drop(held);
    this.#events?.refused(held.query, reason.replaceAll(/[{}]/g, '?'));
  }

  #subscribe(held: Held): void {
    this.#request('subscribe', held.query);
    this.#undecided.add(held);
    // A request that is sent again on the next connection keeps its deadline.
    if (held.undecidedEnds > 0) return;
    held.cancelDeadline = this.#clock.after(DECIDED_WITHIN_MS, () => {
      this.#refuse(held, `the exchange did not respond within ${DECIDED_WITHIN_MS / 1_000} s`);
      this.#request('unsubscribe', held.query);
    });
  }

  #request(method: 'subscribe' | 'unsubscribe', { text }: RelayedQuery): void {
    // Without a connection there is nothing to unsubscribe, and everything is subscribed once it opens.
    if (this.isConnected) this.#sender.send(`{"method":"${method}","subscription":${text}}`);
  }

  #onOpened(): void {
    this.#connects += 1;
    this.#wasConnected = true;
    this.#receivedAt = this.#clock.now();
    for (const held of this.#held.values()) this.#subscribe(held);
    this.#cancelPing = every(this.#clock, PING_EVERY_MS, () => this.#ping());
  }

  #onLost(problem: string, waitMs: number): void {
    this.#cancelPing();
    this.#sender.clear();
    this.#log.warn({ problem, waitMs: Math.round(waitMs) }, 'stream of the exchange lost');
    if (!this.#wasConnected) return;
    this.#wasConnected = false;
    for (const held of this.#undecided) {
      if (held.wasAccepted) held.cancelDeadline();
      else held.undecidedEnds += 1;
    }
    // The exchange responds in order, so those after the oldest did not end the connection.
    const oldest = [...this.#undecided].find(({ wasAccepted }) => !wasAccepted);
    if (oldest !== undefined && oldest.undecidedEnds >= UNDECIDED_ENDS_MAX)
      this.#refuse(oldest, 'the exchange closed the connection instead of a response');
    this.#undecided.clear();
    for (const held of this.#held.values()) {
      // The next connection sends a new state or snapshot.
      held.sofar = [];
      held.bytes = 0;
      held.isAccepted = false;
      if (held.wasAccepted && held.query.begins === 'events') this.#events?.interrupted(held.query);
    }
  }

  /** Sends a ping. A connection on which nothing arrives for two periods is dropped. */
  #ping(): void {
    if (this.#clock.now() - this.#receivedAt >= 2 * PING_EVERY_MS) this.#socket.drop('nothing received');
    else this.#sender.send(PING);
  }

  #onMessage(text: string): void {
    this.#receivedAt = this.#clock.now();
    const message = parsed(text);
    if (message === undefined) return;
    if (message.channel === 'error') {
      this.#onError(String(message.data));
      return;
    }
    if (message.channel === 'subscriptionResponse') {
      this.#onAcknowledged(message.data);
      return;
    }
    for (const identity of identitiesOf(message.channel, message.data)) {
      const held = this.#held.get(identity);
      if (held === undefined) continue;
      this.#messages += 1;
      // A message shows that the subscription was accepted, even if its acknowledgement could not be read.
      this.#accept(held);
      this.#keep(held, text, message.data);
      this.#events?.message(held.query, text);
    }
  }

  #keep(held: Held, text: string, data: unknown): void {
    const { begins } = held.query;
    if (begins === 'events') return;
    if (begins === 'state' || held.isWholeNext || isSnapshot(data)) {
      held.isWholeNext = false;
      held.sofar = [text];
      held.bytes = 0;
      return;
    }
    // Without its snapshot a change is of no use to a later subscriber.
    if (held.sofar.length === 0) return;
    held.sofar.push(text);
    held.bytes += text.length;
    if (held.bytes <= FOLLOWERS_MAX) return;
    // The new snapshot includes what is dropped here, and the changes in between.
    held.sofar = [];
    held.bytes = 0;
    this.#request('unsubscribe', held.query);
    held.isAccepted = false;
    this.#subscribe(held);
  }

  #onAcknowledged(data: unknown): void {
    if (!isObject(data) || data.method !== 'subscribe') return;
    const held = this.#held.get(identityOf(data.subscription) ?? '');
    if (held === undefined) return;
    held.isWholeNext = held.query.begins === 'first';
    this.#accept(held);
  }

  #accept(held: Held): void {
    if (held.isAccepted) return;
    held.isAccepted = true;
    held.wasAccepted = true;
    held.undecidedEnds = 0;
    held.cancelDeadline();
    this.#undecided.delete(held);
    this.#events?.accepted(held.query);
  }

  /** An error that quotes no subscription is about the oldest undecided request: the exchange responds in order. */
  #onError(sentence: string): void {
    const { quoted, rest } = quotedIn(sentence);
    const held = quoted === undefined ? [...this.#undecided][0] : this.#held.get(identityOf(quoted) ?? '');
    if (held === undefined)
      this.#log.warn({ sentence }, 'the exchange sent an error about no subscription that is held');
    else if (sentence.startsWith(STREAM_ERRORS.alreadySubscribed)) this.#accept(held);
    else if (sentence.startsWith(STREAM_ERRORS.alreadyUnsubscribed))
      this.#log.debug({ sentence }, 'was not subscribed');
    else this.#refuse(held, rest);
  }
}

function problemOf(end: SocketEnd): string {
  return end.kind === 'closed' ? closeProblem(end) : end.message;
}

function parsed(text: string): { readonly channel: string; readonly data: unknown } | undefined {
  const message = parsedJson(text);
  if (!isObject(message)) return undefined;
  const { channel, data } = message;
  return typeof channel === 'string' ? { channel, data } : undefined;
}

/** The subscription that an error quotes, alone or inside its request, and the sentence without it. */
function quotedIn(sentence: string): { readonly quoted: unknown; readonly rest: string } {
  const from = sentence.indexOf('{');
  let to = from < 0 ? from : sentence.length;
  let quoted: unknown;
  // What follows the subscription may contain braces too.
  while (to > from && !isObject(quoted)) {
    to = sentence.lastIndexOf('}', to - 1);
    quoted = parsedJson(sentence.slice(from, to + 1));
  }
  if (!isObject(quoted)) return { quoted: undefined, rest: sentence };
  const rest = `${sentence.slice(0, from)}${sentence.slice(to + 1)}`.replace(STREAM_ERRORS.invalidSubscription, '');
  const words = rest.replaceAll(/^[\s:]+|[\s:]+$/g, '');
  // An unsubscribe that fails decides nothing.
  const body = quoted.method === 'unsubscribe' ? {} : (quoted.subscription ?? quoted);
  return { quoted: body, rest: words === '' ? 'the exchange refused it' : words };
}

/** Returns the identity of a subscription body. The exchange may print it differently than sent, with nulls for absent fields. */
function identityOf(body: unknown): string | undefined {
  if (!isObject(body) || !isRelayedType(body.type)) return undefined;
  const query = readRelayed(body.type, body);
  return 'problem' in query ? undefined : query.identity;
}

function isSnapshot(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'isSnapshot' in data && data.isSnapshot === true;
}
