import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { Log } from './api.ts';
import { type Backoff, backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { SourceCounters } from './source.ts';

export interface ConnectionSettings {
  readonly url: string;
  /** Whether to offer permessage-deflate: worth it over the internet, not beside a node. */
  readonly compress: boolean;
  /** Silence after which a protocol ping is sent, and how long its answer may take, in ms. */
  readonly pingAfterMs: number;
  readonly pongWithinMs: number;
  /** Silence after which `silent` is reported, in ms. */
  readonly silentAfterMs: number;
  readonly backoff: Backoff;
}

export interface ConnectionEvents {
  opened(): void;
  /** The socket is gone; another is opened after a while. */
  lost(problem: string): void;
  message(text: string): void;
  /** Part of a message arrived. */
  receiving(): void;
  /** No message came for a while, though one is due; said once until one comes. */
  silent(): void;
  /** Whether the upstream has something to say: only then is its silence worth a question. */
  awaitsMessages(): boolean;
  /** Whether it is at work on a request that has a deadline of its own: an order-level server answers no ping meanwhile. */
  isAtWork(): boolean;
  /** What the operator can do about a refusal or a close, null for nothing. */
  advice(problem: Refusal): string | null;
}

/** An upgrade that was answered with a status, or a close with a code. */
export type Refusal =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'close'; readonly code: number };

/** Most bytes of one upstream message: a snapshot of the largest book is about 16 MB. */
const MESSAGE_BYTES_MAX = 512 * 1024 * 1024;

const HANDSHAKE_MS = 10_000;

/** A connection that lasted this long was a good one: the next loss starts the backoff afresh. */
const STABLE_MS = 10_000;

/** How often the silence of the upstream is looked at. */
const WATCH_MS = 1_000;

/** Opens a socket to an upstream. Its listeners are added before anything can happen on it. */
export function openUpstream(url: string, compress = false): WebSocket {
  return new WebSocket(url, {
    perMessageDeflate: compress,
    maxPayload: MESSAGE_BYTES_MAX,
    handshakeTimeout: HANDSHAKE_MS,
  });
}

/**
 * One socket to the upstream that is opened again for ever when it is lost, each time a little later and by chance
 * (UP-12). It pings when nothing is heard; what is said on it is the sources' business.
 */
export class UpstreamConnection {
  readonly counters: SourceCounters = { messages: 0, bytes: 0, connects: 0 };
  readonly #settings: ConnectionSettings;
  readonly #events: ConnectionEvents;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #log: Log;
  #socket: WebSocket | null = null;
  #connectedAt: number | null = null;
  #failures = 0;
  #heardAt: number | null = null;
  #messageAt = 0;
  #partAt: number | null = null;
  #pingedAt: number | null = null;
  #toldSilent = false;
  #closed = false;
  #cancelTimer = () => {};
  #cancelWatch = () => {};

  constructor(settings: ConnectionSettings, events: ConnectionEvents, clock: Clock, random: () => number, log: Log) {
    this.#settings = settings;
    this.#events = events;
    this.#clock = clock;
    this.#random = random;
    this.#log = log;
  }

  get connected(): boolean {
    return this.#connectedAt !== null;
  }

  /** When anything last came from the upstream, null before the first connection. */
  get heardAt(): number | null {
    return this.#heardAt;
  }

  /** Whether `silent` was reported and nothing came since. */
  get isSilent(): boolean {
    return this.#toldSilent;
  }

  /** When part of a message last came whose rest is still to come; null while there is none. */
  get partAt(): number | null {
    return this.#partAt;
  }

  start(): void {
    this.#connect();
    this.#watch();
  }

  /** Sends a message; nothing happens while the socket is not open. Answers whether it went out. */
  send(message: object): boolean {
    if (this.#socket === null || this.#connectedAt === null) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
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

  #connect(): void {
    const socket = openUpstream(this.#settings.url, this.#settings.compress);
    this.#socket = socket;
    socket.on('upgrade', (response) => {
      response.socket.on('data', () => {
        if (this.#socket !== socket) return;
        this.#heardAt = this.#clock.now();
        this.#partAt = this.#heardAt;
        this.#events.receiving();
      });
    });
    socket.on('open', () => {
      if (this.#socket !== socket) return;
      const now = this.#clock.now();
      this.#connectedAt = now;
      this.#heardAt = now;
      this.#messageAt = now;
      this.#partAt = null;
      this.#pingedAt = null;
      this.#toldSilent = false;
      this.counters.connects += 1;
      this.#events.opened();
    });
    socket.on('message', (data: Buffer) => {
      if (this.#socket === socket) this.#onMessage(data);
    });
    socket.on('pong', () => {
      if (this.#socket === socket) this.#partAt = null;
    });
    socket.on('unexpected-response', (_, response: IncomingMessage) => {
      const { statusCode: status = 0 } = response;
      if (this.#socket === socket) this.drop(`refused with HTTP ${status}`, { kind: 'status', status });
    });
    socket.on('error', (error) => {
      if (this.#socket === socket) this.drop(problemOf(error));
    });
    socket.on('close', (code) => {
      if (this.#socket === socket) this.drop(`closed with ${code}`, { kind: 'close', code });
    });
  }

  /** Gives the socket up. The reconnect loop: ends with `close`; each turn waits longer, by chance, up to the longest wait. */
  drop(problem: string, refusal?: Refusal): void {
    const socket = this.#socket;
    if (socket === null || this.#closed) return;
    this.#socket = null;
    socket.on('error', () => {});
    socket.terminate();
    const now = this.#clock.now();
    const lasted = this.#connectedAt === null ? 0 : now - this.#connectedAt;
    this.#failures = lasted >= STABLE_MS ? 1 : this.#failures + 1;
    this.#connectedAt = null;
    const waitMs = backoffMs(this.#failures, this.#settings.backoff, this.#random);
    const advice = refusal === undefined ? null : this.#events.advice(refusal);
    const fields = { problem, waitMs: Math.round(waitMs), ...(advice === null ? {} : { advice }) };
    this.#log.warn(fields, 'upstream L4 connection lost');
    this.#cancelTimer = this.#clock.after(waitMs, () => this.#connect());
    this.#events.lost(advice === null ? problem : `${problem}: ${advice}`);
  }

  #onMessage(data: Buffer): void {
    this.counters.messages += 1;
    this.counters.bytes += data.length;
    this.#messageAt = this.#clock.now();
    this.#partAt = null;
    this.#toldSilent = false;
    this.#events.message(data.toString());
  }

  #watch(): void {
    this.#cancelWatch = this.#clock.after(WATCH_MS, () => {
      this.#lookAtSilence();
      this.#watch();
    });
  }

  #lookAtSilence(): void {
    if (this.#socket === null || this.#heardAt === null || !this.connected || !this.#events.awaitsMessages()) return;
    const now = this.#clock.now();
    const { pingAfterMs, pongWithinMs, silentAfterMs } = this.#settings;
    if (this.#pingedAt !== null && this.#heardAt > this.#pingedAt) this.#pingedAt = null;
    if (this.#pingedAt === null) {
      if (now - this.#heardAt >= pingAfterMs) {
        this.#pingedAt = now;
        this.#socket.ping();
      }
    } else if (now - this.#pingedAt >= pongWithinMs && !this.#events.isAtWork()) {
      this.drop('no answer to a ping');
      return;
    }
    if (!this.#toldSilent && now - this.#messageAt >= silentAfterMs) {
      this.#toldSilent = true;
      this.#events.silent();
    }
  }
}

/** What went wrong with a socket, without naming any host (INFO-7). */
export function problemOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
