import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { Packet } from '../faults/packet.ts';
import { type ConnectionOutput, ConnectionTurns, OTHER_MESSAGES } from './connection-turns.ts';
import {
  type ClientMessage,
  type CoinMessage,
  type EncodeOptions,
  encodeAcknowledgement,
  encodeError,
  encodeSnapshot,
  encodeUpdates,
  readClientMessage,
} from './messages.ts';
import { SnapshotLock } from './snapshot-lock.ts';
import type { BlockSource, SourceBlock } from './source.ts';

/** Maximum size of a client's frame, in bytes; a larger one closes the connection. */
const CLIENT_FRAME_MAX = 1_048_576;

export interface FeedSettings extends EncodeOptions {
  /** A client with more unsent bytes than this is disconnected. */
  readonly maxUnsentBytes: number;
  /** Duration of a snapshot in ms, during which nothing is sent to any client. 0: everything is sent at once. */
  readonly snapshotMs: number;
}

interface Client {
  readonly socket: WebSocket;
  /** The stream that the socket writes to. */
  readonly connection: Duplex;
  /** Subscribed coins in order of subscription. */
  readonly coins: Set<string>;
  /** Null if snapshots take no time: nothing is queued then. */
  readonly turns: ConnectionTurns | null;
}

export interface FeedCounts {
  readonly messages: number;
  readonly bytes: number;
  readonly snapshots: number;
  readonly laggardsDropped: number;
}

/**
 * The `l4Book` stream as the open-source order-level server speaks it: a snapshot on subscribing, then one
 * message per coin and block, with the messages of a block sent together. It does not support `ping` messages and drops
 * clients that lag. If snapshots take time, each connection has a queue and processes requests and messages in turn, like
 * that server.
 */
export class L4BookFeed {
  readonly #source: BlockSource;
  readonly #settings: FeedSettings;
  readonly #faults: FaultPlan;
  readonly #listedCoins: ReadonlySet<string>;
  readonly #clients = new Set<Client>();
  readonly #server: WebSocketServer;
  readonly #lock: SnapshotLock | null;
  /** Requests that arrived while the feed was silent. */
  #heldBack: (() => void)[] = [];
  /** Snapshots made since the last block, shared by all clients that subscribe before the next one. */
  readonly #snapshots = new Map<string, Buffer>();
  readonly #texts = new WeakMap<CoinMessage, Buffer>();
  #messagesSent = 0;
  #bytesSent = 0;
  #snapshotsMade = 0;
  #laggardsDropped = 0;

