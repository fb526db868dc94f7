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

/** Of every coin. */
const SZ_DECIMALS = 5;

/** A message that a client sent, as it was sent and as JSON. */
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

/**
 * The service as a test wants it: real HTTP and WebSocket on a port of its own, books of its own (`SourceBook`), and
 * everything that can go wrong on command. It shares no code with the real one.
 */
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

  /** Off: subscriptions take effect without a word, as the specification leaves open. */
  acknowledges = true;
  /** What becomes of `"status": true` (D54): states are sent, or the field is not known and ignored, or refused. */
  statusField: 'sent' | 'ignored' | 'refused' = 'sent';
  /** What becomes of `resume` (RES-1): missed entries are sent, or the field is not known and ignored, or refused. */
  resumeField: 'sent' | 'ignored' | 'refused' = 'ignored';
  /** Entries that are kept for it, of each coin. */
  keepsEntries = Number.POSITIVE_INFINITY;
  /** On: subscribes wait for `takeHeld`, without effect and without a word. */
  holdsSubscribes = false;
  /** Off: pings get no pong. */
  sendsPongs = true;
  /** HTTP status that upgrades are refused with. */
  refusesUpgrades: number | undefined;
  /** Sentences with which subscriptions naming a coin are refused. */
  readonly refusedCoins = new Map<string, string>();
  /** Every message of every client. */
  readonly said: ClientSaid[] = [];
  /** Paths and queries of every upgrade. */
  readonly upgrades: string[] = [];
  /** Headers and coin of every snapshot request. */
  readonly snapshotRequests: { readonly coin: string; readonly authorization: string | undefined }[] = [];
  /** Takes over the next responses to `l4BookSnapshot`, one each; may respond late, wrongly or never. */
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

  /** Sockets that are open. */
  get connections(): number {
    return this.#peers.size;
  }

  book(coin: string): SourceBook {
    return this.#coin(coin).book;
  }

  seq(coin: string): number {
    return this.#coin(coin).seq;
  }

  /** Coins that at least one client is subscribed to. */
  get subscribed(): readonly string[] {
    const coins = new Set<string>();
    for (const peer of this.#peers)
      for (const list of peer.subscriptions.values()) for (const coin of list) coins.add(coin);
    return [...coins];
  }

  /**
   * Changes these coins in one block and sends it. Coins in `losing` change, but their entry is left out, and nobody is
   * told: a dropped message. Returns what was made, for a test to send again or later.
   */
  block(
    coins: readonly string[] = [...this.#coins.keys()],
    { losing = [] }: { losing?: readonly string[] } = {},
  ): Updates {
    const updates = this.make(coins);
    this.send({ ...updates, book_diffs: updates.book_diffs.filter((entry) => !losing.includes(entry.coin)) });
    return updates;
  }

  /** Changes these coins in one block and sends nothing. */
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

  /** Forgets so many of the last three blocks, oldest first: clients that resume are sent none of them. */
  loseMade(blocks: number): void {
    this.#made.lose(blocks);
  }

  /** Sends a batch to every client, with the entries each is subscribed to. */
  send(updates: Updates): void {
    for (const { socket, subscriptions } of this.#peers) {
      const coins = new Set([...subscriptions.values()].flat());
      const entries = updates.book_diffs.filter((entry) => coins.has(entry.coin));
      if (entries.length === 0) continue;
      socket.send(JSON.stringify({ channel: 'l4BookUpdates', data: { Updates: { ...updates, book_diffs: entries } } }));
    }
  }

  /** Sends any text to every client. */
  sendText(message: string): void {
    for (const { socket } of this.#peers) socket.send(message);
  }

  /** Carries out the subscribes that wait, in their order. */
  takeHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const carryOut of held) carryOut();
  }

  /** The sequencer starts again: a new epoch, sequences from the start, clients are sent nothing. */
  flipEpoch(): void {
    this.#epoch = randomUUID();
    this.#made.clear();
    for (const source of this.#coins.values()) source.seq = 0;
  }

  /** The chain begins again so many blocks back: a new epoch, and heights that were used already. */
  fallBack(blocks: number): void {
    this.#height -= blocks;
    this.flipEpoch();
  }

  /** Says how a coin's book is, to those who subscribed to it. */
  tell(coin: string, state: BookState): void {
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

  /** The service loses a coin and builds it again from a fresh snapshot: its book has moved on, and its sequence skips a number (D28). */
  rebuild(coin: string): void {
    this.tell(coin, 'rebuilding');
    this.make([coin]);
    this.tell(coin, 'live');
  }

  /** Breaks every connection without a word. */
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

  /** Waits until something the service sees makes `read` return something. */
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
      this.#hear(peer, frameText(data));
      this.#events.emit('change');
    });
    this.#events.emit('change');
  }

  #hear(peer: Peer, text: string): void {
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
    const refusal = coins.map((coin) => this.refusedCoins.get(coin)).find((sentence) => sentence !== undefined);
    if (refusal !== undefined) {
      peer.socket.send(JSON.stringify({ channel: 'error', data: `Invalid subscription ${body} ${refusal}` }));
      return;
    }
    const asksStatus = message.method === 'subscribe' && message.subscription?.status === true;
    if (asksStatus && this.statusField === 'refused') {
      peer.socket.send(
        JSON.stringify({ channel: 'error', data: `Invalid subscription ${body}: unknown field status` }),
      );
      return;
    }
    if (message.subscription?.resume !== undefined && this.resumeField === 'refused') {
      peer.socket.send(
        JSON.stringify({ channel: 'error', data: `Invalid subscription ${body}: unknown field resume` }),
      );
      return;
    }
    const had = peer.subscriptions.has(body);
    if (had === (message.method === 'subscribe')) {
      const sentence = message.method === 'subscribe' ? 'Already subscribed' : 'Already unsubscribed';
      peer.socket.send(JSON.stringify({ channel: 'error', data: `${sentence}: ${body}` }));
      return;
    }
    if (had) peer.subscriptions.delete(body);
    else peer.subscriptions.set(body, coins);
    const { method, subscription } = message;
    const resume = had || this.resumeField !== 'sent' ? undefined : subscription?.resume;
    const missed =
      resume &&
      this.#made.missed(resume, {
        epoch: this.#epoch,
        seq: (coin) => this.seq(coin),
        keepsEntries: this.keepsEntries,
      });
    const data = { method, subscription, ...(missed === undefined ? {} : { resume: missed.outcome }) };
    if (this.acknowledges) peer.socket.send(JSON.stringify({ channel: 'subscriptionResponse', data }));
    for (const Updates of missed?.blocks ?? [])
      peer.socket.send(JSON.stringify({ channel: 'l4BookUpdates', data: { Updates } }));
    if (asksStatus && this.statusField === 'sent') for (const coin of coins) this.#sendStatus(peer, coin);
  }

  #sendStatus({ socket }: Peer, coin: string): void {
    const { state } = this.#coin(coin);
    const data = { coin, state, since: Date.now(), upstreamAgeMs: 0, reason: state === 'live' ? null : 'audit' };
    socket.send(JSON.stringify({ channel: 'l4BookStatus', data }));
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

/** `ws` hands text frames over as one buffer unless told otherwise. */
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
