import type { Socket } from 'node:net';
import type { Clock, Log } from '@l4desk/feed';
import { CLOSE_CODES } from '@l4desk/protocol';
import type { WebSocket } from 'ws';
import { Allowance } from './allowance.ts';
import type { StreamLimits } from './limits.ts';
import type { Sender, UnsentBytes } from './unsent-bytes.ts';

/** Pings that a peer may miss (D21). */
const MISSED_PINGS_MAX = 2;

/** How long a peer has to finish the close handshake, in ms; what it has not read by then is dropped. */
const CLOSE_GRACE_MS = 1_000;

export interface PeerDeps {
  readonly unsent: UnsentBytes;
  readonly limits: StreamLimits;
  readonly clock: Clock;
  readonly log: Log;
}

/** The listener of a peer. */
export interface PeerListener {
  /** It sent a message; null means a binary one. */
  onText(text: string | null): void;
  /** Nothing of the stream reaches it from now on; this may be said again. */
  onEnd(): void;
}

/** The other end of a connection: heard one message after the other, sent no more than it takes, pinged, and let go. */
export class Peer implements Sender {
  readonly accountId: string;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #deps: PeerDeps;
  readonly #listener: PeerListener;
  readonly #allowance: Allowance;
  /** What arrived while it is held, to be handled in order. */
  readonly #waiting: string[] = [];
  #isHeld = false;
  #missedPings = 0;
  #wasUnsent = false;
  #closeCode: number | undefined;
  #cancelCut: (() => void) | undefined;

  constructor(ws: WebSocket, socket: Socket, accountId: string, deps: PeerDeps, listener: PeerListener) {
    this.#ws = ws;
    this.#socket = socket;
    this.accountId = accountId;
    this.#deps = deps;
    this.#listener = listener;
    this.#allowance = new Allowance(deps.limits.messagesPerSecondMax, deps.clock);
    ws.on('message', (data: Buffer, isBinary: boolean) => this.#onMessage(data, isBinary));
    ws.on('pong', () => {
      this.#missedPings = 0;
    });
    // A broken frame or one over the limit: ws closes the connection with the right code by itself.
    ws.on('error', (error) => {
      deps.log.debug({ err: error }, 'stream connection failed');
      if ('code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
        this.#closeCode ??= CLOSE_CODES.messageTooBig;
      listener.onEnd();
      this.#cutSoon();
    });
    ws.on('close', () => {
      listener.onEnd();
      this.#cancelCut?.();
      deps.unsent.forget(this);
    });
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  /** ws holds nothing back itself, so the socket's own backlog is all there is (D30). */
  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  /** What the service closed it with; undefined while it has not, and when the peer closed it or went away. */
  get closeCode(): number | undefined {
    return this.#closeCode;
  }

  /**
   * Writes a whole frame beside ws, whose own sends are in one piece too: without per-client compression none is ever
   * pending between two writes. After a close frame nothing may follow.
   */
  write(frame: Buffer): boolean {
    if (!this.isOpen) return true;
    this.#socket.write(frame);
    return this.#noteUnsent() === 0;
  }

  send(text: string): void {
    this.#ws.send(text, { compress: false });
    this.#noteUnsent();
  }

  /** Counts what is unsent after a write, and closes a consumer that is too slow; returns how many bytes. */
  #noteUnsent(): number {
    const unsent = this.unsentBytes;
    if (unsent === 0 && !this.#wasUnsent) return 0;
    this.#wasUnsent = unsent > 0;
    if (unsent > this.#deps.limits.unsentBytesMax) this.close(CLOSE_CODES.slowConsumer, 'slow consumer');
    this.#deps.unsent.note(this);
    return unsent;
  }

  /** Sends a protocol ping, or drops a peer that missed two. */
  ping(): void {
    if (!this.isOpen) return;
    if (this.#missedPings >= MISSED_PINGS_MAX) {
      this.#ws.terminate();
      return;
    }
    this.#missedPings += 1;
    this.#ws.ping();
  }

  /** Closes with a code and a reason; nothing of the stream reaches the client any more. */
  close(code: number, reason: string): void {
    if (this.isOpen) this.#closeCode = code;
    this.#listener.onEnd();
    this.#ws.close(code, reason);
    // While it is paused it would not see the peer's close.
    this.#ws.resume();
    this.#cutSoon();
  }

  /** Ends the connection as too slow, without a close frame, which would queue behind the unsent bytes. */
  cut(): void {
    this.#closeCode ??= CLOSE_CODES.slowConsumer;
    this.#listener.onEnd();
    this.#ws.terminate();
  }

  #cutSoon(): void {
    this.#cancelCut ??= this.#deps.clock.after(CLOSE_GRACE_MS, () => this.#ws.terminate());
  }

  #onMessage(data: Buffer, isBinary: boolean): void {
    if (!this.isOpen) return;
    if (!this.#allowance.take()) this.close(CLOSE_CODES.policyViolation, 'too many messages');
    else if (isBinary) this.#listener.onText(null);
    else if (this.#isHeld) this.#waiting.push(data.toString());
    else this.#listener.onText(data.toString());
  }

  /** What it sends from now on stays in its socket, except for what has been read already. */
  hold(): void {
    this.#isHeld = true;
    this.#ws.pause();
  }

  /** Holds until what it was sent is taken, and is released then. */
  holdUntilDrained(first: () => void): void {
    this.hold();
    this.#socket.once('drain', () => this.release(first));
  }

  /** Handles what arrived meanwhile, after `first`, until one of the messages has to be awaited. */
  release(first: () => void): void {
    this.#isHeld = false;
    first();
    while (!this.#isHeld && this.isOpen) {
      const text = this.#waiting.shift();
      if (text === undefined) break;
      this.#listener.onText(text);
    }
    if (!this.#isHeld) this.#ws.resume();
  }
}
