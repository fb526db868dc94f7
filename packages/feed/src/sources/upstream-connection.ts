import { isAscii } from 'node:buffer';
import {
  type Backoff,
  type Log,
  ReconnectingSocket,
  redacted,
  refusedStatus,
  type Socket,
  type SocketEnd,
  type SocketEvent,
} from '@l4desk/runtime';
import { every, type SystemClock } from '@l4desk/runtime/node';
import { WebSocket } from 'ws';
import type { ConnectionState, SourceCounters } from './source.ts';

/** Bytes of one message, decompressed: four times the largest book seen. A small frame can grow a thousandfold. */
export const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

/** Why a longer message ends the connection. */
export const MESSAGE_TOO_LONG = 'sent a message of more than 64 MiB';

const HANDSHAKE_MS = 10_000;

/** Opens a socket to an upstream; add listeners synchronously. `onBytes` is called even for part of a message. */
export function openUpstream(url: string, onBytes: () => void, compress = false): WebSocket {
  const socket = new WebSocket(url, {
    perMessageDeflate: compress,
    maxPayload: MESSAGE_BYTES_MAX,
    handshakeTimeout: HANDSHAKE_MS,
  });
  // Added only once open: otherwise bytes that arrive with the handshake would go to this listener alone, and their messages
  // would be lost. Prepended, so that bytes are reported before the message that they complete.
  socket.on('upgrade', (response) => socket.once('open', () => response.socket.prependListener('data', onBytes)));
  return socket;
}

export interface UpstreamSocketOptions {
  /** Whether to offer permessage-deflate: useful over the internet, not for a node nearby. */
  readonly compress: boolean;
  /** Called when any bytes arrive. */
  readonly onBytes: () => void;
  readonly onPong: () => void;
}

/** Adapts a socket of the `ws` package to the client's `Socket`, and adds bytes, pings and pongs for monitoring an upstream. */
export class UpstreamSocket implements Socket {
  readonly #socket: WebSocket;

  constructor(url: string, { compress, onBytes, onPong }: UpstreamSocketOptions) {
    this.#socket = openUpstream(url, onBytes, compress);
    this.#socket.on('pong', onPong);
    // An invalid message closes the socket at once, without waiting for the other side to close it.
    this.#socket.on('error', () => this.#socket.terminate());
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  ping(): void {
    this.#socket.ping();
  }

  close(): void {
    this.#socket.terminate();
  }

  addEventListener(type: 'open' | 'message' | 'error' | 'close', listener: (event: SocketEvent) => void): void {
    switch (type) {
      case 'open':
        this.#socket.on('open', () => listener({ type }));
        return;
      case 'message':
        this.#socket.on('message', (data: Buffer) => listener({ type, data: textOf(data) }));
        return;
      case 'error':
        this.#socket.on('error', (error) => listener({ type, message: problemOf(error) }));
        return;
      case 'close':
        this.#socket.on('close', (code, reason) => listener({ type, code, reason: reason.toString() }));
    }
  }
}

/** Decodes a message. Nearly all messages are ASCII, which is copied without decoding UTF-8. */
export function textOf(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
}

/** Whether text is no JSON object, not even a broken one, but a sentence such as the exchange's greeting. */
function isPlain(text: string): boolean {
  return !text.trimStart().startsWith('{');
}

/** Reads text that is no JSON: plain text is about no coin, a broken object may be about any. */
export function notJson(text: string) {
  if (isPlain(text)) return { kind: 'other' } as const;
  return { kind: 'malformed', coins: [], problem: 'message is not JSON' } as const;
}

/** Describes a socket error without host names (INFO-7). */
export function problemOf(error: Error): string {
  if ('code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return MESSAGE_TOO_LONG;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

export interface ConnectionSettings {
  readonly url: string;
  /** Whether to offer permessage-deflate: useful over the internet, not for a node nearby. */
  readonly compress: boolean;
  /** Silence after which a WebSocket ping is sent, and how long its pong may take, in ms. */
  readonly pingAfterMs: number;
  readonly pongWithinMs: number;
  /** Silence after which `silent` is reported, in ms. */
  readonly silentAfterMs: number;
}

export interface ConnectionEvents {
  opened(): void;
  /** The socket is closed; another one is opened after a pause. */
  lost(problem: string): void;
  message(text: string): void;
  receiving(): void;
  /** No message arrived for a while although one is expected. Reported once until one arrives. */
  silent(): void;
  /** Whether messages are expected; silence matters only then. */
  awaitsMessages(): boolean;
  /** Whether the upstream is processing a request with its own deadline: an order-level server sends no pongs meanwhile. */
  isAtWork(): boolean;
  /** Advice to the operator about a refusal or a close; null if there is none. */
  advice(problem: Refusal): string | null;
}

/** An upgrade that was refused with a status, or a close with a code. */
export type Refusal =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'close'; readonly code: number };

const RECONNECT: Backoff = { firstMs: 250, longestMs: 15_000 };

const OPEN_WITHIN_MS = 10_000;

const WATCH_MS = 1_000;

/** Plain texts of one connection that are logged: a greeting and what follows it, such as `Unauthorized`. */
const TEXTS_LOGGED_MAX = 2;

/** Why the socket was lost, and the refusal that caused it, if any. */
interface Loss {
  readonly problem: string;
  readonly refusal: Refusal | null;
}

/** The socket to the upstream. It sends pings when nothing arrives; the sources handle its messages. */
export class UpstreamConnection implements ConnectionState {
  readonly counters: SourceCounters = { messages: 0, bytes: 0, connects: 0 };
  readonly #settings: ConnectionSettings;
  readonly #events: ConnectionEvents;
  readonly #clock: SystemClock;
  readonly #log: Log;
  readonly #reconnecting: ReconnectingSocket<Loss>;
  #socket: UpstreamSocket | null = null;
  #aliveAt: number | null = null;
  #messageAt = 0;
  #partAt: number | null = null;
  #pingedAt: number | null = null;
  #reportedSilent = false;
  #textsLogged = 0;
  #cancelWatch = () => {};

  constructor(
    settings: ConnectionSettings,
    events: ConnectionEvents,
    clock: SystemClock,
    random: () => number,
    log: Log,
  ) {
    this.#settings = settings;
    this.#events = events;
    this.#clock = clock;
    this.#log = log;
    this.#reconnecting = new ReconnectingSocket(
      { open: () => this.#open(), openWithinMs: OPEN_WITHIN_MS, backoff: RECONNECT, clock, random },
      {
        connecting: () => {},
        opened: () => this.#onOpened(),
        message: (data) => this.#onMessage(data),
        ended: lossOf,
        waiting: (loss, _, waitMs) => this.#onWaiting(loss, waitMs),
      },
    );
  }

  get connected(): boolean {
    return this.#reconnecting.isOpen;
  }

  /** When anything last arrived from the upstream; null before the first connection. */
  get aliveAt(): number | null {
    return this.#aliveAt;
  }

  /** Whether `silent` was reported and no message has arrived since. */
  get isSilent(): boolean {
    return this.#reportedSilent;
  }

  /** When the last part of an incomplete message arrived; null if there is none. */
  get partAt(): number | null {
    return this.#partAt;
  }

  start(): void {
    this.#reconnecting.start();
    this.#cancelWatch = every(this.#clock, WATCH_MS, () => this.#checkSilence());
  }

  /** Sends a message unless the socket is not open. Returns whether it was sent. */
  send(message: object): boolean {
    return this.#reconnecting.send(JSON.stringify(message));
  }

  drop(problem: string): void {
    this.#reconnecting.drop({ problem, refusal: null });
  }

  close(): void {
    this.#cancelWatch();
    this.#reconnecting.stop();
  }

  #open(): UpstreamSocket {
    const socket: UpstreamSocket = new UpstreamSocket(this.#settings.url, {
      compress: this.#settings.compress,
      onBytes: () => {
        if (!this.#reconnecting.isCurrent(socket)) return;
        this.#aliveAt = this.#clock.now();
        this.#partAt = this.#aliveAt;
        this.#events.receiving();
      },
      onPong: () => {
        if (this.#reconnecting.isCurrent(socket)) this.#partAt = null;
      },
    });
    this.#socket = socket;
    return socket;
  }

  #onOpened(): void {
    const now = this.#clock.now();
    this.#aliveAt = now;
    this.#messageAt = now;
    this.#partAt = null;
    this.#pingedAt = null;
    this.#reportedSilent = false;
    this.#textsLogged = 0;
    this.counters.connects += 1;
    this.#events.opened();
  }

  #onWaiting({ problem, refusal }: Loss, waitMs: number): void {
    const advice = refusal === null ? null : this.#events.advice(refusal);
    const fields = { problem, waitMs: Math.round(waitMs), ...(advice === null ? {} : { advice }) };
    this.#log.warn(fields, 'upstream L4 connection lost');
    this.#events.lost(advice === null ? problem : `${problem}: ${advice}`);
  }

