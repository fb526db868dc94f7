import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { z } from '@l4desk/protocol';

/**
 * Readers as light as can be, in a process of their own, so that a benchmark measures the server: bare sockets that say
 * hello once and count bytes. The channel tells them how to greet; for `count` it sends how many bytes came so far.
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

/** What a reader sends: a first text, and what follows once that had a response. Each has one. */
export interface Greeting {
  readonly hello: string;
  readonly request: Buffer;
}

/** A masked text frame, as a client sends it; masked with zeros, which leaves the text as it is. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.set([0x81, 0x80 | 126]);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

/** A stream client that subscribes to coins. `compress` offers permessage-deflate as browsers do. */
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

/** Sockets of another process that read what a server sends. */
export class SocketReaders implements Disposable {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /** Opens a socket for each greeting, one after the other, and resolves when all are greeted back. */
  async open(port: number, greetings: readonly Greeting[]): Promise<void> {
    const plain = greetings.map(({ hello, request }) => [hello, request.toString('base64')]);
    this.#child.send({ kind: 'open', port, greetings: plain });
    await this.#report('ready');
  }

  /** Bytes that all of them have read. */
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
