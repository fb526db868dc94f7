import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Chance, SourceBook } from '@l4desk/testkit';
import { type WebSocket, WebSocketServer } from 'ws';

/** One block's changes to one coin, in wire form. */
interface UpstreamUpdates {
  readonly time: number;
  readonly height: number;
  readonly order_statuses: readonly unknown[];
  readonly book_diffs: readonly unknown[];
}

/** One block of the upstream, not sent yet. */
export interface MadeBlock {
  readonly height: number;
  readonly updates: ReadonlyMap<string, UpstreamUpdates>;
}

interface Peer {
  readonly socket: WebSocket;
  readonly coins: Set<string>;
}

/**
 * A scripted order-level server: the `l4Book` dialect on its own port, with source books as the truth (`SourceBook`), and faults
 * on command.
 */
export class FakeUpstream implements AsyncDisposable {
  readonly #server: WebSocketServer;
  readonly #peers = new Set<Peer>();
  readonly #books = new Map<string, SourceBook>();
  readonly #events = new EventEmitter();
  height: number;
  /** Blocks are not sent any more. */
  mute = false;
  /** Requests get no response. */
  deaf = false;
  /** Responses to subscriptions are held back, each until `release`. */
  slow = false;
  /** Number of pieces in which a snapshot is sent; while held back, each piece is released separately. */
  snapshotPieces = 1;
  readonly #held: (() => void)[] = [];
  sendsPongs = true;
  /** Diffs are sent without `side`. */
  omitsSides = false;
  /** Coins whose subscription is refused, with the error message. */
  readonly refusals = new Map<string, string>();
  /** Coins whose next snapshots are falsified. */
  readonly falsify = new Map<string, (snapshot: Record<string, unknown>) => Record<string, unknown>>();
  /** Every request, as `subscribe BTC`. */
  readonly asked: string[] = [];
  /** Number of WebSocket pings received. */
  pings = 0;
  connectionsOpened = 0;

