import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An answer to a query, or a way to fail it. */
export type FakeAnswer =
  | { readonly json: unknown }
  | { readonly status: number; readonly text: string }
  | 'hang'
  | 'cut';

const asset = (name: string, more: object = {}) => ({ name, szDecimals: 2, maxLeverage: 10, ...more });

/** An info endpoint on a real socket: a few perps, one builder dex, and whatever a test replaces. */
export class FakeExchange implements AsyncDisposable {
  readonly #server: Server;
  /** Bodies it was sent. */
  readonly asked: unknown[] = [];
  /** Answers by query, in the words `type` or `type dex`. */
  readonly answers = new Map<string, FakeAnswer>([
    ['meta', { json: { universe: [asset('BTC'), asset('ETH'), asset('OLD', { isDelisted: true })] } }],
    ['perpDexs', { json: [null, { name: 'xyz' }] }],
    ['meta xyz', { json: { universe: [asset('xyz:GOLD'), asset('BTC')] } }],
  ]);

  private constructor() {
    this.#server = createServer((request, response) => {
      void (async () => {
        const body = JSON.parse(await text(request)) as { readonly type: string; readonly dex?: string };
        this.asked.push(body);
        const answer = this.answers.get(body.dex === undefined ? body.type : `${body.type} ${body.dex}`);
        if (answer === 'hang') return;
        if (answer === 'cut') request.socket.destroy();
        else if (answer === undefined) response.writeHead(422).end('Failed to deserialize the JSON body');
        else if ('json' in answer)
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.json));
        else response.writeHead(answer.status).end(answer.text);
      })();
    });
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
