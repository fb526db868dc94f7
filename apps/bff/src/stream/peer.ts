import type { Socket } from 'node:net';
import { CLOSE_CODES } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { SystemClock } from '@l4desk/runtime/node';
import type { WebSocket } from 'ws';
import type { Member } from './hub.ts';
import type { StreamLimits } from './limits.ts';

const MISSED_PINGS_MAX = 2;

/** How long a peer may take to finish the close handshake, in ms. What it has not read by then is dropped. */
const CLOSE_GRACE_MS = 1_000;

/** The codes with which ws itself closes a connection, by its errors. */
const CLOSE_CODE_OF_ERROR = new Map<unknown, number>([
  ['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', CLOSE_CODES.messageTooBig],
  ['WS_ERR_TOO_MANY_BUFFERED_PARTS', CLOSE_CODES.policyViolation],
]);

export interface PeerDeps {
  readonly slow: SlowConsumers;
  readonly limits: StreamLimits;
  readonly clock: SystemClock;
  readonly log: Log;
}

export interface PeerListener {
  /** Called for each message; null means a binary one. */
  onText(text: string | null): void;
  /** Called when the stream must send it nothing more. May be called repeatedly. */
  onEnd(): void;
}

/** The remote end of a connection. Handles incoming messages in order, bounds unsent bytes, sends pings and closes. */
export class Peer implements Member {
  readonly deflate: boolean;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #deps: PeerDeps;
  readonly #listener: PeerListener;
  /** Client messages that it may send now: those of one second, refilled continuously (D33). Below zero after too many. */
  #allowance: number;
  #allowanceAt: number;
  /** Messages that were read with others but are not handled yet, in order; null is a binary one. */
  readonly #waiting: (string | null)[] = [];
  #isPaused = false;
  /** Set while nothing is read because more messages came than it may send. */
  #cancelHold: (() => void) | undefined;
  #missedPings = 0;
  #wasUnsent = false;
  /** The service's close code; undefined if the service has not closed it, or the peer closed or disconnected first. */
  closeCode: number | undefined;
  /** Resolves once the response that is being written is sent; its bytes, and those of the responses behind it. */
  #responding: Promise<void> = Promise.resolve();
  #responseBytes = 0;
  #queuedBytes = 0;
  #cancelCut: (() => void) | undefined;

  constructor(ws: WebSocket, socket: Socket, deflate: boolean, deps: PeerDeps, listener: PeerListener) {
    this.deflate = deflate;
    this.#ws = ws;
    this.#socket = socket;
    this.#deps = deps;
    this.#listener = listener;
    this.#allowance = deps.limits.messagesPerSecondMax;
    this.#allowanceAt = deps.clock.now();
    ws.on('message', (data: Buffer, isBinary: boolean) => this.#onMessage(data, isBinary));
    ws.on('ping', () => this.#count());
    ws.on('pong', () => {
      // Only a pong without a ping of the service counts as a message.
      if (this.#missedPings === 0) this.#count();
      this.#missedPings = 0;
    });
    // For a malformed or oversized frame, ws itself closes the connection with the right code.
    ws.on('error', (error) => {
      deps.log.debug({ err: error }, 'stream connection failed');
      this.closeCode ??= 'code' in error ? CLOSE_CODE_OF_ERROR.get(error.code) : undefined;
      listener.onEnd();
      this.#cutSoon();
    });
    ws.on('close', () => {
      listener.onEnd();
      this.#release();
      this.#cancelCut?.();
      deps.slow.forget(this);
    });
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  /** ws buffers nothing itself, so this is the backlog of the socket (D30), and the responses that wait for it. */
  get unsentBytes(): number {
    return this.#socket.writableLength + this.#queuedBytes;
  }

  /** Writes a complete frame to the socket, where ws never leaves a partial one. Returns false if some is unsent. */
  write(frame: Buffer): boolean {
    if (!this.isOpen) return true;
    this.#socket.write(frame);
    return this.#noteUnsent() === 0;
  }

  /** Writes a response after the one before it is sent, because one alone may exceed the bound on unsent bytes. */
  respond(frame: Buffer): Promise<void> {
    this.#queuedBytes += frame.length;
    this.#deps.slow.note(this);
    this.#responding = this.#responding.then(() => this.#writeResponse(frame));
    return this.#responding;
  }

  #writeResponse(frame: Buffer): Promise<void> {
    this.#queuedBytes -= frame.length;
    if (!this.isOpen) return Promise.resolve();
    return new Promise((resolve) => {
      this.#responseBytes = frame.length;
      this.#socket.write(frame, () => {
        this.#responseBytes = 0;
        resolve();
      });
      this.#noteUnsent();
    });
  }

  send(text: string): void {
    this.#ws.send(text, { compress: false });
    this.#noteUnsent();
  }

  /** Counts and returns the unsent bytes after a write. Closes a consumer that is too slow. */
  #noteUnsent(): number {
    const unsent = this.unsentBytes;
    if (unsent === 0 && !this.#wasUnsent) return 0;
    this.#wasUnsent = unsent > 0;
    const streamed = this.#socket.writableLength - this.#responseBytes;
    if (streamed > this.#deps.limits.unsentBytesMax) this.close(CLOSE_CODES.slowConsumer, 'slow consumer');
    this.#deps.slow.note(this);
    return unsent;
  }

  ping(): void {
    // While it is held back its pong would not be read, and would count as missing.
    if (!this.isOpen || this.#isHeldBack) return;
    if (this.#missedPings >= MISSED_PINGS_MAX) {
      this.#ws.terminate();
      return;
    }
    this.#missedPings += 1;
    this.#ws.ping();
  }

  close(code: number, reason: string): void {
    if (this.isOpen) this.closeCode = code;
    this.#listener.onEnd();
    this.#ws.close(code, reason);
    // A paused socket would not see the peer's close frame.
    this.#release();
    this.#ws.resume();
    this.#cutSoon();
  }

  restart(): void {
    this.close(CLOSE_CODES.goingAway, 'the stream restarted at an earlier block');
  }

  /** Terminates a connection that is too slow, without a close frame, which would queue behind the unsent bytes. */
  cut(): void {
    this.closeCode ??= CLOSE_CODES.slowConsumer;
    this.#listener.onEnd();
    this.#ws.terminate();
  }

  #cutSoon(): void {
    this.#cancelCut ??= this.#deps.clock.after(CLOSE_GRACE_MS, () => this.#ws.terminate());
  }

  /**
   * Counts a message or a control frame (WS-30). After too many, the rest waits for a while: clients that subscribe to
   * all coins at once, as they do after a reconnect, would be disconnected again and again otherwise.
   */
  #count(): void {
    this.#refill();
    this.#allowance -= 1;
    if (this.#allowance < 0 && !this.#isHeldBack) this.#holdBack();
  }

  get #isHeldBack(): boolean {
    return this.#cancelHold !== undefined;
  }

  #release(): void {
    this.#cancelHold?.();
    this.#cancelHold = undefined;
  }

