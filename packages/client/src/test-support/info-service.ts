import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A query as it was sent. `body` is undefined for a GET. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Responds to one query. */
export type Responder = (asked: Asked, response: ServerResponse) => unknown;

/** A real HTTP server that responds as the test says, and records the queries. */
export class InfoService implements AsyncDisposable {
  readonly #server: Server;
  readonly asked: Asked[] = [];
  respond: Responder;

  private constructor(reply: Responder) {
    this.respond = reply;
    this.#server = createServer((request, response) => {
      void (async () => {
        const sent = await text(request);
        const asked: Asked = {
          path: request.url ?? '',
          authorization: request.headers.authorization,
          body: sent === '' ? undefined : JSON.parse(sent),
        };
        this.asked.push(asked);
        await this.respond(asked, response);
      })();
    });
  }

  static async start(response: Responder): Promise<InfoService> {
    const service = new InfoService(response);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function respondJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
