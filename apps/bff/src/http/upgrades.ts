import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseUpgrade } from './errors.ts';
import { hostHeaderRefusal } from './host-header.ts';
import type { RequestQueue } from './request-queue.ts';

/** Emits `upgrade` like an HTTP server. */
export type UpgradeSource = Pick<EventEmitter, 'on' | 'off'>;

/**
 * Emits the WebSocket upgrades of a server. With an `upgrade` listener, Node diverts every request that has an `Upgrade`
 * header, but other protocols, such as the `h2c` that Java's client offers, must be ignored (RFC 9110, 7.8). If a client
 * sends an upgrade before its earlier requests are served, its connection is closed: their responses would end up in the
 * WebSocket.
 */
export function webSocketUpgrades(server: Server, queue: Pick<RequestQueue, 'pending'>): UpgradeSource {
  const upgrades = new EventEmitter();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    const refusal = hostHeaderRefusal(request);
    if (queue.pending(socket).size > 0) socket.destroy();
    else if (!isWebSocket) parseAgain(server, request, socket, head);
    else if (refusal === undefined) upgrades.emit('upgrade', request, socket, head);
    else {
      socket.on('error', () => socket.destroy());
      refuseUpgrade(socket, refusal);
    }
  });
  return upgrades;
}

/** Hop-by-hop headers that are replaced by `Connection: close`. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set(['upgrade', 'connection']);

/**
 * Gives the connection back to the server with the same request head, but without the upgrade offer. That leaves a parser
 * and listeners on the socket, so it is done only once: the request asks for the connection to be closed (INFO-36).
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
