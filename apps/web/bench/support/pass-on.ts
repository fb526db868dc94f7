import { type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Forwards a request, whose body was already read, to the service behind, and returns its response. */
export function passOn(incoming: IncomingMessage, body: string, response: ServerResponse, service: URL): void {
  const { method, url, headers } = incoming;
  const passed = { ...headers, host: service.host, ...(headers.origin && { origin: service.origin }) };
  const { hostname, port } = service;
  const outgoing = request({ hostname, port, method, path: url, headers: passed }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  });
  outgoing.once('error', () => response.destroy());
  outgoing.end(body);
}
