import { isAscii } from 'node:buffer';
import type { Socket, SocketEvent } from '@l4desk/client/stream';
import { WebSocket } from 'ws';

/** Most bytes of one upstream message: a snapshot of the largest book is about 16 MB. */
const MESSAGE_BYTES_MAX = 512 * 1024 * 1024;

const HANDSHAKE_MS = 10_000;

/**
 * Opens a socket to an upstream; `onBytes` is called when bytes come on it, part of a message too. Its listeners are to be
 * added before anything can happen on it.
 */
export function openUpstream(url: string, onBytes: () => void, compress = false): WebSocket {
  const socket = new WebSocket(url, {
    perMessageDeflate: compress,
    maxPayload: MESSAGE_BYTES_MAX,
    handshakeTimeout: HANDSHAKE_MS,
  });
  // Not before it is open: what came with the handshake would go to this listener alone, and its messages be lost. From then
  // on first: bytes are reported before the message that they complete.
  socket.on('upgrade', (response) => socket.once('open', () => response.socket.prependListener('data', onBytes)));
  return socket;
}

export interface UpstreamSocketOptions {
  /** Whether to offer permessage-deflate: worth it over the internet, not beside a node. */
  readonly compress: boolean;
  /** Bytes came, of whatever. */
  readonly onBytes: () => void;
  readonly onPong: () => void;
}

/** A socket of the `ws` package as a client's follower knows one, with what an upstream is watched by: bytes, pings and pongs. */
export class UpstreamSocket implements Socket {
  readonly #socket: WebSocket;

  constructor(url: string, { compress, onBytes, onPong }: UpstreamSocketOptions) {
    this.#socket = openUpstream(url, onBytes, compress);
    this.#socket.on('pong', onPong);
    // An invalid message ends the socket at once, without waiting for the other side to close it.
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

/** The text of a message. Nearly all are ASCII, which is copied as it is. */
export function textOf(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
}

/** What went wrong with a socket, without naming any host (INFO-7). */
export function problemOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
