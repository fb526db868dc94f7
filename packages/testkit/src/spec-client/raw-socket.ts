import { createHash, randomBytes } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const OPCODE = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;

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

/** A WebSocket client over a bare TCP or TLS socket: RFC 6455 without extensions and without a library. */
export class RawSocket {
  readonly #tcp: Socket;
  readonly #handlers: RawSocketHandlers;
  #pending: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #closing: { readonly code: number; readonly reason: string } | undefined;

  private constructor(tcp: Socket, handlers: RawSocketHandlers) {
    this.#tcp = tcp;
    this.#handlers = handlers;
    tcp.setNoDelay(true);
    tcp.on('data', (data: Buffer) => this.#take(data));
    tcp.on('close', () => handlers.onClose(this.#closing?.code ?? 1006, this.#closing?.reason ?? ''));
    tcp.on('error', () => tcp.destroy());
  }

  /** Opens a socket at a `ws:` or `wss:` URL. Rejects with UpgradeRefused or with the network error. */
  static open(
    url: string,
    handlers: RawSocketHandlers,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RawSocket> {
    const { protocol, hostname, port, host, pathname, search } = new URL(url);
    const secure = protocol === 'wss:';
    const target = { host: hostname, port: Number(port || (secure ? 443 : 80)) };
    const key = randomBytes(16).toString('base64');
    const lines = [
      `GET ${pathname}${search} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${key}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    return new Promise((resolve, reject) => {
      const tcp = secure ? connectTls({ ...target, servername: hostname }) : connectTcp(target);
      let response = Buffer.alloc(0);
      const fail = (error: Error) => {
        tcp.destroy();
        reject(error);
      };
      const onEnd = () => {
        const text = response.toString();
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? Number.NaN);
        fail(
          Number.isNaN(status)
            ? new Error('the connection was closed without a response')
            : new UpgradeRefused(status, text),
        );
      };
      const onData = (data: Buffer) => {
        response = Buffer.concat([response, data]);
        const end = response.indexOf('\r\n\r\n');
        if (end < 0) return;
        const head = response.subarray(0, end).toString();
        // A refusal is read to its end, because its body has the reason.
        if (!head.startsWith('HTTP/1.1 101 ')) return;
        tcp.off('data', onData).off('close', onEnd).off('error', fail);
        const accept = createHash('sha1')
          .update(key + GUID)
          .digest('base64');
        if (/^sec-websocket-accept: *(\S+)$/im.exec(head)?.[1] !== accept) {
          fail(new Error('Sec-WebSocket-Accept is wrong'));
          return;
        }
        const socket = new RawSocket(tcp, handlers);
        resolve(socket);
        socket.#take(response.subarray(end + 4));
      };
      tcp.on('data', onData).on('close', onEnd).on('error', fail);
      tcp.once(secure ? 'secureConnect' : 'connect', () => tcp.write(`${lines.join('\r\n')}\r\n\r\n`));
    });
  }

  sendText(text: string): void {
    this.#send(OPCODE.text, Buffer.from(text));
  }

  sendBinary(data: Buffer): void {
    this.#send(OPCODE.binary, data);
  }

  /** Sends raw bytes, for frames that no client should send. */
  sendBytes(data: Buffer): void {
    this.#tcp.write(data);
  }

  /** Stops reading, so that the server's bytes accumulate. */
  pause(): void {
    this.#tcp.pause();
  }

  resume(): void {
    this.#tcp.resume();
  }

  /** Sends a close frame and ends the connection. */
  close(code = 1000): void {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#send(OPCODE.close, payload);
    this.#tcp.end();
  }

  /** Breaks the connection without a close frame. */
  destroy(): void {
    this.#tcp.destroy();
  }

  #send(opcode: number, payload: Buffer): void {
    const mask = randomBytes(4);
    const masked = Buffer.from(payload);
    for (let index = 0; index < masked.length; index += 1) {
      masked.writeUInt8(masked.readUInt8(index) ^ mask.readUInt8(index % 4), index);
    }
    this.#tcp.write(Buffer.concat([frameHead(opcode, payload.length), mask, masked]));
  }

  #take(data: Buffer): void {
    this.#pending = this.#pending.length === 0 ? data : Buffer.concat([this.#pending, data]);
    for (let frame = readFrame(this.#pending); frame !== undefined; frame = readFrame(this.#pending)) {
      this.#pending = this.#pending.subarray(frame.length);
      this.#receive(frame);
    }
  }

  #receive({ opcode, final, masked, reserved, payload }: Frame): void {
    if (masked) this.#handlers.onViolation('a server must not mask a frame');
    if (reserved) this.#handlers.onViolation('a reserved bit is set though no extension was agreed');
    switch (opcode) {
      case OPCODE.text:
      case OPCODE.continuation:
        if (final && this.#parts.length === 0) return this.#handlers.onText(payload.toString('utf8'));
        this.#parts.push(payload);
        if (final) this.#handlers.onText(Buffer.concat(this.#parts.splice(0)).toString('utf8'));
        return;
      case OPCODE.ping:
        this.#send(OPCODE.pong, payload);
        return;
      case OPCODE.pong:
        return;
      case OPCODE.close:
        this.#closing =
          payload.length < 2
            ? { code: 1005, reason: '' }
            : { code: payload.readUInt16BE(0), reason: payload.subarray(2).toString('utf8') };
        this.#send(OPCODE.close, payload.subarray(0, 2));
        this.#tcp.end();
        return;
      default:
        this.#handlers.onViolation(`a frame with opcode ${opcode}`);
    }
  }
}

interface Frame {
  /** Length of the whole frame in bytes. */
  readonly length: number;
  readonly opcode: number;
  readonly final: boolean;
  readonly reserved: boolean;
  readonly masked: boolean;
  readonly payload: Buffer;
}

/** Returns the first frame of the data, or undefined while it is incomplete. */
function readFrame(data: Buffer): Frame | undefined {
  if (data.length < 2) return undefined;
  const first = data.readUInt8(0);
  const second = data.readUInt8(1);
  const short = second & 0x7f;
  const headLength = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (data.length < headLength) return undefined;
  const size = short < 126 ? short : short === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2));
  const length = headLength + size;
  if (data.length < length) return undefined;
  return {
    length,
    opcode: first & 0x0f,
    final: (first & 0x80) !== 0,
    reserved: (first & 0x70) !== 0,
    masked: (second & 0x80) !== 0,
    payload: data.subarray(headLength, length),
  };
}

function frameHead(opcode: number, size: number): Buffer {
  if (size < 126) return Buffer.from([0x80 | opcode, 0x80 | size]);
  if (size < 65_536) {
    const head = Buffer.alloc(4);
    head.set([0x80 | opcode, 0x80 | 126]);
    head.writeUInt16BE(size, 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head.set([0x80 | opcode, 0x80 | 127]);
  head.writeBigUInt64BE(BigInt(size), 2);
  return head;
}
