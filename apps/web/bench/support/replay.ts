import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import { passOn } from './pass-on.ts';

/** Interval of the exchange's blocks. */
export const BLOCK_MS = 67;

/** A stretch of a coin's stream as the service sends it: a snapshot, and the messages after it. */
export interface Recording {
  readonly coin: string;
  readonly snapshot: Buffer;
  readonly blocks: readonly Buffer[];
}

/**
 * Replays a recording to pages at the exchange's pace, each subscription from the start; everything else is passed on to the real
 * service behind it, which is otherwise idle. So a page is measured without the cost of the stack.
 */
export class Replay implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #recording: Recording;
  readonly #service: URL;

  private constructor(serviceUrl: string, recording: Recording) {
    this.#service = new URL(serviceUrl);
    this.#recording = recording;
    this.#server = createServer((incoming, response) => void this.#respond(incoming, response));
    this.#server.on('upgrade', (incoming, socket, head) => {
      this.#sockets.handleUpgrade(incoming, socket, head, (opened) => this.#welcome(opened));
    });
  }

  static async start(serviceUrl: string, recording: Recording): Promise<Replay> {
    const replay = new Replay(serviceUrl, recording);
    replay.#server.listen(0, '127.0.0.1');
    await once(replay.#server, 'listening');
    return replay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const { type, coin } = incoming.url === '/info' ? (JSON.parse(body) as Query) : {};
    if (type === 'l4BookSnapshot' && coin === this.#recording.coin)
      response.writeHead(200, { 'content-type': 'application/json' }).end(this.#recording.snapshot);
    else passOn(incoming, body, response, this.#service);
  }

  #welcome(socket: WebSocket): void {
    let playing: NodeJS.Timeout | undefined;
    socket.on('message', (data: Buffer) => {
      const { method, subscription } = JSON.parse(data.toString()) as ClientMessage;
      if (method === 'ping') return socket.send('{"channel":"pong"}');
      socket.send(JSON.stringify({ channel: 'subscriptionResponse', data: { method, subscription } }));
      if (![subscription?.coin].flat().includes(this.#recording.coin)) return;
      clearInterval(playing);
      if (method === 'subscribe') playing = this.#play(socket);
    });
    socket.once('close', () => clearInterval(playing));
  }

  #play(socket: WebSocket): NodeJS.Timeout {
    const blocks = this.#recording.blocks.values();
    const timer = setInterval(() => {
      const { value: block } = blocks.next();
      if (block === undefined) clearInterval(timer);
      else socket.send(block, { binary: false });
    }, BLOCK_MS);
    return timer;
  }
}

interface Query {
  readonly type?: string;
  readonly coin?: string;
}

interface ClientMessage {
  readonly method: string;
  readonly subscription?: { readonly coin?: string | readonly string[] };
}
