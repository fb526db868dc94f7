import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type BookState,
  type CoinUpdates,
  coinDex,
  ERROR_CODES,
  type HttpErrorCode,
  type L4BookSnapshot,
  type Updates,
} from '@l4desk/protocol';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { SourceBook } from './build/source-book.ts';
import type { Chance } from './chance.ts';
import { MadeBlocks, type ResumePoint } from './made-blocks.ts';

/** Size decimals of every coin. */
const SZ_DECIMALS = 5;

/** A message from a client, as text and as JSON. */
export interface ClientSaid {
  readonly text: string;
  readonly method: string;
  readonly subscription: unknown;
}

interface ClientMessage {
  readonly method: string;
  readonly subscription?: {
    readonly coin: string | string[];
    readonly status?: boolean;
    readonly resume?: ResumePoint;
  };
}

interface SourceCoin {
  readonly book: SourceBook;
  seq: number;
  state: BookState;
}

interface Peer {
  readonly socket: WebSocket;
  /** Subscriptions as sent, by their text. */
  readonly subscriptions: Map<string, readonly string[]>;
}

export interface ScriptedServiceOptions {
  readonly coins: readonly string[];
  readonly chance: Chance;
}

/** A service that tests script: real HTTP and WebSocket, its own books, faults on command, none of the real code. */
export class ScriptedService implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #peers = new Set<Peer>();
  readonly #coins = new Map<string, SourceCoin>();
  readonly #events = new EventEmitter();
  #held: readonly (() => void)[] = [];
  #height = 985_148_181;
  #epoch: string = randomUUID();
  readonly #made = new MadeBlocks();

  /** If false, subscriptions take effect without an acknowledgement, which the specification allows. */
  acknowledges = true;
  /** How `"status": true` is handled (D54): states are sent, the field is ignored as unknown, or the subscription is refused. */
  statusField: 'sent' | 'ignored' | 'refused' = 'sent';
  /** How `resume` is handled: missed entries are sent, the field is ignored, or the subscription is refused. */
  resumeField: 'sent' | 'ignored' | 'refused' = 'ignored';
  /** How many entries of each coin are kept for `resume`. */
  keepsEntries = Number.POSITIVE_INFINITY;
  /** If true, subscribes have no effect and no response until `takeHeld`. */
  holdsSubscribes = false;
  /** If false, pings get no pong. */
  sendsPongs = true;
  /** HTTP status with which upgrades are refused. */
  refusesUpgrades: number | undefined;
  /** Messages with which subscriptions are refused, by coin. */
  readonly refusedCoins = new Map<string, string>();
  readonly said: ClientSaid[] = [];
  /** Path and query of every upgrade. */
  readonly upgrades: string[] = [];
  /** Authorization header and coin of every snapshot request. */
  readonly snapshotRequests: { readonly coin: string; readonly authorization: string | undefined }[] = [];
  /** Handlers of the next responses to `l4BookSnapshot`, one each. A handler may respond late, incorrectly or never. */
  readonly snapshotScript: ((snapshot: L4BookSnapshot, response: ServerResponse) => unknown)[] = [];

  private constructor({ coins, chance }: ScriptedServiceOptions) {
    coins.forEach((coin, index) => {
      this.#coins.set(coin, { book: new SourceBook(coin, chance, 20, (index + 1) * 1_000_000), seq: 0, state: 'live' });
    });
    this.#server = createServer((request, response) => void this.#respond(request, response));
    this.#sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    this.#server.on('upgrade', (request, socket, head) => {
      this.upgrades.push(request.url ?? '');
      if (this.refusesUpgrades !== undefined) {
        socket.end(`HTTP/1.1 ${this.refusesUpgrades} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
        this.#events.emit('change');
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#welcome(opened));
    });
  }

  static async start(options: ScriptedServiceOptions): Promise<ScriptedService> {
    const service = new ScriptedService(options);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get height(): number {
    return this.#height;
  }

  get epoch(): string {
    return this.#epoch;
  }

  get connections(): number {
    return this.#peers.size;
  }

  book(coin: string): SourceBook {
    return this.#coin(coin).book;
  }

  seq(coin: string): number {
    return this.#coin(coin).seq;
  }

  /** Coins to which at least one client is subscribed. */
  get subscribed(): readonly string[] {
    return [...new Set([...this.#peers].flatMap(({ subscriptions }) => [...subscriptions.values()].flat()))];
  }

  /** Changes these coins in one block and sends it; the entries of `losing` are silently omitted. Returns the batch. */
  block(
    coins: readonly string[] = [...this.#coins.keys()],
    { losing = [] }: { losing?: readonly string[] } = {},
  ): Updates {
    const updates = this.make(coins);
    this.send({ ...updates, book_diffs: updates.book_diffs.filter((entry) => !losing.includes(entry.coin)) });
    return updates;
  }

  /** Changes these coins in one block without sending it. */
  make(coins: readonly string[]): Updates {
    this.#height += 1;
    const time = 1_778_002_752_000 + (this.#height - 985_148_181) * 67;
    const entries = coins.map((coin): CoinUpdates => {
      const source = this.#coin(coin);
      const { diffs, statuses } = source.book.block();
      const prevSeq = source.seq;
      source.seq += 1;
      return { coin, seq: source.seq, prev_seq: prevSeq, order_statuses: [...statuses], book_diffs: [...diffs] };
    });
    const cursor = `${this.#height}:${time}`;
    const updates = { time, block_height: this.#height, epoch: this.#epoch, cursor, book_diffs: entries };
    this.#made.add(updates);
    return updates;
  }

  /** Removes this many of the last three blocks, oldest first. Clients that resume are not sent them. */
  loseMade(blocks: number): void {
    this.#made.lose(blocks);
  }

  /** Sends a batch to every client, with the entries of its subscriptions. */
  send(updates: Updates): void {
    for (const peer of this.#peers) {
      const coins = new Set([...peer.subscriptions.values()].flat());
      const entries = updates.book_diffs.filter((entry) => coins.has(entry.coin));
      if (entries.length > 0) send(peer, 'l4BookUpdates', { Updates: { ...updates, book_diffs: entries } });
    }
  }

  /** Sends any text to every client. */
  sendText(message: string): void {
    for (const { socket } of this.#peers) socket.send(message);
  }

  /** Handles the held subscribes, in order. */
  takeHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const carryOut of held) carryOut();
  }

  /** Restarts the sequencer: a new epoch, and sequences from the start. Clients are sent nothing. */
  flipEpoch(): void {
    this.#epoch = randomUUID();
    this.#made.clear();
    for (const source of this.#coins.values()) source.seq = 0;
  }

  /** Restarts the chain this many blocks back: a new epoch, with heights that were used already. */
  fallBack(blocks: number): void {
    this.#height -= blocks;
    this.flipEpoch();
  }

  /** Sends the state of a coin's book to its subscribers. */
  emit(coin: string, state: BookState): void {
    this.#coin(coin).state = state;
    this.#events.emit('change');
    if (this.statusField !== 'sent') return;
    for (const peer of this.#peers) {
      const asks = [...peer.subscriptions].some(
        ([body, coins]) => coins.includes(coin) && JSON.parse(body).status === true,
      );
      if (asks) this.#sendStatus(peer, coin);
    }
  }

  /** Loses a coin and rebuilds it from a fresh snapshot: the sequence skips a number (D28). */
  rebuild(coin: string): void {
    this.emit(coin, 'rebuilding');
    this.make([coin]);
    this.emit(coin, 'live');
  }

  cut(): void {
    for (const { socket } of this.#peers) socket.terminate();
    this.#peers.clear();
  }

  /** Closes every connection with a code. */
  close(code: number, reason: string): void {
    for (const { socket } of this.#peers) socket.close(code, reason);
  }

  snapshot(coin: string): L4BookSnapshot {
    const { book, seq } = this.#coin(coin);
    return { coin, time: Date.now(), height: this.#height, epoch: this.#epoch, seq, levels: book.levels() };
  }

  /** Waits until an event of the service makes `read` return a value. */
  async sees<T>(read: () => T | undefined | false): Promise<T> {
    for (;;) {
      const value = read();
      if (value !== undefined && value !== false) return value;
      await once(this.#events, 'change');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #coin(coin: string): SourceCoin {
    const source = this.#coins.get(coin);
    if (source === undefined) throw new RangeError(`no such coin: ${coin}`);
    return source;
  }

  #welcome(socket: WebSocket): void {
    const peer: Peer = { socket, subscriptions: new Map() };
    this.#peers.add(peer);
    socket.on('close', () => {
      this.#peers.delete(peer);
      this.#events.emit('change');
    });
    socket.on('message', (data: RawData) => {
      this.#receive(peer, frameText(data));
      this.#events.emit('change');
    });
    this.#events.emit('change');
  }

  #receive(peer: Peer, text: string): void {
    const message = JSON.parse(text) as ClientMessage;
    this.said.push({ text, method: message.method, subscription: message.subscription });
    if (message.method === 'ping') {
      if (this.sendsPongs) peer.socket.send(JSON.stringify({ channel: 'pong' }));
      return;
    }
    if (message.method === 'subscribe' && this.holdsSubscribes) {
      this.#held = [...this.#held, () => this.#carryOut(peer, message)];
      return;
    }
    this.#carryOut(peer, message);
  }

  #carryOut(peer: Peer, message: ClientMessage): void {
    const body = JSON.stringify(message.subscription);
    const coins = [message.subscription?.coin ?? []].flat();
    const { method, subscription } = message;
    const asksStatus = method === 'subscribe' && subscription?.status === true;
    const had = peer.subscriptions.has(body);
    const refusal = coins.map((coin) => this.refusedCoins.get(coin)).find((sentence) => sentence !== undefined);
    const sentence =
      refusal !== undefined
        ? `Invalid subscription ${body} ${refusal}`
        : asksStatus && this.statusField === 'refused'
          ? `Invalid subscription ${body}: unknown field status`
          : subscription?.resume !== undefined && this.resumeField === 'refused'
            ? `Invalid subscription ${body}: unknown field resume`
            : had === (method === 'subscribe')
              ? `Already ${method}d: ${body}`
              : undefined;
    if (sentence !== undefined) {
      send(peer, 'error', sentence);
      return;
    }
    if (had) peer.subscriptions.delete(body);
    else peer.subscriptions.set(body, coins);
    const resume = had || this.resumeField !== 'sent' ? undefined : subscription?.resume;
    const { epoch, keepsEntries } = this;
    const missed = resume && this.#made.missed(resume, { epoch, keepsEntries, seq: (coin) => this.seq(coin) });
    const data = { method, subscription, ...(missed === undefined ? {} : { resume: missed.outcome }) };
    if (this.acknowledges) send(peer, 'subscriptionResponse', data);
    for (const Updates of missed?.blocks ?? []) send(peer, 'l4BookUpdates', { Updates });
    if (asksStatus && this.statusField === 'sent') for (const coin of coins) this.#sendStatus(peer, coin);
  }

  #sendStatus(peer: Peer, coin: string): void {
    const { state } = this.#coin(coin);
    const data = { coin, state, since: Date.now(), upstreamAgeMs: 0, reason: state === 'live' ? null : 'audit' };
    send(peer, 'l4BookStatus', data);
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { type, coin, dex = '' } = JSON.parse(await text(request)) as { type: string; coin: string; dex?: string };
    if (type === 'meta') {
      const names = [...this.#coins.keys()].filter((name) => coinDex(name) === dex);
      const universe = names.map((name) => ({ name, szDecimals: SZ_DECIMALS, maxLeverage: 40 }));
      respondJson({ universe }, response);
      return;
    }
    this.snapshotRequests.push({ coin, authorization: request.headers.authorization });
    if (this.#coins.has(coin)) {
      const script = this.snapshotScript.shift() ?? respondJson;
      script(this.snapshot(coin), response);
    } else {
      respondError(response, 'unknown_coin', `no such coin: ${coin}`, { path: 'coin' });
    }
    this.#events.emit('change');
  }
}

function send({ socket }: Peer, channel: string, data: unknown): void {
  socket.send(JSON.stringify({ channel, data }));
}

/** `ws` delivers a text frame as one buffer by default. */
function frameText(data: RawData): string {
  if (!Buffer.isBuffer(data)) throw new TypeError('frame is not one buffer');
  return data.toString();
}

function respondJson(body: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Responds with an error of the service (INFO-4). */
export function respondError(
  response: ServerResponse,
  error: HttpErrorCode,
  message: string,
  { headers = {}, ...extra }: { readonly path?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): void {
  const code = ERROR_CODES[error].status;
  const body = { error, message, code, msg: message, ...extra };
  response.writeHead(code, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}