  #refill(): void {
    const { clock, limits } = this.#deps;
    const now = clock.now();
    const refill = ((now - this.#allowanceAt) / 1_000) * limits.messagesPerSecondMax;
    this.#allowance = Math.min(limits.messagesPerSecondMax, this.#allowance + refill);
    this.#allowanceAt = now;
  }

  /** Reads and handles nothing until what was handled is within the limit. */
  #holdBack(): void {
    const { clock, limits } = this.#deps;
    this.#ws.pause();
    this.#cancelHold = clock.after(Math.ceil((-this.#allowance / limits.messagesPerSecondMax) * 1_000), () => {
      this.#cancelHold = undefined;
      this.#refill();
      if (this.#allowance < 0) this.#holdBack();
      else this.#handleWaiting();
    });
  }

  #onMessage(data: Buffer, isBinary: boolean): void {
    if (!this.isOpen) {
      this.#count();
      return;
    }
    this.#waiting.push(isBinary ? null : data.toString());
    this.#handleWaiting();
  }

  /** Handles what waits, as far as the limit allows, and then reads more: never more than one read waits. */
  #handleWaiting(): void {
    while (!this.#isPaused && !this.#isHeldBack && this.isOpen) {
      const text = this.#waiting.shift();
      if (text === undefined) break;
      this.#count();
      this.#listener.onText(text);
    }
    if (!this.#isPaused && !this.#isHeldBack) this.#ws.resume();
  }

  /** Pauses handling of messages. They stay in the socket, except for those that were already read. */
  pause(): void {
    this.#isPaused = true;
    this.#ws.pause();
  }

  /** Pauses until all bytes so far are sent; `drain` is not emitted below the high-water mark. */
  pauseUntilSent(first: () => void): void {
    this.pause();
    this.#socket.write('', (error) => {
      if (!error) this.resume(first);
    });
  }

  resume(first: () => void): void {
    this.#isPaused = false;
    first();
    this.#handleWaiting();
  }
}

/** Bounds the unsent bytes of all connections together (D30): above it, the one with the most is terminated. */
export class SlowConsumers {
  readonly #totalMax: number;
  /** Connections with unsent bytes after their last write, and how many. What was sent since is not subtracted yet. */
  readonly #counted = new Map<Peer, number>();
  #total = 0;

  constructor(totalMax: number) {
    this.#totalMax = totalMax;
  }

  /** Current unsent bytes of all connections. */
  get total(): number {
    for (const peer of this.#counted.keys()) this.#count(peer, peer.unsentBytes);
    return this.#total;
  }

  /** Must be called after each write to a connection, unless it had nothing unsent before and after. */
  note(peer: Peer): void {
    this.#count(peer, peer.unsentBytes);
    if (this.#total <= this.#totalMax) return;
    while (this.total > this.#totalMax) {
      const [[slowest] = []] = [...this.#counted].sort(([, a], [, b]) => b - a);
      if (slowest === undefined) return;
      this.forget(slowest);
      slowest.cut();
    }
  }

  forget(peer: Peer): void {
    this.#count(peer, 0);
  }

  #count(peer: Peer, bytes: number): void {
    this.#total += bytes - (this.#counted.get(peer) ?? 0);
    if (bytes > 0) this.#counted.set(peer, bytes);
    else this.#counted.delete(peer);
  }
}
