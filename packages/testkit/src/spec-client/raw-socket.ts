import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';

/** The response to the upgrade was not 101. */
export class UpgradeRefused extends Error {
  readonly status: number;
  /** The whole response: status line, headers and body. */
  readonly response: string;

  constructor(status: number, response: string) {
    super(`the upgrade was refused with ${status}`);
    this.name = 'UpgradeRefused';
    this.status = status;
    this.response = response;
  }
}

export interface RawSocketHandlers {
  onText(text: string): void;
  /** The connection ended, with the close code it sent (1006 if none) and its reason. Called once. */
  onClose(code: number, reason: string): void;
  /** The server sent a frame that RFC 6455 forbids. */
  onViolation(what: string): void;
}

/** A WebSocket without extensions, that can also send frames that no client should send. */
export class RawSocket {
  readonly #socket: WebSocket;
  readonly #tcp: Socket;

  private constructor(socket: WebSocket, tcp: Socket) {
    this.#socket = socket;
    this.#tcp = tcp;
  }

  /** Opens a socket at a `ws:` or `wss:` URL. Rejects with UpgradeRefused or with the network error. */
  static open(
    url: string,
    handlers: RawSocketHandlers,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RawSocket> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, { headers, perMessageDeflate: false });
      // A refusal is read to its end, because its body has the reason.
      socket.on('unexpected-response', (_, response) => void refusalOf(response).then(reject, reject));
      socket.on('error', reject);
      socket.on('upgrade', ({ socket: tcp }) => {
        socket.off('error', reject);
        socket.on('error', (error) => {
          if ('code' in error && String(error.code).startsWith('WS_ERR_')) handlers.onViolation(error.message);
        });
        socket.on('message', (data: Buffer, isBinary) => {
          if (isBinary) handlers.onViolation('a binary frame');
          else handlers.onText(data.toString());
        });
        socket.on('close', (code, reason) => handlers.onClose(code, reason.toString()));
        socket.on('open', () => resolve(new RawSocket(socket, tcp)));
      });
    });
  }

  sendText(message: string): void {
    this.#socket.send(message);
  }

  sendBinary(data: Buffer): void {
    this.#socket.send(data);
  }

  /** Sends raw bytes, for frames that no client should send. */
  sendBytes(data: Buffer): void {
    this.#tcp.write(data);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Sends a close frame and ends the connection. */
  close(code = 1000): void {
    this.#socket.close(code);
  }

  /** Breaks the connection without a close frame. */
  destroy(): void {
    this.#socket.terminate();
  }
}

async function refusalOf(response: IncomingMessage): Promise<UpgradeRefused> {
  const { rawHeaders, statusCode = 0, statusMessage = '' } = response;
  const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []));
  const head = [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines].join('\r\n');
  return new UpgradeRefused(statusCode, `${head}\r\n\r\n${await text(response)}`);
}
