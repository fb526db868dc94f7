import type { ServerResponse } from 'node:http';
import type { Log } from '@l4desk/runtime';
import type { RequestHandler } from 'express';

/** How long a client may read nothing of a response before it is aborted, in ms. */
export const RESPONSE_STALL_MS = 30_000;

/** Up to this size, copying the body once more costs less than writing it separately from the head. */
const ONE_WRITE_BYTES_MAX = 8 * 1024;

/** Responds with JSON that must not be cached, because it is short-lived or personal. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendJsonBytes(response, status, [Buffer.from(JSON.stringify(value))]);
}

/** Like `sendJson`, but takes the JSON text as byte chunks, which may be compressed. */
export function sendJsonBytes(
  response: ServerResponse,
  status: number,
  parts: readonly Uint8Array[],
  encoding = 'identity',
): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader(
    'Content-Length',
    parts.reduce((size, part) => size + part.byteLength, 0),
  );
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && only.byteLength <= ONE_WRITE_BYTES_MAX) {
    // Node sends a string together with the head in one write. In latin1 every byte is one character.
    const text = Buffer.from(only.buffer, only.byteOffset, only.byteLength).toString('latin1');
    response.end(response.req.method === 'HEAD' ? undefined : text, 'latin1');
    return;
  }
  // Corked, so that the head and the parts leave in as few segments as a single chunk would.
  response.cork();
  if (response.req.method !== 'HEAD') for (const part of parts) response.write(part);
  response.end();
  response.uncork();
}

/** Aborts responses whose clients read nothing. The socket's timer knows how much of a long write was accepted. */
export function abortUnread(stallMs: number): RequestHandler {
  return (_request, response, next) => {
    response.once('prefinish', () => {
      if (response.writableLength > 0) response.setTimeout(stallMs, () => response.destroy());
    });
    next();
  };
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

/** Maximum total memory of unread responses. */
const UNREAD_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Counts the memory of written responses that their clients have not read yet. Above the maximum the oldest one is aborted,
 * otherwise slow readers could exhaust the memory.
 */
export class UnreadResponses {
  readonly #log: Pick<Log, 'warn'>;
  readonly #bytesMax: number;
  /** The buffers of each response, oldest response first. */
  readonly #buffers = new Map<ServerResponse, ReadonlySet<ArrayBufferLike>>();
  /** How many responses hold each buffer: readers of one snapshot share it. */
  readonly #holders = new Map<ArrayBufferLike, number>();
  #bytes = 0;

  constructor(log: Pick<Log, 'warn'>, bytesMax = UNREAD_BYTES_MAX) {
    this.#log = log;
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a written response until its client has read it or has left. */
  add(response: ServerResponse, parts: readonly Uint8Array[]): void {
    if (response.writableLength === 0) return;
    const buffers = new Set(parts.map(({ buffer }) => buffer));
    this.#buffers.set(response, buffers);
    for (const buffer of buffers) {
      const holders = this.#holders.get(buffer) ?? 0;
      this.#holders.set(buffer, holders + 1);
      if (holders === 0) this.#bytes += buffer.byteLength;
    }
    response.once('close', () => this.#remove(response));
    for (const oldest of this.#buffers.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#remove(oldest);
      this.#log.warn({ unsent: oldest.writableLength }, 'response aborted: too many unread bytes');
      oldest.destroy();
    }
  }

  #remove(response: ServerResponse): void {
    for (const buffer of this.#buffers.get(response) ?? []) {
      const holders = (this.#holders.get(buffer) ?? 1) - 1;
      if (holders > 0) {
        this.#holders.set(buffer, holders);
      } else {
        this.#holders.delete(buffer);
        this.#bytes -= buffer.byteLength;
      }
    }
    this.#buffers.delete(response);
  }
}
