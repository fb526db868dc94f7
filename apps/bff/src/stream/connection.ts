import type { Socket } from 'node:net';
import type { L4Feed } from '@l4desk/feed';
import {
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
import { readClientMessage, type SubscriptionBody } from './client-message.ts';
import { batchFrame, entryForm } from './frame.ts';
import type { Hub } from './hub.ts';
import type { Replay } from './kept-entries.ts';
import { type BilledConnection, Minutes, type MinutesDeps } from './minutes.ts';
import { Peer, type PeerDeps } from './peer.ts';
import { type PostDeps, Posts } from './posts.ts';
import type { RelayedChannels, RelayMember } from './relayed.ts';
import { type Fetched, NOTHING_FETCHED, type Resume } from './resume.ts';
import { bodyKey, channelProblem, checkSubscription, type Subscription, unpaidReason } from './subscription.ts';
import { billedKeys, isRelayedKey, relayedKey, SubscriptionSet } from './subscription-set.ts';

/** Dependencies shared by all connections of the stream. */
export interface ConnectionDeps extends PeerDeps, PostDeps, MinutesDeps {
  readonly feed: L4Feed;
  readonly universe: CoinUniverse;
  readonly hub: Hub;
  readonly resume: Resume;
  readonly channels: Channels;
  readonly relayed: RelayedChannels | null;
  readonly upstreamText: () => string;
}

/** Unreadable messages after which a client is disconnected (D22). Each readable message lowers the count by one. */
const GARBAGE_MAX = 10;

/** Maximum unsent bytes of replayed entries. Further entries wait until the client has read these. */
const REPLAY_UNSENT_MAX = 1_048_576;

/** One client of the stream: its subscriptions, its limits and the messages sent to it. */
export class Connection implements RelayMember, BilledConnection {
  readonly principal: Principal;
  readonly peer: Peer;
  readonly subscriptions: SubscriptionSet;
  readonly minutes: Minutes;
  readonly #deps: ConnectionDeps;
  /** Relayed subscriptions, by their key, that the exchange has not accepted yet and that are not acknowledged (CHAN-16). */
  readonly #undecided = new Map<string, SubscriptionBody>();
  readonly #posts: Posts;
  #garbage = 0;

  /** `deflate`: shared compressed frames may be sent to it, because it uses no context takeover and the full window. */
  constructor(ws: WebSocket, socket: Socket, principal: Principal, deflate: boolean, deps: ConnectionDeps) {
    this.principal = principal;
    this.#deps = deps;
    this.subscriptions = new SubscriptionSet((coin, statuses) => deps.resume.acquire(coin, { statuses, deflate }));
    this.minutes = new Minutes(this, deps);
    this.peer = new Peer(ws, socket, deflate, deps, {
      onText: (text) => (text === null ? this.#refuseGarbage('a binary message') : this.#onText(text)),
      onEnd: () => this.#detach(),
    });
    this.#posts = new Posts(principal, this.peer, deps);
  }

  follows(coin: string): boolean {
    return this.subscriptions.hasCoin(coin) || this.subscriptions.relayedBy(coin) !== undefined;
  }

  close(code: number, reason: string): void {
    this.peer.close(code, reason);
  }

  stateOf(coin: string): 'live' | 'expected' | 'unavailable' {
    // Not live until the exchange has accepted it: the exchange may refuse it, and a refused one costs nothing.
    const relayed = this.subscriptions.relayedBy(coin);
    if (isRelayedKey(coin))
      return relayed !== undefined && this.#deps.relayed?.isLive(relayed) === true ? 'live' : 'expected';
    const { state } = this.#deps.feed.bookStatus(coin);
    return state === 'live' || state === 'unavailable' ? state : 'expected';
  }

  /** Called when the book state of any coin changes, followed by this connection or not. */
  onBookStatus(status: BookStatus): void {
    const { coin, state } = status;
    if (!this.subscriptions.hasCoin(coin)) return;
    if (this.subscriptions.wantsStatus(coin)) this.#sendStatus(status);
    if (state === 'live') {
      this.subscriptions.live(coin);
      this.minutes.start([coin]);
    }
    if (state === 'unavailable') {
      for (const subscription of this.subscriptions.unavailable(coin)) this.#sendUnavailable(subscription, coin);
      this.minutes.giveBack();
    }
  }

  onRelayAccepted(query: RelayedQuery): void {
    for (const { key, relayed } of this.subscriptions.all) {
      const body = this.#undecided.get(key);
      if (body === undefined || relayed?.identity !== query.identity) continue;
      this.#undecided.delete(key);
      this.#acknowledge('subscribe', body);
    }
    this.minutes.start([relayedKey(query)]);
  }

  reportRelayProblem({ identity }: RelayedQuery, reason: string, isOver: boolean): void {
    for (const { key, relayed, text } of this.subscriptions.all) {
      if (relayed?.identity !== identity) continue;
      // What has not begun was not interrupted.
      if (!isOver && this.#undecided.has(key)) continue;
      if (isOver) this.#forget(key);
      this.#refuse({ text }, reason);
    }
    this.minutes.giveBack();
  }

  #detach(): void {
    this.#posts.close();
    this.minutes.close();
    this.#deps.hub.remove(this.peer);
    this.#deps.channels.remove(this.peer);
    this.#deps.relayed?.remove(this);
    this.subscriptions.close();
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
      case 'post':
        void this.#posts.serve(request);
        return;
      case 'post-without-id':
        // As the exchange responds to it.
        this.#sendError(`${STREAM_ERRORS.unreadable}${text}`);
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

  /** Handles a subscribe, all or nothing (D23). Messages wait while the first minute of live coins is charged (D26). */
  #subscribe(body: SubscriptionBody): void {
    const { universe, limits, relayed, feed } = this.#deps;
    const relaying = relayed && {
      trades: () => feed.health().executions !== 'exact',
      isConnected: () => relayed.isConnected,
    };
    const subscription = checkSubscription(body, universe, limits.subscriptionCoinsMax, relaying);
    if ('reason' in subscription) {
      this.#refuse(body, subscription.reason);
      return;
    }
    if (this.subscriptions.has(subscription.key)) {
      this.#sendError(`${STREAM_ERRORS.alreadySubscribed}${body.text}`);
      return;
    }
    const reason = this.#reasonAgainst(subscription);
    if (reason !== undefined) {
      this.#refuse(body, reason);
      return;
    }
    const fetched = this.#deps.resume.fetch(subscription, this.subscriptions.effective());
    const isPaid = this.minutes.unpaid(billedKeys(subscription)).length === 0;
    if (fetched === null && isPaid) this.#begin(subscription, body, NOTHING_FETCHED);
    else void this.#beginLater(fetched ?? NOTHING_FETCHED, subscription, body);
  }

  /** Begins once missed entries are fetched, which may require building a book first, and live coins are paid for. */
  async #beginLater(
    fetching: Promise<Fetched> | Fetched,
    subscription: Subscription,
    body: SubscriptionBody,
  ): Promise<void> {
    this.peer.pause();
    const fetched = await fetching;
    const unpaid = this.peer.isOpen ? this.minutes.unpaid(billedKeys(subscription)) : [];
    const refusal = unpaid.length === 0 ? undefined : await this.minutes.pay(unpaid);
    this.peer.resume(() => {
      if (this.peer.isOpen && refusal === undefined) this.#begin(subscription, body, fetched);
      else if (this.peer.isOpen && refusal !== undefined) this.#refuse(body, unpaidReason(refusal));
      fetched.release();
    });
  }

  /** Why a valid subscription is not possible on this service or this connection; undefined if it is. */
  #reasonAgainst(subscription: Subscription): string | undefined {
    const { feed, limits } = this.#deps;
    return (
      channelProblem(subscription.channel, () => feed.health()) ??
      this.subscriptions.problem(subscription, limits.connectionCoinsMax) ??
      this.#relayProblem(subscription.relayed)
    );
  }

  #relayProblem(relayed: RelayedQuery | undefined): string | undefined {
    return relayed === undefined ? undefined : this.#deps.relayed?.problem(relayed, this.principal.accountId);
  }

  /** Acknowledges a subscription (CHAN-16), sends the missed entries and joins the hub, in this order (D20). */
  #begin(subscription: Subscription, body: SubscriptionBody, fetched: Fetched): void {
    // Another subscription may have used up the relay's limit while this one was charged.
    const reason = this.#relayProblem(subscription.relayed);
    if (reason !== undefined) {
      this.minutes.giveBack();
      this.#refuse(body, reason);
      return;
    }
    const { outcome, replay } = this.#deps.resume.decide(subscription, this.subscriptions.effective(), fetched);
    const { relayed } = subscription;
    if (relayed === undefined || this.#deps.relayed?.isLive(relayed) === true)
      this.#acknowledge('subscribe', body, outcome);
    else this.#undecided.set(subscription.key, body);
    this.subscriptions.add(subscription);
    // If the stream restarts during the replay, the heights of its blocks do not rise any further (L4-12).
    if (replay !== null) this.#deps.hub.admit(this.peer);
    this.#sendMissed(replay, subscription);
  }

  /** Writes missed entries as fast as the client reads them, and then joins the hub synchronously: no block is lost. */
  #sendMissed(replay: Replay | null, subscription: Subscription): void {
    if (!this.peer.isOpen) return;
    const form = entryForm(subscription);
    const unsentMax = Math.min(REPLAY_UNSENT_MAX, this.#deps.limits.unsentBytesMax / 2);
    for (let block = replay?.() ?? null; block !== null; block = replay?.() ?? null) {
      if (block === 'dropped') {
        this.close(CLOSE_CODES.slowConsumer, 'slow consumer');
        return;
      }
      this.peer.write(batchFrame(block, form, this.peer.deflate));
      if (!this.peer.isOpen) return;
      if (this.peer.unsentBytes <= unsentMax) continue;
      this.peer.pauseUntilSent(() => this.#sendMissed(replay, subscription));
      return;
    }
    this.#stream(subscription);
  }

  /** Activates the subscription. A coin whose book is not live yet starts, and is charged, from when it is (BILL-22). */
  #stream(subscription: Subscription): void {
    this.#deps.hub.assign(this.peer, this.subscriptions.effective());
    for (const coin of subscription.coins) {
      const status = this.#deps.feed.bookStatus(coin);
      if (subscription.status) this.#sendStatus(status);
      if (status.state !== 'unavailable') continue;
      this.subscriptions.unavailable(coin);
      this.#sendUnavailable(subscription, coin);
    }
    if (subscription.upstream) this.peer.send(this.#deps.upstreamText());
    if (subscription.channel !== undefined) this.#deps.channels.join(this.peer, subscription.channel);
    if (subscription.relayed !== undefined) this.#deps.relayed?.join(this, subscription.relayed);
    this.minutes.start(billedKeys(subscription));
  }

  #unsubscribe(body: SubscriptionBody): void {
    const key = bodyKey(body);
    const left = key === undefined ? undefined : this.#forget(key);
    if (left === undefined) {
      this.#sendError(`${STREAM_ERRORS.alreadyUnsubscribed}${body.text}`);
      return;
    }
    const { channel, relayed } = left;
    if (channel !== undefined && !this.subscriptions.all.some((one) => one.channelKey === left.channelKey))
      this.#deps.channels.leave(this.peer, channel);
    if (relayed !== undefined && !this.follows(relayedKey(relayed))) this.#deps.relayed?.leave(this, relayed);
    this.#deps.hub.assign(this.peer, this.subscriptions.effective());
    this.minutes.giveBack();
    this.#acknowledge('unsubscribe', body);
  }

  #forget(key: string): Subscription | undefined {
    this.#undecided.delete(key);
    return this.subscriptions.remove(key);
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

  /** Reports a coin as unavailable. Its subscription stays: the coin is retried, and continues with a gap. */
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
