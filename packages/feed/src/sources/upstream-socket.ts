import { isAscii } from 'node:buffer';
import type { Socket, SocketEvent } from '@l4desk/runtime';
import { WebSocket } from 'ws';

/**
 * Maximum bytes of one upstream message, after decompression: four times the largest book seen, a BTC snapshot of 51,000 orders in
 * 16 MB. A frame past it is refused while it is inflated, because a small one can grow a thousandfold.
 */
export const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

/** Why a longer message ends the connection. */
export const MESSAGE_TOO_LONG = 'sent a message of more than 64 MiB';

const HANDSHAKE_MS = 10_000;

/**
 * Opens a socket to an upstream. Calls `onBytes` whenever bytes arrive, even part of a message. Add listeners synchronously, so
 * that they miss no event.
 */
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

/** Describes a socket error without host names (INFO-7). */
export function problemOf(error: Error): string {
  if ('code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return MESSAGE_TOO_LONG;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
