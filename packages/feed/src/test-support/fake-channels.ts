import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { until } from '@l4desk/testkit';
import { type WebSocket, WebSocketServer } from 'ws';

interface Said {
  readonly method: string;
  readonly subscription?: { readonly type: string; readonly user?: string };
}

/** A scripted public stream of an exchange: acknowledges subscriptions and sends what a test tells it to. */
export class FakeChannels implements AsyncDisposable {
  readonly said: Said[] = [];
  readonly #server: WebSocketServer;
  readonly #sockets = new Set<WebSocket>();
  /** If false, pings get no pong. */
  sendsPongs = true;
  /** If false, accepted subscriptions are not acknowledged. */
  acknowledges = true;
  /** Subscription types that are refused. */
  readonly refuses = new Set<string>();

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('message', (data: Buffer) => this.#onMessage(socket, JSON.parse(data.toString())));
    });
  }

  static async start(port = 0): Promise<FakeChannels> {
    const server = new WebSocketServer({ host: '127.0.0.1', port });
    await once(server, 'listening');
    return new FakeChannels(server);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ws`;
  }

  /** Subscribed and unsubscribed types, in order. */
  get asked(): readonly string[] {
    return this.said.flatMap(({ method, subscription }) =>
      subscription === undefined ? [] : [`${method} ${subscription.type}`],
    );
  }

  async sees(asked: number): Promise<void> {
    await until('the exchange is asked', () => this.asked.length >= asked);
  }

  send(channel: string, data: unknown): void {
    for (const socket of this.#sockets) socket.send(JSON.stringify({ channel, data }));
  }

  /** Terminates every connection without a close frame. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  #onMessage(socket: WebSocket, message: Said): void {
    this.said.push(message);
    if (message.method === 'ping') {
      if (this.sendsPongs) socket.send('{"channel":"pong"}');
      return;
    }
    const refused = this.refuses.has(message.subscription?.type ?? '');
    // As the exchange prints it, which differs from what was sent.
    const printed = JSON.stringify({ extra: null, ...message.subscription });
    if (!refused && !this.acknowledges) return;
    const data = refused
      ? `Invalid subscription ${printed}`
      : { ...message, subscription: { aggregateByTime: null, ...message.subscription } };
    socket.send(JSON.stringify({ channel: refused ? 'error' : 'subscriptionResponse', data }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
