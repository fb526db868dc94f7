import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Memory } from './pending-responses.ts';

/** Up to this size, copying the body once more costs less than writing it separately from the head. */
const ONE_WRITE_BYTES_MAX = 8 * 1024;

/** Responds with JSON that must not be cached, because it is short-lived or personal. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendJsonBytes(response, status, [Buffer.from(JSON.stringify(value))]);
}

/**
 * Like `sendJson`, but takes the JSON text as byte chunks, which may be compressed. Returns the memory that the response
 * retains until it is read: the whole underlying buffer of each chunk sent as is, or a copy that no other response shares.
 */
export function sendJsonBytes(
  response: ServerResponse,
  status: number,
  parts: readonly Uint8Array[],
  encoding = 'identity',
): readonly Memory[] {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader(
    'Content-Length',
    parts.reduce((size, part) => size + part.byteLength, 0),
  );
  if (response.req.method === 'HEAD') {
    response.end();
    return [];
  }
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && only.byteLength <= ONE_WRITE_BYTES_MAX) {
    // Node sends a string together with the head in the cheapest kind of write. In latin1 every byte is one character.
    response.end(Buffer.from(only.buffer, only.byteOffset, only.byteLength).toString('latin1'), 'latin1');
    return [{ byteLength: only.byteLength }];
  }
  // Corked, so that the parts leave in as few segments as a single chunk would.
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
  response.uncork();
  return parts.map(({ buffer }) => buffer);
}

/** The path of a request, without its query. */
export function requestPath(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** Returns a signal that aborts when the client disconnects before its response is complete. */
export function clientGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
