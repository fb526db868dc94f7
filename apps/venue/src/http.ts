import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const BODY_MAX = 65_536;

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function jsonResponse(status: number, value: unknown): HttpResponse {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

export function textResponse(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body };
}

export function sendResponse(response: ServerResponse, reply: HttpResponse): void {
  response.writeHead(reply.status, reply.headers);
  response.end(reply.body);
}

/** The path of the request, without its query. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}

/** The whole body, or null if it is too large. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size <= BODY_MAX) chunks.push(bytes);
  }
  return size > BODY_MAX ? null : Buffer.concat(chunks).toString('utf8');
}

/** Starts listening. Resolves to the port; with port 0, the system chooses one. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Listens on a port or, if it is in use, on one that the system chooses. */
export async function listenOrFallBack(server: Server, port: number, host: string): Promise<number> {
  try {
    return await listen(server, port, host);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    return listen(server, 0, host);
  }
}

/** Closes a server with all its connections. */
export async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** A host as it is written in URLs: IPv6 in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
