import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Emits `upgrade` as an HTTP server does. */
export type UpgradeSource = Pick<EventEmitter, 'on' | 'off'>;

/**
 * The WebSocket upgrades of a server. Node takes every request with an `Upgrade` header out of the ordinary way once
 * somebody listens for WebSockets, but any other offer, such as the `h2c` that Java's client makes with its first
 * request, may be ignored: such a request is answered as if it had not been made (RFC 9110, 7.8).
 */
export function webSocketUpgrades(server: Server): UpgradeSource {
  const upgrades = new EventEmitter();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() === 'websocket') upgrades.emit('upgrade', request, socket, head);
    else readAgain(server, request, socket, head);
  });
  return upgrades;
}

/** Hands the connection back to the server with the request's head as it was but for the offer, so that it comes once only. */
function readAgain(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() !== 'upgrade') text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
