import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { parsedJson, z } from '@l4desk/protocol';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { midsOf } from '../info/allMids.ts';
import { CaptureExchange } from '../info/capture-exchange.ts';
import type { Exchange } from '../info/exchange.ts';
import { coin, dex, user } from '../info/fields.ts';
import { contextOf } from '../info/metaAndAssetCtxs.ts';
import { NO_HASH } from '../info/user-fill.ts';
import type { SourceBlock, WireFill } from './source.ts';

const subscription = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['activeAssetCtx', 'trades']), coin }),
  z.object({ type: z.literal('allMids'), dex }),
  z.object({ type: z.literal('openOrders'), user, dex }),
  z.object({ type: z.enum(['orderUpdates', 'userFills', 'userHistoricalOrders']), user }),
]);

const clientMessage = z.discriminatedUnion('method', [
  z.object({ method: z.literal('ping') }),
  z.object({ method: z.enum(['subscribe', 'unsubscribe']), subscription: z.looseObject({ type: z.string() }) }),
]);

type Subscription = z.infer<typeof subscription>;

/** What one subscription has been sent. */
interface Sent {
  readonly wanted: Subscription;
  /** `last`: the last state sent, as text. `until`: the time up to which events were sent, ms; 0 for none. */
  last: string;
  until: number;
}

interface Client {
  readonly socket: WebSocket;
  /** Keyed by the subscription's JSON text. */
  readonly subscriptions: Map<string, Sent>;
}

/**
 * Some channels of the exchange's public stream: states, events, and snapshots followed by events. Each is sent after every
 * block in which it changes.
 */
export class ExchangeChannels {
  readonly #exchange: Exchange;
  readonly #faults: FaultPlan;
  readonly #clients = new Set<Client>();
  readonly #server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 65_536 });

  constructor(exchange: Exchange, faults: FaultPlan) {
    this.#exchange = exchange;
    this.#faults = faults;
  }

  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    if (this.#faults.refusesConnections) connection.destroy();
    else this.#server.handleUpgrade(request, connection, head, (socket) => this.#welcome(socket));
  }

  /** Called after each block: sends what changed. */
  publish(block: SourceBlock): void {
    if (this.#faults.isSilent) return;
    for (const client of this.#clients)
      for (const sent of client.subscriptions.values()) this.#publishTo(client, sent, block);
  }

  /** Breaks every connection without a closing handshake. */
  cut(): void {
    for (const { socket } of this.#clients) socket.terminate();
    this.#clients.clear();
  }

  #welcome(socket: WebSocket): void {
    const client: Client = { socket, subscriptions: new Map() };
    this.#clients.add(client);
    socket.on('message', (data: RawData, isBinary) => {
      if (!isBinary && !this.#faults.isSilent && Buffer.isBuffer(data)) this.#receive(client, data.toString());
    });
    socket.on('close', () => this.#clients.delete(client));
    socket.on('error', () => socket.terminate());
  }

  #receive(client: Client, text: string): void {
    const message = clientMessage.safeParse(parsedJson(text)).data;
    if (message === undefined) return send(client, 'error', `Error parsing JSON into valid websocket request: ${text}`);
    if (message.method === 'ping') return client.socket.send('{"channel":"pong"}');
    const body = JSON.stringify(message.subscription);
    const wanted = subscription.safeParse(message.subscription).data;
    const isHeld = client.subscriptions.has(body);
    if (wanted === undefined || !this.#exists(wanted)) send(client, 'error', `Invalid subscription ${body}`);
    else if (isHeld === (message.method === 'subscribe')) {
      send(client, 'error', `Already ${message.method}d: ${body}`);
    } else {
      send(client, 'subscriptionResponse', message);
      if (message.method === 'unsubscribe') client.subscriptions.delete(body);
      else this.#begin(client, body, wanted);
    }
  }

  #begin(client: Client, body: string, wanted: Subscription): void {
    const sent: Sent = { wanted, last: '', until: wanted.type === 'orderUpdates' ? this.#exchange.time : 0 };
    client.subscriptions.set(body, sent);
    this.#publishTo(client, sent, null);
  }

  #publishTo({ socket }: Client, sent: Sent, block: SourceBlock | null): void {
    const { wanted } = sent;
    const data = this.#dataOf(wanted, sent.until, block);
    sent.until = this.#exchange.time;
    const text = JSON.stringify({ channel: wanted.type, data });
    if (data !== undefined && text !== sent.last) socket.send(text);
    sent.last = text;
  }

  /** The state of a channel, or its events after `until`; undefined for none. */
  #dataOf(wanted: Subscription, until: number, block: SourceBlock | null): unknown {
    const exchange = this.#exchange;
    switch (wanted.type) {
      case 'activeAssetCtx':
        return { coin: wanted.coin, ctx: contextOf(exchange, wanted.coin) };
      case 'allMids':
        return { ...(wanted.dex === '' ? {} : { dex: wanted.dex }), mids: midsOf(exchange, wanted.dex) };
      case 'openOrders':
        return { dex: wanted.dex, user: wanted.user, orders: exchange.openOrders(wanted.user) };
      case 'trades':
        return orNothing(block?.coin(wanted.coin)?.fills?.map(tradeOf) ?? []);
      default: {
        const { type, user: of } = wanted;
        const history = () => exchange.history(of).filter(({ statusTimestamp }) => (statusTimestamp ?? 0) > until);
        if (type === 'orderUpdates') return orNothing(history().toReversed().map(orderUpdate));
        const events = type === 'userFills' ? exchange.fills(of).filter(({ time }) => time > until) : history();
        const name = type === 'userFills' ? 'fills' : 'orderHistory';
        if (until === 0) return { isSnapshot: true, user: of, [name]: events };
        return events.length === 0 ? undefined : { user: of, [name]: events.toReversed() };
      }
    }
  }

  #exists(wanted: Subscription): boolean {
    // A capture has no executions.
    if (wanted.type === 'trades' && this.#exchange instanceof CaptureExchange) return false;
    if ('coin' in wanted) return this.#exchange.coins.some(({ name }) => name === wanted.coin);
    return wanted.type !== 'allMids' || midsOf(this.#exchange, wanted.dex) !== undefined;
  }
}

function orNothing<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function tradeOf({ coin: of, px, sz, time, tid, taker, maker }: WireFill) {
  const users = taker.side === 'B' ? [taker.user, maker.user] : [maker.user, taker.user];
  return { coin: of, side: taker.side, px, sz, hash: NO_HASH, time, tid, users };
}

function orderUpdate({ order, status, statusTimestamp }: ReturnType<Exchange['history']>[number]) {
  const { coin, side, limitPx, sz, oid, timestamp, origSz, cloid } = order;
  const known = { coin, side, limitPx, sz, oid, timestamp, origSz };
  return { order: cloid === null ? known : { ...known, cloid }, status, statusTimestamp };
}

function send({ socket }: Client, channel: string, data: unknown): void {
  socket.send(JSON.stringify({ channel, data }));
}
