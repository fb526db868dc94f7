import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Stack } from '@l4desk/testkit/stack';
import { WebSocket, WebSocketServer } from 'ws';
import { passOn } from './pass-on.ts';

/** Interval of the exchange's blocks. */
const BLOCK_MS = 67;

/** A stretch of a coin's stream as the service sent it: a snapshot, and the messages after it. */
interface Stretch {
  readonly snapshot: Buffer;
  readonly blocks: readonly Buffer[];
}

/** Two stretches of one stream, with a gap between them. */
export interface Recording {
  readonly coin: string;
  readonly before: Stretch;
  readonly after: Stretch;
}

/** Steps a stack whose exchange is stopped through some blocks, and records the service's messages about a coin. */
export async function record(stack: Stack, key: string, coin: string, blocks: number): Promise<Recording> {
  const before = await stretch(stack, key, coin, blocks);
  await stack.venue.step(2);
  return { coin, before, after: await stretch(stack, key, coin, Math.ceil(blocks / 2)) };
}

async function stretch(stack: Stack, key: string, coin: string, blocks: number): Promise<Stretch> {
  const socket = new WebSocket(`${stack.url.replace('http', 'ws')}/ws?key=${key}`);
  const heard: Buffer[] = [];
  socket.on('message', (data: Buffer) => {
    if (data.includes('"Updates"')) heard.push(data);
  });
  await once(socket, 'open');
  socket.send(subscribe(coin));
  await once(socket, 'message');
  const response = await fetch(`${stack.url}/info`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'l4BookSnapshot', coin }),
  });
  const snapshot = Buffer.from(await response.arrayBuffer());
  while (heard.length < blocks) {
    const last = heard.length;
    await stack.venue.step();
    while (heard.length === last) await once(socket, 'message');
  }
  socket.close();
  return { snapshot, blocks: heard };
}

const subscribe = (coin: string) =>
  JSON.stringify({ method: 'subscribe', subscription: { type: 'l4BookUpdates', coin: [coin], statuses: 'book' } });

/**
 * Replays recordings to pages at the exchange's pace, each subscription from the start; everything else is passed on to the real
 * service behind it, which is otherwise idle. So a page is measured without the cost of the stack.
 */
export class Replay implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #recordings: ReadonlyMap<string, Recording>;
  readonly #service: URL;
  readonly #lost = new Set<string>();

  private constructor(serviceUrl: string, recordings: readonly Recording[]) {
    this.#service = new URL(serviceUrl);
    this.#recordings = new Map(recordings.map((recording) => [recording.coin, recording]));
    this.#server = createServer((incoming, response) => void this.#respond(incoming, response));
    this.#server.on('upgrade', (incoming, socket, head) => {
      this.#sockets.handleUpgrade(incoming, socket, head, (opened) => this.#welcome(opened));
    });
  }

  static async start(serviceUrl: string, recordings: readonly Recording[]): Promise<Replay> {
    const replay = new Replay(serviceUrl, recordings);
    replay.#server.listen(0, '127.0.0.1');
    await once(replay.#server, 'listening');
    return replay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Skips the rest of a coin's first stretch and a few more blocks, so that every page sees a gap. */
  lose(coin: string): void {
    this.#lost.add(coin);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const { type, coin = '' } = incoming.url === '/info' ? (JSON.parse(body) as Asked) : {};
    const recording = type === 'l4BookSnapshot' ? this.#recordings.get(coin) : undefined;
    if (recording !== undefined) {
      const { snapshot } = this.#lost.has(coin) ? recording.after : recording.before;
      response.writeHead(200, { 'content-type': 'application/json' }).end(snapshot);
      return;
    }
    passOn(incoming, body, response, this.#service);
  }

  #welcome(socket: WebSocket): void {
    const playing = new Map<string, NodeJS.Timeout>();
    socket.on('message', (data: Buffer) => {
      const { method, subscription } = JSON.parse(data.toString()) as Said;
      if (method === 'ping') return socket.send('{"channel":"pong"}');
      socket.send(JSON.stringify({ channel: 'subscriptionResponse', data: { method, subscription } }));
      for (const coin of [subscription?.coin ?? []].flat()) {
        clearInterval(playing.get(coin));
        if (method === 'subscribe') playing.set(coin, this.#play(socket, coin));
      }
    });
    socket.once('close', () => {
      for (const timer of playing.values()) clearInterval(timer);
    });
  }

  #play(socket: WebSocket, coin: string): NodeJS.Timeout {
    const recording = this.#recordings.get(coin);
    this.#lost.delete(coin);
    let playing = recording?.before.blocks;
    let at = 0;
    const timer = setInterval(() => {
      if (this.#lost.has(coin) && playing === recording?.before.blocks) {
        playing = recording?.after.blocks;
        at = 0;
      }
      const block = playing?.[at];
      at += 1;
      if (block === undefined) clearInterval(timer);
      else socket.send(block, { binary: false });
    }, BLOCK_MS);
    return timer;
  }
}

interface Asked {
  readonly type?: string;
  readonly coin?: string;
}

interface Said {
  readonly method: string;
  readonly subscription?: { readonly coin?: string | readonly string[] };
}
