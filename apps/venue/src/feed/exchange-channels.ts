import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Address, coinName, isAddress, parsedJson, z } from '@l4desk/protocol';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { Exchange } from '../info/exchange.ts';
import { contextOf } from '../info/metaAndAssetCtxs.ts';

const user = z
  .string()
  .transform((text) => text.toLowerCase())
  .refine(isAddress);

const subscription = z.discriminatedUnion('type', [
  z.object({ type: z.literal('activeAssetCtx'), coin: coinName }),
  z.object({ type: z.literal('openOrders'), user, dex: z.string().default('') }),
  z.object({ type: z.literal('orderUpdates'), user }),
  z.object({ type: z.literal('userHistoricalOrders'), user }),
]);

const clientMessage = z.discriminatedUnion('method', [
  z.object({ method: z.literal('ping') }),
  z.object({ method: z.enum(['subscribe', 'unsubscribe']), subscription: z.looseObject({ type: z.string() }) }),
]);

type Subscription = z.infer<typeof subscription>;

/** What one subscription has been sent. */
interface Sent {
  readonly wanted: Subscription;
  /** `last`: the last state sent, as text. `until`: the time up to which events were sent, ms. */
  last: string;
  until: number;
}

interface Client {
  readonly socket: WebSocket;
  /** Keyed by the subscription's JSON text. */
  readonly subscriptions: Map<string, Sent>;
}

/**
 * Some channels of the exchange's public stream: states (`activeAssetCtx`, `openOrders`), a snapshot followed
 * by events (`userHistoricalOrders`), and events (`orderUpdates`). Each is sent after every block in which it changes.
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
  publish(): void {
    if (this.#faults.isSilent) return;
    for (const client of this.#clients) for (const sent of client.subscriptions.values()) this.#tell(client, sent);
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
    if (message === undefined) {
      send(client, 'error', `Error parsing JSON into valid websocket request: ${text}`);
      return;
    }
    if (message.method === 'ping') {
      client.socket.send('{"channel":"pong"}');
      return;
    }
    const body = JSON.stringify(message.subscription);
    const wanted = subscription.safeParse(message.subscription).data;
    const isKnown = wanted !== undefined && (wanted.type !== 'activeAssetCtx' || this.#isPerp(wanted.coin));
    const isHeld = client.subscriptions.has(body);
    if (!isKnown) send(client, 'error', `Invalid subscription ${body}`);
    else if (isHeld === (message.method === 'subscribe')) {
      send(client, 'error', `Already ${message.method}d: ${body}`);
    } else {
      send(client, 'subscriptionResponse', message);
      if (message.method === 'unsubscribe') client.subscriptions.delete(body);
      else this.#begin(client, body, wanted);
    }
  }

  #begin(client: Client, body: string, wanted: Subscription): void {
    const sent: Sent = { wanted, last: '', until: this.#exchange.time };
    client.subscriptions.set(body, sent);
    if (wanted.type === 'userHistoricalOrders') {
      const orderHistory = this.#exchange.history(wanted.user);
      send(client, wanted.type, { isSnapshot: true, user: wanted.user, orderHistory });
    } else this.#tell(client, sent);
  }

  #tell(client: Client, sent: Sent): void {
    const { wanted } = sent;
    if (wanted.type === 'activeAssetCtx' || wanted.type === 'openOrders') {
      const data =
        wanted.type === 'openOrders'
          ? { dex: wanted.dex, user: wanted.user, orders: this.#exchange.openOrders(wanted.user) }
          : { coin: wanted.coin, ctx: contextOf(this.#exchange, wanted.coin) };
      const text = JSON.stringify({ channel: wanted.type, data });
      if (text !== sent.last) client.socket.send(text);
      sent.last = text;
      return;
    }
    const news = this.#since(wanted.user, sent.until);
    sent.until = this.#exchange.time;
    if (news.length === 0) return;
    if (wanted.type === 'userHistoricalOrders') send(client, wanted.type, { user: wanted.user, orderHistory: news });
    else send(client, wanted.type, news.map(orderUpdate));
  }

  /** Status changes of a wallet's orders after `time`, oldest first. */
  #since(of: Address, time: number) {
    const history = this.#exchange.history(of);
    return history.filter(({ statusTimestamp }) => (statusTimestamp ?? 0) > time).toReversed();
  }

  #isPerp(coin: string): boolean {
    return this.#exchange.coins.some(({ name }) => name === coin);
  }
}

function orderUpdate({ order, status, statusTimestamp }: ReturnType<Exchange['history']>[number]) {
  const { coin, side, limitPx, sz, oid, timestamp, origSz, cloid } = order;
  const known = { coin, side, limitPx, sz, oid, timestamp, origSz };
  return { order: cloid === null ? known : { ...known, cloid }, status, statusTimestamp };
}

function send({ socket }: Client, channel: string, data: unknown): void {
  socket.send(JSON.stringify({ channel, data }));
}
