import type { Socket } from 'node:net';
import type { CoinLease, L4Feed } from '@l4desk/feed';
import {
  type ApiError,
  type BookStatus,
  CLOSE_CODES,
  L4_BOOK_STATUS,
  type RelayedQuery,
  type ResumeOutcome,
  STREAM_ERRORS,
} from '@l4desk/protocol';
import type { WebSocket } from 'ws';
import type { CoinUniverse } from '../exchange/universe.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { Channels } from './channels.ts';
import {
  bodyKey,
  checkSubscription,
  readClientMessage,
  type Subscription,
  type SubscriptionBody,
} from './client-message.ts';
import { batchFrame } from './frame.ts';
import type { Hub } from './hub.ts';
import type { Minutes, Payer, Tab } from './minutes.ts';
import { type Fetched, type MissedEntries, NOTHING_FETCHED } from './missed-entries.ts';
import { Peer, type PeerDeps } from './peer.ts';
import type { Replay } from './recent-entries.ts';
import type { RelayedChannels, RelayMember } from './relayed.ts';
import { billedKeys, type CoinsChange, entryForm, isRelayedKey, SubscriptionSet } from './subscription-set.ts';

/** What every connection of the stream shares. */
export interface ConnectionDeps extends PeerDeps {
  readonly feed: L4Feed;
  readonly universe: CoinUniverse;
  readonly hub: Hub;
  readonly missed: MissedEntries;
  readonly channels: Channels;
  /** Null where no stream of the exchange is relayed. */
  readonly relayed: RelayedChannels | null;
  readonly minutes: Minutes;
  /** Takes note of what became of a wish to resume. */
  readonly countResume: (outcome: ResumeOutcome) => void;
  /** The `l4Upstream` message of now. */
  readonly upstreamText: () => string;
}

/** Unreadable messages in a row (a readable one takes one back) after which a client is shown the door (D22). */
const GARBAGE_MAX = 10;

/** Most unsent bytes of entries that a resumed client missed: the next ones wait until it has read these (RES-6). */
const REPLAY_UNSENT_MAX = 1_048_576;

/** Characters of all subscriptions of a connection: they are kept, and cost nothing where their coins are paid for. */
const SUBSCRIPTIONS_LENGTH_MAX = 262_144;

/** One client of the stream: its subscriptions, its limits, and the messages it is sent. */
export class Connection implements RelayMember, Payer {
  readonly principal: Principal;
  readonly deflate: boolean;
  readonly peer: Peer;
  readonly #deps: ConnectionDeps;
  readonly #subscriptions = new SubscriptionSet();
  readonly #leases = new Map<string, CoinLease>();
  /** Coins that were said to be unavailable and have not been live since: it is said once (WS-33). */
  readonly #saidUnavailable = new Set<string>();
  readonly #tab: Tab;
  #garbage = 0;

