import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseUpgrade, ServiceError } from './errors.ts';

/** Emits `upgrade` as an HTTP server does. */
export type UpgradeSource = Pick<EventEmitter, 'on' | 'off'>;

/**
 * The WebSocket upgrades of a server. Node takes every request with an `Upgrade` header out of the ordinary way once
 * somebody listens for WebSockets, but any other offer, such as the `h2c` that Java's client makes with its first
 * request, may be ignored: such a request is answered as if it had not been made (RFC 9110, 7.8). Either comes after the
 * answers of the calls before it on its connection, and a WebSocket is refused then: their answers would have landed in it.
 */
export function webSocketUpgrades(server: Server): UpgradeSource {
  const upgrades = new EventEmitter();
  const calls = callsUnderWay(server);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    const isBehindCalls = calls.whenAnswered(socket, () => {
      if (socket.destroyed) return;
      if (isWebSocket) refuseUpgrade(socket, PIPELINED);
      else readAgain(server, request, socket, head);
    });
    if (isBehindCalls) return;
    if (isWebSocket) upgrades.emit('upgrade', request, socket, head);
    else readAgain(server, request, socket, head);
  });
  return upgrades;
}

const PIPELINED = new ServiceError(
  'invalid_request',
  'A WebSocket opens on a connection of its own, not behind calls that are not answered yet.',
);

/** Calls of each connection that are not answered yet. */
function callsUnderWay(server: Server) {
  const open = new WeakMap<Duplex, { count: number; onAnswered?: () => void }>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const calls = open.get(socket) ?? { count: 0 };
    open.set(socket, calls);
    calls.count += 1;
    response.once('close', () => {
      calls.count -= 1;
      if (calls.count === 0) calls.onAnswered?.();
    });
  });
  return {
    /** Runs something once every call of the connection is answered; says no, and never does, when all are. */
    whenAnswered(socket: Duplex, run: () => void): boolean {
      const calls = open.get(socket);
      if (calls === undefined || calls.count === 0) return false;
      // Node has taken its own listener away.
      socket.on('error', () => socket.destroy());
      calls.onAnswered = () => {
        delete calls.onAnswered;
        run();
      };
      return true;
    },
  };
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
