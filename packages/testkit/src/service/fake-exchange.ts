import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface FakeQuery {
  readonly type: string;
  readonly dex?: string;
  readonly user?: string;
  readonly [field: string]: unknown;
}

/** A response to a query, or a way to fail it. */
export type FakeResponse =
  | { readonly json: unknown; readonly delayMs?: number }
  | {
      readonly status: number;
      readonly text: string | Buffer;
      readonly headers?: Readonly<Record<string, string>>;
      readonly delayMs?: number;
    }
  /** Never responds. */
  | 'hang'
  /** Closes the connection without sending a byte. */
  | 'cut'
  /** Closes the connection in the middle of the response. */
  | 'break'
  /** Waits for this promise and sends what it resolves with. */
  | { readonly until: Promise<FakeResponse> };

const asset = (name: string, more: object = {}) => ({ name, szDecimals: 2, maxLeverage: 10, ...more });

/** An info endpoint on a real socket: a few perps, one builder dex, and whatever a test overrides. */
export class FakeExchange implements AsyncDisposable {
  readonly #server: Server;
  /** Bodies of all queries. */
  readonly asked: FakeQuery[] = [];
  /** The `Authorization` header of each query. */
  readonly keys: (string | undefined)[] = [];
  /** The `Accept-Encoding` of each request. */
  readonly encodings: (string | undefined)[] = [];
  /** Responses by query, keyed by `type`, `type dex` or `type user`. The most specific key wins. */
  readonly responses = new Map<string, FakeResponse | ((query: FakeQuery, count: number) => FakeResponse)>([
    ['meta', { json: { universe: [asset('BTC'), asset('ETH'), asset('OLD', { isDelisted: true })] } }],
    ['perpDexs', { json: [null, { name: 'xyz' }] }],
    ['meta xyz', { json: { universe: [asset('xyz:GOLD'), asset('BTC')] } }],
  ]);
  /** Calls that currently wait for a response, and the most there ever were. */
  open = 0;
  openMax = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      void (async () => {
        const query = JSON.parse(await text(request)) as FakeQuery;
        this.asked.push(query);
        this.keys.push(request.headers.authorization);
        this.encodings.push(request.headers['accept-encoding']);
        this.open += 1;
        this.openMax = Math.max(this.openMax, this.open);
        response.once('close', () => {
          this.open -= 1;
        });
        await this.#respond(this.#responseTo(query), response);
      })();
    });
  }

  #responseTo(query: FakeQuery): FakeResponse | undefined {
    const { type, dex, user } = query;
    const narrow = [dex, user].filter((word) => word !== undefined).map((word) => `${type} ${word}`);
    const wide = dex === undefined || user !== undefined ? type : `${type} ${dex}`;
    const key = narrow.find((words) => this.responses.has(words)) ?? wide;
    const response = this.responses.get(key);
    return typeof response === 'function' ? response(query, this.countOf(type)) : response;
  }

  async #respond(reply: FakeResponse | undefined, response: ServerResponse): Promise<void> {
    if (reply === 'hang') return;
    if (reply === 'cut') response.socket?.destroy();
    else if (reply === 'break') {
      response.writeHead(200, { 'content-length': '100' }).write('{"cut":');
      setImmediate(() => response.socket?.end());
    } else if (reply === undefined) response.writeHead(422).end('Failed to deserialize the JSON body');
    else if ('until' in reply) await this.#respond(await reply.until, response);
    else {
      const send = () => {
        if ('json' in reply)
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply.json));
        else response.writeHead(reply.status, reply.headers).end(reply.text);
      };
      if (reply.delayMs === undefined) send();
      else setTimeout(send, reply.delayMs);
    }
  }

  /** Delays the responses to a query, until the returned function is called with one. */
  holdBack(words: string): (response: FakeResponse) => void {
    let letGo: (response: FakeResponse) => void = () => {};
    this.responses.set(words, { until: new Promise((resolve) => (letGo = resolve)) });
    return (response) => letGo(response);
  }

  /** Returns how often a kind was queried. */
  countOf(type: string): number {
    return this.asked.filter((query) => query.type === type).length;
  }

  static async start(): Promise<FakeExchange> {
    const exchange = new FakeExchange();
    await new Promise<void>((resolve) => exchange.#server.listen(0, '127.0.0.1', resolve));
    return exchange;
  }

  get infoUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/info`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
