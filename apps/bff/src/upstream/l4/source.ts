import type { BookLevels } from '@l4desk/protocol';
import type { WebSocket } from 'ws';
import type { Log } from './api.ts';
import { type Backoff, backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { UpstreamBlock } from './upstream-block.ts';
import { readUpstreamMessage } from './upstream-message.ts';
import { openUpstream } from './upstream-socket.ts';

/** What a source reports. */
export interface SourceEvents {
  /** The socket is open; nothing is joined on it yet. */
  connected(): void;
  /** The socket is gone and with it everything joined; it is being opened again. */
  disconnected(problem: string): void;
  snapshot(coin: string, height: number, time: number, levels: BookLevels): void;
  block(block: UpstreamBlock): void;
  /** The upstream refused to join a coin. */
  refused(coin: string, message: string): void;
  /** A message about these coins could not be read. */
  malformed(coins: readonly string[], problem: string): void;
  /** Part of a message arrived. */
  receiving(): void;
  /** The connection is up and coins are joined, but nothing was said for a while; said once until something is. */
  silent(): void;
}

export interface SourceSettings {
  readonly url: string;
  /** Silence after which a protocol ping is sent, and how long its answer may take, in ms. */
  readonly pingAfterMs: number;
  readonly pongWithinMs: number;
  /** Silence after which `silent` is reported, in ms. */
  readonly silentAfterMs: number;
  readonly backoff: Backoff;
}

export interface SourceCounters {
  messages: number;
  bytes: number;
  connects: number;
}

interface Request {
  readonly method: 'subscribe' | 'unsubscribe';
  readonly coin: string;
}

/** A connection that lasted this long was a good one: the next loss starts the backoff afresh. */
const STABLE_MS = 10_000;

/** A coin that was left may still be spoken of for so long. */
const LEFT_MS = 10_000;

/** How often the silence of the upstream is looked at. */
const WATCH_MS = 1_000;

/**
 * The `l4Book` dialect of an order-level server: one socket, one subscription a coin. It reads and checks messages, and
 * opens the socket again for ever when it is lost, each time a little later and by chance (UP-12).
 */
export class L4BookSource {
  readonly counters: SourceCounters = { messages: 0, bytes: 0, connects: 0 };
  readonly #settings: SourceSettings;
  readonly #events: SourceEvents;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #log: Log;
  /** Requests not answered yet, oldest first: the upstream answers in order. */
  #asked: Request[] = [];
  readonly #joined = new Set<string>();
  /** Coins that were left on this connection, and when. */
  readonly #left = new Map<string, number>();
  #socket: WebSocket | null = null;
  #connectedAt: number | null = null;
  #failures = 0;
  #heardAt = 0;
  #messageAt = 0;
  #pingedAt: number | null = null;
  #toldSilent = false;
  #closed = false;
  #cancelTimer = () => {};
  #cancelWatch = () => {};

  constructor(settings: SourceSettings, events: SourceEvents, clock: Clock, random: () => number, log: Log) {
    this.#settings = settings;
    this.#events = events;
    this.#clock = clock;
    this.#random = random;
    this.#log = log;
  }

  get connected(): boolean {
    return this.#connectedAt !== null;
  }

  /** Whether coins are joined and nothing was said about any for longer than is usual. */
  get isSilent(): boolean {
    return this.#toldSilent;
  }

  start(): void {
    this.#connect();
    this.#watch();
  }

  /** Subscribes a coin; a snapshot and then blocks follow. Nothing happens while the socket is not open. */
  join(coin: string): void {
    this.#joined.add(coin);
    this.#left.delete(coin);
    this.#ask({ method: 'subscribe', coin });
  }

  /** Unsubscribes a coin. */
  leave(coin: string): void {
    if (!this.#joined.delete(coin)) return;
    this.#left.set(coin, this.#clock.now());
    this.#ask({ method: 'unsubscribe', coin });
  }

  /** Whether a request about the coin is still without an answer. */
  hasNotAnswered(coin: string): boolean {
    return this.#asked.some((request) => request.coin === coin);
  }

  /** Gives the connection up for a fresh one. */
  reconnect(problem: string): void {
    this.#drop(problem);
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
    this.#cancelWatch();
    const socket = this.#socket;
    this.#socket = null;
    this.#connectedAt = null;
    socket?.removeAllListeners();
    socket?.on('error', () => {});
    socket?.terminate();
  }

  #ask(request: Request): void {
    if (this.#socket === null || this.#connectedAt === null) return;
    this.#asked.push(request);
    const { method, coin } = request;
    this.#socket.send(JSON.stringify({ method, subscription: { type: 'l4Book', coin } }));
  }

  #connect(): void {
    const socket = openUpstream(this.#settings.url);
    this.#socket = socket;
    socket.on('upgrade', (response) => {
      response.socket.on('data', () => {
        if (this.#socket !== socket) return;
        this.#heardAt = this.#clock.now();
        this.#events.receiving();
      });
    });
    socket.on('open', () => {
      if (this.#socket !== socket) return;
      const now = this.#clock.now();
      this.#connectedAt = now;
      this.#heardAt = now;
      this.#messageAt = now;
      this.#pingedAt = null;
      this.#toldSilent = false;
      this.counters.connects += 1;
      this.#events.connected();
    });
    socket.on('message', (data: Buffer) => {
      if (this.#socket === socket) this.#onMessage(data);
    });
    socket.on('error', (error) => {
      if (this.#socket === socket) this.#drop(problemOf(error));
    });
    socket.on('close', (code) => {
      if (this.#socket === socket) this.#drop(`closed with ${code}`);
    });
  }

  /** The reconnect loop: ends with `close`; each turn waits longer, by chance, up to the longest wait. */
  #drop(problem: string): void {
    const socket = this.#socket;
    if (socket === null || this.#closed) return;
    this.#socket = null;
    socket.on('error', () => {});
    socket.terminate();
    const now = this.#clock.now();
    const lasted = this.#connectedAt === null ? 0 : now - this.#connectedAt;
    this.#failures = lasted >= STABLE_MS ? 1 : this.#failures + 1;
    this.#connectedAt = null;
    this.#asked = [];
    this.#joined.clear();
    this.#left.clear();
    const waitMs = backoffMs(this.#failures, this.#settings.backoff, this.#random);
    this.#log.warn({ problem, waitMs: Math.round(waitMs) }, 'upstream L4 connection lost');
    this.#cancelTimer = this.#clock.after(waitMs, () => this.#connect());
    this.#events.disconnected(problem);
  }

  #onMessage(data: Buffer): void {
    this.counters.messages += 1;
    this.counters.bytes += data.length;
    this.#messageAt = this.#clock.now();
    this.#toldSilent = false;
    const message = readUpstreamMessage(data.toString());
    switch (message.kind) {
      case 'block':
        this.#events.block(message.block);
        return;
      case 'empty':
        return;
      case 'snapshot':
        // Before its acknowledgement, a snapshot answers a subscription that was given up.
        if (!this.hasNotAnswered(message.coin)) {
          this.#events.snapshot(message.coin, message.height, message.time, message.levels);
        }
        return;
      case 'acknowledged':
        this.#onAnswer(message.method, message.coin);
        return;
      case 'error':
        this.#onRefused(message.message);
        return;
      case 'malformed':
        this.#onMalformed(message.coins, message.problem);
    }
  }

  #onAnswer(method: Request['method'], coin: string): void {
    const index = this.#asked.findIndex((request) => request.method === method && request.coin === coin);
    if (index >= 0) this.#asked.splice(index, 1);
  }

  #onRefused(message: string): void {
    const request = this.#asked.shift();
    this.#log.warn({ message, ...request }, 'upstream L4 refused a request');
    if (request?.method !== 'subscribe') return;
    this.#joined.delete(request.coin);
    this.#events.refused(request.coin, message);
  }

  #onMalformed(coins: readonly string[], problem: string): void {
    const joined = coins.filter((coin) => this.#joined.has(coin));
    this.#log.warn({ problem, coins: joined }, 'upstream L4 message cannot be read');
    if (joined.length > 0) this.#events.malformed(joined, problem);
    // What cannot be told apart from anything may have been about everything.
    else if (coins.length === 0 || !coins.every((coin) => this.#wasLeftLately(coin))) this.#drop('unreadable message');
  }

  #wasLeftLately(coin: string): boolean {
    return this.#clock.now() - (this.#left.get(coin) ?? Number.NEGATIVE_INFINITY) <= LEFT_MS;
  }

  #watch(): void {
    this.#cancelWatch = this.#clock.after(WATCH_MS, () => {
      this.#lookAtSilence();
      this.#watch();
    });
  }

  #lookAtSilence(): void {
    if (this.#socket === null || this.#connectedAt === null || this.#joined.size === 0) return;
    const now = this.#clock.now();
    const { pingAfterMs, pongWithinMs, silentAfterMs } = this.#settings;
    if (this.#pingedAt !== null && this.#heardAt > this.#pingedAt) this.#pingedAt = null;
    if (this.#pingedAt === null) {
      if (now - this.#heardAt >= pingAfterMs) {
        this.#pingedAt = now;
        this.#socket.ping();
      }
    } else if (now - this.#pingedAt >= pongWithinMs) {
      this.#drop('no answer to a ping');
      return;
    }
    if (!this.#toldSilent && now - this.#messageAt >= silentAfterMs) {
      this.#toldSilent = true;
      this.#events.silent();
    }
  }
}

/** What went wrong with a socket, without naming any host (D1). */
export function problemOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
