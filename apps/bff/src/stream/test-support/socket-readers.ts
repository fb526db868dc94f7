import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { z } from '@l4desk/protocol';

/**
 * Minimal readers in a separate process, so that a benchmark measures only the server: raw sockets that greet once and count
 * bytes. An IPC message defines their greetings. In response to `count` the process sends the number of bytes received.
 */
const PROGRAM = `
const { connect } = require('node:net');
let bytes = 0;
process.on('message', ({ kind, port, greetings, counts }) => {
  if (kind === 'count') return process.send({ kind: 'count', bytes });
  let open = 0;
  let waiting = greetings.length;
  const next = () => {
    if (open === greetings.length) return;
    const [hello, request] = greetings[open++];
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    socket.on('error', () => process.exit(1));
    let greeted = request === '';
    socket.on('connect', () => socket.write(hello));
    socket.on('data', (data) => {
      bytes += data.length;
      if (!greeted) {
        greeted = true;
        socket.write(Buffer.from(request, 'base64'));
      } else if (socket.ready !== true) {
        socket.ready = true;
        waiting -= 1;
        if (waiting === 0) process.send({ kind: 'ready' });
        else next();
      }
    });
  };
  next();
});
`;

const message = z.union([
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('count'), bytes: z.int() }),
]);

/** What a reader sends: a first text, and a request after the response to that. Both get a response. */
export interface Greeting {
  readonly hello: string;
  readonly request: Buffer;
}

/** A masked text frame, as sent by a client. The mask is zero, which leaves the text unchanged. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.set([0x81, 0x80 | 126]);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

/** The greeting of a stream client that subscribes to coins. `compress` offers permessage-deflate as browsers do. */
export function streamGreeting(coins: readonly string[], compress = false): Greeting {
  const lines = [
    'GET /ws?key=good HTTP/1.1',
    'Host: 127.0.0.1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...(compress ? ['Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits'] : []),
  ];
  const subscription = { type: 'l4BookUpdates', coin: coins };
  return {
    hello: `${lines.join('\r\n')}\r\n\r\n`,
    request: clientFrame(JSON.stringify({ method: 'subscribe', subscription })),
  };
}

/** Sockets in another process that read what a server sends. */
export class SocketReaders implements Disposable {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /** Opens a socket for each greeting, one after the other. Resolves when all have a response. */
  async open(port: number, greetings: readonly Greeting[]): Promise<void> {
    const plain = greetings.map(({ hello, request }) => [hello, request.toString('base64')]);
    this.#child.send({ kind: 'open', port, greetings: plain });
    await this.#report('ready');
  }

  /** Total bytes read by all sockets. */
  async bytesRead(): Promise<number> {
    this.#child.send({ kind: 'count' });
    const report = await this.#report('count');
    return report.kind === 'count' ? report.bytes : 0;
  }

  async #report(kind: 'ready' | 'count'): Promise<z.infer<typeof message>> {
    for (;;) {
      const [raw]: unknown[] = await once(this.#child, 'message');
      const report = message.parse(raw);
      if (report.kind === kind) return report;
    }
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}