  #onMessage(data: unknown): void {
    const text = String(data);
    this.counters.messages += 1;
    this.counters.bytes += Buffer.byteLength(text);
    this.#messageAt = this.#clock.now();
    this.#partAt = null;
    this.#reportedSilent = false;
    if (isPlain(text) && this.#textsLogged < TEXTS_LOGGED_MAX) {
      this.#textsLogged += 1;
      this.#log.info({ text: redacted(text).slice(0, 200) }, 'upstream L4 sent plain text');
    }
    this.#events.message(text);
  }

  #checkSilence(): void {
    if (this.#socket === null || this.#aliveAt === null || !this.connected || !this.#events.awaitsMessages()) return;
    const now = this.#clock.now();
    const { pingAfterMs, pongWithinMs, silentAfterMs } = this.#settings;
    if (this.#pingedAt !== null && this.#aliveAt > this.#pingedAt) this.#pingedAt = null;
    if (this.#pingedAt === null) {
      if (now - this.#aliveAt >= pingAfterMs) {
        this.#pingedAt = now;
        this.#socket?.ping();
      }
    } else if (now - this.#pingedAt >= pongWithinMs && !this.#events.isAtWork()) {
      this.drop('no response to a ping');
      return;
    }
    if (!this.#reportedSilent && now - this.#messageAt >= silentAfterMs) {
      this.#reportedSilent = true;
      this.#events.silent();
    }
  }
}

/** Why an open socket ended, without host names. */
export function closeProblem({ code, message }: Extract<SocketEnd, { kind: 'closed' }>): string {
  // With 1006 the other side gave no reason, so the message is that of our own socket.
  return code === 1006 && message !== '' ? message : `closed with ${code}`;
}

function lossOf(end: SocketEnd): Loss {
  if (end.kind === 'closed') return { problem: closeProblem(end), refusal: { kind: 'close', code: end.code } };
  const status = refusedStatus(end);
  if (status === undefined) return { problem: end.message, refusal: null };
  return { problem: `refused with HTTP ${status}`, refusal: { kind: 'status', status } };
}
