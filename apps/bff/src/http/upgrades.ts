import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestQueue } from './request-queue.ts';

/** Emits `upgrade` as an HTTP server does. */
export type UpgradeSource = Pick<EventEmitter, 'on' | 'off'>;

/**
 * The WebSocket upgrades of a server. Once it listens for those, Node takes every request with an `Upgrade` header out of
 * the ordinary way, but any other protocol, such as the `h2c` that Java's client offers, is to be ignored (RFC 9110, 7.8).
 * A client that sends an upgrade before its other requests are served is not served: their responses would end up in
 * the WebSocket.
 */
export function webSocketUpgrades(server: Server, queue: Pick<RequestQueue, 'pending'>): UpgradeSource {
  const upgrades = new EventEmitter();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (queue.pending(socket).size > 0) socket.destroy();
    else if (request.headers.upgrade?.toLowerCase() === 'websocket') upgrades.emit('upgrade', request, socket, head);
    else parseAgain(server, request, socket, head);
  });
  return upgrades;
}

/** Headers of one connection only; `Connection: close` takes their place. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set(['upgrade', 'connection']);

/**
 * Hands the connection back to the server with the request's head as it was, but without the offer. That leaves a parser
 * and listeners on the socket, so it happens once: the request asks for the connection to be closed (INFO-36).
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