  private constructor(server: WebSocketServer, coins: readonly string[], chance: Chance, height: number) {
    this.#server = server;
    this.height = height;
    coins.forEach((coin, index) => {
      this.#books.set(coin, new SourceBook(coin, chance, 20, (index + 1) * 1_000_000));
    });
    this.#events.setMaxListeners(0);
    server.on('connection', (socket) => this.#welcome(socket));
  }

  static async start(coins: readonly string[], chance: Chance, height = 985_148_181): Promise<FakeUpstream> {
    const server = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      path: '/ws',
      perMessageDeflate: false,
      autoPong: false,
    });
    await once(server, 'listening');
    return new FakeUpstream(server, coins, chance, height);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ws`;
  }

  /** Number of responses held back. */
  get held(): number {
    return this.#held.length;
  }

  /** Sends the oldest response held back. */
  release(): void {
    const send = this.#held.shift();
    if (send === undefined) throw new RangeError('nothing is held back');
    send();
  }

  get connections(): number {
    return this.#peers.size;
  }

  /** Number of open subscriptions to a coin. */
  subscribers(coin: string): number {
    return [...this.#peers].filter((peer) => peer.coins.has(coin)).length;
  }

  book(coin: string): SourceBook {
    const book = this.#books.get(coin);
    if (book === undefined) throw new RangeError(`no such coin: ${coin}`);
    return book;
  }

  timeOf(height: number): number {
    return 1_778_002_752_000 + (height - 985_148_181) * 67;
  }

  /** Makes a block that changes these coins, without sending it. */
  make(coins: readonly string[] = [...this.#books.keys()]): MadeBlock {
    this.height += 1;
    const { height } = this;
    const time = this.timeOf(height);
    const updates = new Map<string, UpstreamUpdates>();
    for (const coin of coins) {
      const { diffs, statuses } = this.book(coin).block();
      const book_diffs = this.omitsSides ? diffs.map(({ side: _side, ...diff }) => diff) : diffs;
      updates.set(coin, { time, height, order_statuses: statuses, book_diffs });
    }
    return { height, updates };
  }

  /** Sends a made block to the subscribers of its coins. */
  send({ updates }: MadeBlock, coins: readonly string[] = [...updates.keys()]): void {
    for (const coin of coins) this.sendUpdates(coin, updates.get(coin));
  }

  sendUpdates(coin: string, updates: unknown): void {
    this.sendText(coin, JSON.stringify({ channel: 'l4Book', data: { Updates: updates } }));
  }

  /** Sends any text to the subscribers of the coin. */
  sendText(coin: string, text: string): void {
    if (this.mute) return;
    for (const peer of this.#peers) if (peer.coins.has(coin)) peer.socket.send(text);
  }

  /** Makes a block and sends it. */
  step(coins?: readonly string[]): MadeBlock {
    const block = this.make(coins);
    this.send(block);
    return block;
  }

  /** Terminates every connection. */
  cut(): void {
    for (const { socket } of this.#peers) socket.terminate();
    this.#peers.clear();
  }

  /** Waits until an event at the upstream makes `read` return something. */
  async sees<T>(read: () => T | undefined | false): Promise<T> {
    for (;;) {
      const value = read();
      if (value !== undefined && value !== false) return value;
      await once(this.#events, 'change');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #welcome(socket: WebSocket): void {
    this.connectionsOpened += 1;
    const peer: Peer = { socket, coins: new Set() };
    this.#peers.add(peer);
    socket.on('error', () => socket.terminate());
    socket.on('ping', (data: Buffer) => {
      this.pings += 1;
      if (this.sendsPongs) socket.pong(data);
      this.#events.emit('change');
    });
    socket.on('close', () => {
      this.#peers.delete(peer);
      this.#events.emit('change');
    });
    socket.on('message', (data: Buffer) => {
      this.#respond(peer, data.toString());
      this.#events.emit('change');
    });
    this.#events.emit('change');
  }

  #respond(peer: Peer, text: string): void {
    const message = JSON.parse(text) as { method: string; subscription: { coin: string } };
    const { method, subscription } = message;
    const { coin } = subscription;
    this.asked.push(`${method} ${coin}`);
    if (this.deaf) return;
    const refusal = this.refusals.get(coin);
    if (method === 'subscribe' && refusal !== undefined) {
      peer.socket.send(JSON.stringify({ channel: 'error', data: refusal }));
      return;
    }
    const acknowledge = () => peer.socket.send(JSON.stringify({ channel: 'subscriptionResponse', data: message }));
    if (method === 'unsubscribe') {
      acknowledge();
      peer.coins.delete(coin);
      return;
    }
    const [first, ...others] = this.#snapshotSenders(peer, coin);
    this.#hold(() => {
      acknowledge();
      peer.coins.add(coin);
      first?.();
    });
    for (const send of others) this.#hold(send);
  }

  #hold(send: () => void): void {
    if (this.slow) this.#held.push(send);
    else send();
  }

  /** Functions that each send one piece of the snapshot, which is taken when the first is sent. */
  #snapshotSenders(peer: Peer, coin: string): (() => void)[] {
    const count = this.snapshotPieces;
    let text = '';
    return Array.from({ length: count }, (_, index) => () => {
      if (index === 0) text = JSON.stringify({ channel: 'l4Book', data: { Snapshot: this.#snapshot(coin) } });
      const piece = (at: number) => Math.floor((text.length * at) / count);
      peer.socket.send(text.slice(piece(index), piece(index + 1)), { fin: index === count - 1 });
    });
  }

  #snapshot(coin: string): Record<string, unknown> {
    const { height } = this;
    const snapshot = { coin, time: this.timeOf(height), height, levels: this.book(coin).levels() };
    return this.falsify.get(coin)?.(snapshot) ?? snapshot;
  }
}
