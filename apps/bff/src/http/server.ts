import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '@l4desk/protocol';
import { refuseUpgrade, sendError } from './errors.ts';

/** Timeouts of idle connections, request heads and whole requests, and how often Node checks them, in ms. */
const HTTP_TIMES = {
  // Longer than Traefik (90 s), Caddy (2 min) and Google's load balancer (10 min) keep idle connections: a proxy whose connection is
  // closed while it sends a POST responds with 502, because a POST is not repeated.
  keepAliveTimeout: 620_000,
  headersTimeout: 20_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** Connections of all clients, streams included. A further one is closed at once, because files and upstreams need sockets too. */
const CONNECTIONS_MAX = 20_000;

/** Unanswered requests of one connection: Node starts each pipelined request at once, thousands in one turn. */
const PIPELINED_REQUESTS_MAX = 64;

export type HttpLimits = Partial<Record<keyof typeof HTTP_TIMES | 'maxConnections', number>>;

/** A listening HTTP server. Node serves requests with `serve`; only WebSocket upgrades are handled apart. */
export type HttpServer = Awaited<ReturnType<typeof startHttpServer>>;

/** Starts a server. `port` 0 picks a free port. */
export async function startHttpServer(host: string, port: number, limits: HttpLimits = {}) {
  const { maxConnections = CONNECTIONS_MAX, ...times } = limits;
  const server = createServer({ ...HTTP_TIMES, ...times, requireHostHeader: false });
  server.maxConnections = maxConnections;
  const upgrades = new EventEmitter();
  /** The unfinished responses of each connection. */
  const unfinished = new Map<Duplex, Set<ServerResponse>>();
  let isClosing = false;

  /** Whether a refusal would be taken for the response to an earlier request of the connection. */
  const isAnswering = (socket: Duplex) =>
    [...(unfinished.get(socket) ?? [])].some(({ req, headersSent }) => headersSent || req.complete);

  const serve = (listener: RequestListener) => (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // After a connection is closed, Node still parses what was already read.
    if (socket.destroyed) return;
    const responses = unfinished.get(socket) ?? new Set();
    if (responses.size === PIPELINED_REQUESTS_MAX) {
      socket.destroy();
      return;
    }
    unfinished.set(socket, responses.add(response));
    response.once('close', () => {
      responses.delete(response);
      if (responses.size === 0) unfinished.delete(socket);
    });
    listener(request, response);
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refusal = hostHeaderRefusal(request);
    // Responses to requests that came before the upgrade would end up in the WebSocket.
    if (isAnswering(socket)) socket.destroy();
    else if (request.headers.upgrade?.toLowerCase() !== 'websocket') parseAgain(server, request, socket, head);
    else if (refusal === undefined) upgrades.emit('upgrade', request, socket, head);
    else refuseUpgrade(socket, refusal);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    if (isAnswering(socket)) socket.destroy();
    else refuseUpgrade(socket, new ApiError('method_not_allowed', 'CONNECT is not supported.'));
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    sendError(response, new ApiError('unmet_expectation')),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable && !isAnswering(socket)) refuseUpgrade(socket, unreadable(error.code));
    else socket.destroy();
  });

  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Emits `upgrade` for WebSocket upgrades, like a server of Node. */
    upgrades,
    /** Calls the listener for every connection that is closed because of the maximum. */
    onDrop: (listener: () => void) => void server.on('drop', listener),
    isClosing: () => isClosing,
    /** Sets the handler of requests. Must be called before the next tick of the event loop. */
    serve: (listener: RequestListener) => void server.on('request', serve(listener)),
    /** Stops accepting. Resolves when all connections are closed; destroys what is still open after `graceMs`. */
    async close(graceMs: number): Promise<void> {
      isClosing = true;
      for (const responses of unfinished.values()) for (const response of responses) response.shouldKeepAlive = false;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** Refuses a request without exactly one `Host`: of several, a proxy may have checked another one than Node reads. */
export function hostHeaderRefusal({ rawHeaders, httpVersion }: IncomingMessage): ApiError | undefined {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1) return new ApiError('invalid_request', 'The Host header is given more than once.');
  if (hosts === 1 || httpVersion === '1.0') return undefined;
  return new ApiError('invalid_request', 'The Host header is missing.');
}

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

/** Hop-by-hop headers that are replaced by `Connection: close`. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set(['upgrade', 'connection']);

/**
 * Serves a request that offers another protocol, such as the `h2c` of Java's client, as if it offered none. With an
 * `upgrade` listener, Node 20 diverts it, so the connection gets the same head again; this leaves a parser on the
 * socket, which is closed after it.
 */
function parseAgain(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\nConnection: close\r\n`;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (!CONNECTION_HEADERS.has(rawHeaders[at]?.toLowerCase() ?? ''))
      text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