  /** `deflate` says that one compressed frame may be shared with it: no context is kept and the window is the full one. */
  constructor(ws: WebSocket, socket: Socket, principal: Principal, deflate: boolean, deps: ConnectionDeps) {
    this.principal = principal;
    this.deflate = deflate;
    this.#deps = deps;
    this.#tab = deps.minutes.open(this);
    this.peer = new Peer(ws, socket, principal.accountId, deps, {
      onText: (text) => (text === null ? this.#refuseGarbage('a binary message') : this.#onText(text)),
      onEnd: () => this.#detach(),
    });
  }

  get subscriptionCount(): number {
    return this.#subscriptions.size;
  }

  /** Whether nothing it paid for is running. */
  get isIdle(): boolean {
    return this.#tab.isIdle;
  }

  get wantsUpstream(): boolean {
    return this.#subscriptions.wantsUpstream;
  }

  follows(coin: string): boolean {
    return this.#subscriptions.hasCoin(coin) || this.#subscriptions.relayedBy(coin) !== undefined;
  }

  write(frame: Buffer): boolean {
    return this.peer.write(frame);
  }

  close(code: number, reason: string): void {
    this.peer.close(code, reason);
  }

  isLive(coin: string): boolean {
    // What the exchange has not taken yet may be refused by it, and what is refused costs nothing (CHAN-12).
    const relayed = this.#subscriptions.relayedBy(coin);
    if (isRelayedKey(coin)) return relayed !== undefined && this.#deps.relayed?.isLive(relayed) === true;
    return this.#deps.feed.bookStatus(coin).state === 'live';
  }

  /** The book of a coin, followed here or not, is in another state. */
  onBookStatus(status: BookStatus): void {
    const { coin, state } = status;
    if (!this.#subscriptions.hasCoin(coin)) return;
    if (this.#subscriptions.wantsStatus(coin)) this.#sendStatus(status);
    if (state === 'live') {
      this.#saidUnavailable.delete(coin);
      this.#tab.start([coin]);
    }
    if (state === 'unavailable') this.#sayUnavailable(coin);
  }

  onRelayAccepted(query: RelayedQuery): void {
    this.#tab.start(this.#subscriptions.relayedKeys(query));
  }

  sayRelayProblem({ identity }: RelayedQuery, reason: string, isOver: boolean): void {
    for (const { key, relayed, text } of this.#subscriptions.all) {
      if (relayed?.identity !== identity) continue;
      if (isOver) this.#subscriptions.remove(key);
      this.#refuse({ text }, reason);
    }
  }

  /** Takes the second's `l4Upstream` message. */
  onUpstream(text: string): void {
    if (this.peer.isOpen) this.peer.send(text);
  }

  /** The upstream chain began again: a new connection bootstraps from its new heights. */
  restart(): void {
    this.close(CLOSE_CODES.goingAway, 'the stream restarted at an earlier block');
  }

  /** Gives back everything it holds. */
  #detach(): void {
    this.#tab.close();
    this.#deps.hub.remove(this);
    this.#deps.channels.remove(this);
    this.#deps.relayed?.remove(this);
    for (const lease of this.#leases.values()) lease.release();
    this.#leases.clear();
  }

  #onText(text: string): void {
    const request = readClientMessage(text);
    if (request.kind === 'garbage') {
      this.#refuseGarbage(text);
      return;
    }
    this.#garbage = Math.max(0, this.#garbage - 1);
    switch (request.kind) {
      case 'ping':
        this.peer.send('{"channel":"pong"}');
        return;
      case 'subscribe':
        this.#subscribe(request.body);
        return;
      case 'unsubscribe':
        this.#unsubscribe(request.body);
    }
  }

  #refuseGarbage(text: string): void {
    this.#sendError(`${STREAM_ERRORS.unreadable}${text}`);
    this.#garbage += 1;
    if (this.#garbage >= GARBAGE_MAX) this.close(CLOSE_CODES.policyViolation, 'too many invalid messages');
  }

  /**
   * All or nothing (D23). The first minute of live coins that are not within a paid one is charged between the checks and the
   * acknowledgement (D26); what the client says meanwhile waits.
   */
  #subscribe(body: SubscriptionBody): void {
    const { universe, limits, relayed } = this.#deps;
    const subscription = checkSubscription(body, universe, limits.subscriptionCoinsMax, relayed !== null);
    if ('reason' in subscription) {
      this.#refuse(body, subscription.reason);
      return;
    }
    if (this.#subscriptions.has(subscription.key)) {
      this.#sendError(`${STREAM_ERRORS.alreadySubscribed}${body.text}`);
      return;
    }
    const reason = this.#reasonAgainst(subscription);
    if (reason !== undefined) {
      this.#refuse(body, reason);
      return;
    }
    const fetched = this.#deps.missed.fetch(subscription, this.#subscriptions.effective());
    const isPaid = this.#tab.unpaid(billedKeys(subscription)).length === 0;
    if (fetched === null && isPaid) this.#begin(subscription, body, NOTHING_FETCHED);
    else void this.#beginLater(fetched ?? NOTHING_FETCHED, subscription, body);
  }

  /** Begins when what was missed is here (CL-16), which a book may have to be built for, and what is live then is paid for. */
  async #beginLater(
    fetching: Promise<Fetched> | Fetched,
    subscription: Subscription,
    body: SubscriptionBody,
  ): Promise<void> {
    this.peer.hold();
    const fetched = await fetching;
    const unpaid = this.peer.isOpen ? this.#tab.unpaid(billedKeys(subscription)) : [];
    const refusal = unpaid.length === 0 ? undefined : await this.#tab.pay(unpaid);
    this.peer.release(() => {
      if (this.peer.isOpen && refusal === undefined) this.#begin(subscription, body, fetched);
      else if (this.peer.isOpen && refusal !== undefined) this.#refuse(body, unpaidReason(refusal));
      fetched.release();
    });
  }

  /** Why a subscription that is right in itself cannot be had here, or on this connection; undefined where it can. */
  #reasonAgainst({ channel, coins, relayed, text }: Subscription): string | undefined {
    const { connectionCoinsMax } = this.#deps.limits;
    if (channel?.channel === 'trades' && this.#deps.feed.health().executions !== 'exact')
      return 'the source of this service does not know executions, only what they did to resting orders';
    if (this.#subscriptions.coinsWith(coins) > connectionCoinsMax)
      return `more than ${connectionCoinsMax} distinct coins on one connection`;
    if (this.#subscriptions.length + text.length > SUBSCRIPTIONS_LENGTH_MAX)
      return `more than ${SUBSCRIPTIONS_LENGTH_MAX} characters of subscriptions on one connection`;
    return this.#relayProblem(relayed);
  }

  #relayProblem(relayed: RelayedQuery | undefined): string | undefined {
    return relayed === undefined ? undefined : this.#deps.relayed?.problem(relayed, this.principal.accountId);
  }

  /**
   * The acknowledgement is written before the hub knows of the subscription, so it comes before its first batch (D20), and what
   * a resumed client missed comes between the two, without a block in between (RES-1).
   */
  #begin(subscription: Subscription, body: SubscriptionBody, fetched: Fetched): void {
    // Another may have taken the place while this one was charged.
    const reason = this.#relayProblem(subscription.relayed);
    if (reason !== undefined) {
      this.#refuse(body, reason);
      return;
    }
    const { outcome, replay } = this.#deps.missed.decide(subscription, this.#subscriptions.effective(), fetched);
    if (outcome !== null) this.#deps.countResume(outcome);
    this.#acknowledge('subscribe', body, outcome);
    this.#hold(this.#subscriptions.add(subscription));
    this.#sendMissed(replay, subscription);
  }