  constructor(source: BlockSource, settings: FeedSettings, faults: FaultPlan) {
    this.#source = source;
    this.#settings = settings;
    this.#faults = faults;
    this.#lock = settings.snapshotMs > 0 ? new SnapshotLock(settings.snapshotMs) : null;
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: CLIENT_FRAME_MAX,
      perMessageDeflate: false,
      // A connection that waits for its turn does not respond to pings either.
      autoPong: this.#lock === null,
    });
    this.#listedCoins = new Set(source.coins.map((coin) => coin.name));
  }

  get counts(): FeedCounts {
    return {
      messages: this.#messagesSent,
      bytes: this.#bytesSent,
      snapshots: this.#snapshotsMade,
      laggardsDropped: this.#laggardsDropped,
    };
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  /** Subscribed coins and the number of clients of each. */
  get subscriptions(): ReadonlyMap<string, number> {
    const followers = new Map<string, number>();
    for (const { coins } of this.#clients) {
      for (const coin of coins) followers.set(coin, (followers.get(coin) ?? 0) + 1);
    }
    return followers;
  }

  /** The largest number of unsent bytes of any client. */
  get unsentBytes(): number {
    return Math.max(0, ...Array.from(this.#clients, ({ socket }) => socket.bufferedAmount));
  }

  /** The largest number of queued messages of any client. */
  get queuedMessages(): number {
    return Math.max(0, ...Array.from(this.#clients, ({ turns }) => turns?.queuedMessages ?? 0));
  }

  /** Takes over an HTTP connection that requests a WebSocket upgrade. */
  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    if (this.#faults.refusesConnections) {
      connection.destroy();
      return;
    }
    this.#server.handleUpgrade(request, connection, head, (socket) => this.#welcome(socket, connection));
  }

  /** Sends a block to every client subscribed to one of its coins. */
  publish(block: SourceBlock): void {
    this.#snapshots.clear();
    for (const { turns } of this.#clients) for (let other = 0; other < OTHER_MESSAGES; other += 1) turns?.queue(null);
    const messages = new Map<string, CoinMessage>();
    for (const coin of this.subscriptions.keys()) {
      const part = block.coin(coin);
      if (part !== null) messages.set(coin, { coin, height: block.height, time: block.time, ...part });
    }
    if (messages.size === 0) return;
    for (const packet of this.#faults.pass(new Packet(messages))) this.send(packet);
  }

  /** Sends the messages of a packet, those of each client together. */
  send(packet: Packet): void {
    if (this.#faults.isSilent) return;
    for (const client of this.#clients) {
      if (client.turns !== null) client.turns.queue(packet);
      else this.#writeTogether(client, packet, (text) => this.#write(client, text));
    }
  }

  /** Resolves once the client's socket has taken its part of the packet. */
  async #deliver(client: Client, packet: Packet): Promise<void> {
    const taken: Promise<void>[] = [];
    this.#writeTogether(client, packet, (text) =>
      taken.push(new Promise<void>((resolve) => this.#write(client, text, resolve))),
    );
    await Promise.all(taken);
  }

  /** Writes a client's part of a packet in one piece, so that the messages of a block arrive together even on a busy machine. */
  #writeTogether(client: Client, packet: Packet, write: (text: Buffer) => void): void {
    // Encode all messages before the first one is written.
    const texts = [...this.#textsFor(client, packet)];
    client.connection.cork();
    for (const text of texts) write(text);
    client.connection.uncork();
    this.#dropIfLagging(client);
  }

  /** The messages of a packet for one client; each message is encoded once for all clients. */
  *#textsFor(client: Client, packet: Packet): Generator<Buffer> {
    for (const coin of client.coins) {
      const message = packet.messages.get(coin);
      if (message === undefined) continue;
      let text = this.#texts.get(message);
      if (text === undefined) {
        text = encodeUpdates(message, this.#settings);
        this.#texts.set(message, text);
      }
      yield text;
    }
  }

  /** Handles the requests that arrived while the feed was silent. */
  endSilence(): void {
    const heldBack = this.#heldBack;
    this.#heldBack = [];
    for (const respond of heldBack) respond();
  }

  /** Disconnects clients with more unsent bytes than `bytes`. */
  dropLaggards(bytes: number): void {
    for (const client of this.#clients) if (client.socket.bufferedAmount > bytes) this.#dropLaggard(client);
  }

  /** Breaks every connection without a closing handshake, as a crashing server does. */
  cut(): void {
    for (const { socket, turns } of this.#clients) {
      turns?.close();
      socket.terminate();
    }
    this.#clients.clear();
    this.#heldBack = [];
  }

  #welcome(socket: WebSocket, connection: Duplex): void {
    const output: ConnectionOutput = {
      deliver: (packet) => this.#deliver(client, packet),
      overflow: () => this.#dropLaggard(client),
    };
    const turns = this.#lock === null ? null : new ConnectionTurns(this.#lock, output);
    const client: Client = { socket, connection, coins: new Set(), turns };
    this.#clients.add(client);
    const take = (text: string) => {
      if (turns === null) void this.#respond(client, text);
      else turns.request(() => this.#respond(client, text));
    };
    socket.on('message', (data, isBinary) => {
      // The server reads text frames only.
      if (isBinary) return;
      const text = textOf(data);
      if (this.#faults.isSilent) this.#heldBack.push(() => take(text));
      else take(text);
    });
    if (turns !== null) {
      socket.on('ping', (data: Buffer) => turns.request(async () => socket.pong(data)));
    }
    socket.on('close', () => {
      turns?.close();
      this.#clients.delete(client);
    });
    // A broken connection ends with 'close'; the error itself needs no report.
    socket.on('error', () => socket.terminate());
  }

  async #respond(client: Client, text: string): Promise<void> {
    if (!this.#clients.has(client)) return;
    const message = readClientMessage(text);
    if (message === null) {
      this.#write(client, encodeError(`Error parsing JSON into valid websocket request: ${text}`));
      return;
    }
    const refusal = this.#refusal(client, message);
    if (refusal !== null) {
      this.#write(client, encodeError(refusal));
      return;
    }
    const { coin } = message.subscription;
    if (message.method === 'unsubscribe') {
      client.coins.delete(coin);
      this.#write(client, encodeAcknowledgement(message));
      return;
    }
    client.coins.add(coin);
    const copy = () => this.#snapshot(coin);
    const snapshot = this.#lock === null ? copy() : await this.#lock.hold(copy);
    this.#write(client, encodeAcknowledgement(message));
    this.#write(client, snapshot);
  }

  #refusal(client: Client, { method, subscription }: ClientMessage): string | null {
    const body = JSON.stringify(subscription);
    if (!this.#listedCoins.has(subscription.coin)) return `Invalid subscription: ${body}`;
    const isSubscribed = client.coins.has(subscription.coin);
    if (method === 'subscribe') return isSubscribed ? `Already subscribed: ${body}` : null;
    return isSubscribed ? null : `Already unsubscribed: ${body}`;
  }

  #snapshot(coin: string): Buffer {
    const known = this.#snapshots.get(coin);
    if (known !== undefined) return known;
    const levels = this.#source.book(coin);
    if (levels === null) throw new Error(`no book of ${coin}`);
    const { height, time } = this.#source;
    const text = encodeSnapshot({ coin, time, height, levels }, this.#settings);
    this.#snapshots.set(coin, text);
    this.#snapshotsMade += 1;
    return text;
  }

  #write(client: Client, text: Buffer, onTaken?: () => void): void {
    const { socket } = client;
    if (socket.readyState !== socket.OPEN) {
      onTaken?.();
      return;
    }
    socket.send(text, { binary: false }, onTaken);
    this.#messagesSent += 1;
    this.#bytesSent += text.length;
    if (client.connection.writableCorked === 0) this.#dropIfLagging(client);
  }

  #dropIfLagging(client: Client): void {
    const { readyState, OPEN, bufferedAmount } = client.socket;
    if (readyState === OPEN && bufferedAmount > this.#settings.maxUnsentBytes) this.#dropLaggard(client);
  }

  #dropLaggard(client: Client): void {
    client.turns?.close();
    this.#clients.delete(client);
    client.socket.terminate();
    this.#laggardsDropped += 1;
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}
