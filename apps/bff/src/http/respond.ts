import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Log } from '@l4desk/runtime';
import type { RequestHandler } from 'express';
import Negotiator from 'negotiator';

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

/** A JSON response body, in parts that are sent one after another. */
export interface JsonResponse {
  readonly parts: readonly Uint8Array[];
  readonly encoding: AcceptedEncoding;
}

/** A response that is not compressed. */
export function plainResponse(parts: readonly Uint8Array[]): JsonResponse {
  return { parts, encoding: 'identity' };
}

/** Responses below this size are not compressed: the delay would cost more than the saved bytes. */
const COMPRESSED_FROM_BYTES = 16 * 1024;

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Compresses a large response with the given encoding, off the event loop. Returns any other response unchanged. */
export async function compressed(response: JsonResponse, encoding: AcceptedEncoding): Promise<JsonResponse> {
  if (response.encoding !== 'identity' || encoding === 'identity') return response;
  const size = response.parts.reduce((sum, part) => sum + part.byteLength, 0);
  if (size < COMPRESSED_FROM_BYTES) return response;
  const [only] = response.parts;
  const bytes = response.parts.length === 1 && only !== undefined ? only : Buffer.concat(response.parts);
  // The fastest compression levels, because a response is sent only once.
  if (encoding === 'gzip') return { parts: [await toGzip(bytes, { level: 1 })], encoding };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: size };
  return { parts: [await toBrotli(bytes, { params })], encoding };
}

/** The supported response encodings, in order of preference. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

/** The order of preference for `*`: every client that sends it reads gzip, but perhaps not brotli. */
const ENCODINGS_OF_ANY = ['gzip', 'br', 'identity'] as const;

export type AcceptedEncoding = (typeof ENCODINGS)[number];

/** The `preferred` option, missing in Negotiator's type declarations: breaks ties between encodings of equal quality. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

/** Chooses a response encoding by the `Accept-Encoding` header; `identity` if no available encoding is accepted. */
export function chooseEncoding(
  header: string | undefined,
  available: readonly AcceptedEncoding[] = ENCODINGS,
): AcceptedEncoding {
  if (header === undefined) return 'identity';
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const preferred = header.includes('*') ? ENCODINGS_OF_ANY : ENCODINGS;
  const chosen = negotiator.encoding(available, { preferred });
  return available.find((encoding) => encoding === chosen) ?? 'identity';
}