  /**
   * Writes what was missed, as fast as it is read (RES-6). With the last entry the subscription joins the hub at once, so that no
   * block falls in between.
   */
  #sendMissed(replay: Replay | null, subscription: Subscription): void {
    if (!this.peer.isOpen) return;
    const form = entryForm(subscription);
    const most = Math.min(REPLAY_UNSENT_MAX, this.#deps.limits.unsentBytesMax / 2);
    for (let block = replay?.next() ?? null; block !== null; block = replay?.next() ?? null) {
      if (block === 'dropped') {
        this.close(CLOSE_CODES.slowConsumer, 'slow consumer');
        return;
      }
      this.write(batchFrame(block, form, this.deflate));
      if (!this.peer.isOpen) return;
      if (this.peer.unsentBytes <= most) continue;
      this.peer.holdUntilDrained(() => this.#sendMissed(replay, subscription));
      return;
    }
    this.#stream(subscription);
  }

  /** The subscription takes effect. A coin whose book is not there yet starts when it is, and is paid for from then on (BILL-22). */
  #stream(subscription: Subscription): void {
    this.#deps.hub.place(this, this.#subscriptions.effective());
    for (const coin of subscription.coins) {
      const status = this.#deps.feed.bookStatus(coin);
      if (subscription.status) this.#sendStatus(status);
      if (status.state !== 'unavailable') continue;
      this.#saidUnavailable.add(coin);
      this.#sendUnavailable(subscription, coin);
    }
    if (subscription.upstream) this.peer.send(this.#deps.upstreamText());
    if (subscription.channel !== undefined) this.#deps.channels.join(this, subscription.channel);
    if (subscription.relayed !== undefined) this.#deps.relayed?.join(this, subscription.relayed);
    this.#tab.start(billedKeys(subscription));
  }

  #unsubscribe(body: SubscriptionBody): void {
    const key = bodyKey(body);
    const left = key === undefined ? undefined : this.#subscriptions.get(key);
    const change = key === undefined ? undefined : this.#subscriptions.remove(key);
    if (change === undefined) {
      this.#sendError(`${STREAM_ERRORS.alreadyUnsubscribed}${body.text}`);
      return;
    }
    if (left?.channel !== undefined) this.#deps.channels.leave(this, left.channel);
    if (left?.relayed !== undefined) this.#deps.relayed?.leave(this, left.relayed);
    this.#deps.hub.place(this, this.#subscriptions.effective());
    this.#hold(change);
    this.#acknowledge('unsubscribe', body);
  }

  #hold({ added, removed }: CoinsChange): void {
    for (const coin of added) this.#leases.set(coin, this.#deps.feed.acquire(coin));
    for (const coin of removed) {
      this.#saidUnavailable.delete(coin);
      this.#leases.get(coin)?.release();
      this.#leases.delete(coin);
    }
  }

  #acknowledge(method: 'subscribe' | 'unsubscribe', body: SubscriptionBody, resume: ResumeOutcome | null = null): void {
    const more = resume === null ? '' : `,"resume":${JSON.stringify(resume)}`;
    this.peer.send(
      `{"channel":"subscriptionResponse","data":{"method":"${method}","subscription":${body.text}${more}}}`,
    );
  }

  #sendStatus(status: BookStatus): void {
    this.peer.send(JSON.stringify({ channel: L4_BOOK_STATUS, data: status }));
  }

  /** The subscriptions stay: the coin is retried, and resumes with a gap. */
  #sayUnavailable(coin: string): void {
    if (this.#saidUnavailable.has(coin)) return;
    this.#saidUnavailable.add(coin);
    for (const subscription of this.#subscriptions.naming(coin)) this.#sendUnavailable(subscription, coin);
  }

  #sendUnavailable({ text }: Subscription, coin: string): void {
    this.#refuse({ text }, `${coin} is not available upstream`);
  }

  #refuse({ text }: Pick<SubscriptionBody, 'text'>, reason: string): void {
    this.#sendError(`${STREAM_ERRORS.invalidSubscription}${text}: ${reason}`);
  }

  #sendError(sentence: string): void {
    this.peer.send(JSON.stringify({ channel: 'error', data: sentence }));
  }
}

/** Why minutes could not be paid, as the reason of a refused subscription; without braces, as every reason (WS-15). */
function unpaidReason(refusal: ApiError): string {
  return refusal.code === 'credits_exhausted'
    ? `credits exhausted: ${refusal.message}`
    : 'credits cannot be charged now, try again shortly';
}
