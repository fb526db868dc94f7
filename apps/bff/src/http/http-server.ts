import { createServer, type IncomingMessage, maxHeaderSize, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '@l4desk/protocol';
import { drain } from './body.ts';
import type { crossOrigin } from './cors.ts';
import { refuseUpgrade } from './errors.ts';
import { hostHeaderRefusal } from './host-header.ts';
import { listen } from './listen.ts';
import type { PendingResponses } from './pending-responses.ts';
import { refuse } from './request-log.ts';
import { RequestQueue } from './request-queue.ts';
import { requestPath } from './respond.ts';
import { type UpgradeSource, webSocketUpgrades } from './upgrades.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Timeouts of idle connections, request heads and whole requests, and how often Node checks them, in ms. */
const HTTP_TIMES = {
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
} as const;

export interface HttpServerOptions {
  /** Overrides `HTTP_TIMES`. */
  readonly times?: Partial<Record<keyof typeof HTTP_TIMES, number>> | undefined;
  /** Called when a connection is closed because too many of its requests are waiting. */
  readonly onOverflow: (request: IncomingMessage) => void;
}

/** The handlers of the server. */
export interface HttpRoutes {
  /** Called for every request before it is served. */
  readonly observe: Handler;
  readonly pending: PendingResponses;
  readonly cors: ReturnType<typeof crossOrigin>;
  /** Handles `/info`. */
  readonly info: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Handles every other path. */
  readonly app: Handler;
}

/** The HTTP server. Routes requests and upgrades, refuses malformed requests, and finishes its calls before it closes. */
export class HttpServer {
  /** The WebSocket upgrades. */
  readonly upgrades: UpgradeSource;
  readonly #server: Server;
  readonly #queue: RequestQueue;
  readonly #open = new Set<ServerResponse>();
  /** Unfinished `/info` calls, including those whose clients have disconnected. */
  readonly #calls = new Set<Promise<void>>();
  /** Requests with an `Expect` header that cannot be met. */
  readonly #unmet = new WeakSet<IncomingMessage>();
  #routes: HttpRoutes | undefined;
  #isClosing = false;

  constructor({ times, onOverflow }: HttpServerOptions) {
    this.#server = createServer({ ...HTTP_TIMES, ...times, requireHostHeader: false });
    this.#queue = new RequestQueue(this.#server, {
      serve: (request, response) => this.#serve(request, response),
      onOverflow,
    });
    this.upgrades = webSocketUpgrades(this.#server, this.#queue);
    this.#server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      this.#unmet.add(request);
      this.#server.emit('request', request, response);
    });
    this.#server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      // Without a listener, Node closes the connection without a response.
      socket.on('error', () => socket.destroy());
      if (this.#queue.pending(socket).size > 0) socket.destroy();
      else refuseUpgrade(socket, new ApiError('method_not_allowed', 'CONNECT is not supported.'));
    });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      // The client would take a refusal for the response to an earlier request that is complete or partly answered.
      const isBehind = [...this.#queue.pending(socket)].some(
        (response) => response.headersSent || response.req.complete,
      );
      if (socket.writable && !isBehind) refuseUpgrade(socket, unreadable(error.code));
      else socket.destroy();
    });
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Sets the handlers. Must be called before `listen`. */
  route(routes: HttpRoutes): void {
    this.#routes = routes;
  }

  /** Starts listening. Resolves with the actual port, which matters if `port` is 0. */
  listen(host: string, port: number): Promise<number> {
    return listen(this.#server, host, port);
  }

  /** Stops accepting. Resolves when all connections are closed and all calls are over; destroys what is open after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    for (const response of this.#open) response.shouldKeepAlive = false;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    let cut: NodeJS.Timeout | undefined;
    const graceOver = new Promise<void>((resolve) => {
      cut = setTimeout(() => {
        this.#server.closeAllConnections();
        resolve();
      }, graceMs);
    });
    await closed;
    // Calls already sent upstream are finished and charged even if the client has disconnected (BILL-24).
    await Promise.race([Promise.all(this.#calls), graceOver]);
    clearTimeout(cut);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.#routes === undefined) throw new Error('the server has no routes yet');
    const { observe, pending, cors, info, app } = this.#routes;
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    response.once('prefinish', () => pending.watch(response));
    observe(request, response);
    if (request.method !== 'POST') drain(request);
    const path = requestPath(request);
    const hostRefusal = hostHeaderRefusal(request);
    if (this.#isClosing) response.shouldKeepAlive = false;
    if (this.#isClosing && path !== '/healthz' && path !== '/readyz') {
      refuse(response, new ApiError('shutting_down', { headers: { 'Retry-After': '1' } }));
    } else if (this.#unmet.has(request)) {
      refuse(response, new ApiError('unmet_expectation'));
    } else if (hostRefusal !== undefined) {
      refuse(response, hostRefusal);
    } else if (path === '/info') {
      // Handled before Express, whose routing would cost this path a third of its speed.
      if (cors(request, response) === 'continue') this.#track(info(request, response));
    } else {
      app(request, response);
    }
  }

  #track(call: Promise<void>): void {
    this.#calls.add(call);
    void call.finally(() => this.#calls.delete(call));
  }
}

/** Maps a parser error to the refusal of a request that could not be read completely. */
function unreadable(code: string | undefined): ApiError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout');
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('headers_too_large', `The request headers must be at most ${maxHeaderSize / 1024} KiB.`);
    default:
      return new ApiError('invalid_request', 'Malformed HTTP request.');
  }
}
