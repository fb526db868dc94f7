import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Log } from '@l4desk/runtime';
import type { RequestHandler } from 'express';
import Negotiator from 'negotiator';

/** How long a client may read nothing of a response before it is aborted, in ms. */
export const RESPONSE_STALL_MS = 30_000;

/** Responds with JSON that must not be cached, because it is short-lived or personal. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendJsonBytes(response, status, Buffer.from(JSON.stringify(value)));
}

/** Like `sendJson`, but takes the bytes of the JSON text, which may be compressed. */
export function sendJsonBytes(
  response: ServerResponse,
  status: number,
  bytes: Uint8Array,
  encoding: AcceptedEncoding = 'identity',
): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', bytes.byteLength);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
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

const UNREAD_BYTES_MAX = 256 * 1024 * 1024;

/** Counts the memory of responses that clients have not read yet. Above the maximum, the oldest one is aborted. */
export class UnreadResponses {
  readonly #log: Pick<Log, 'warn'>;
  readonly #bytesMax: number;
  /** The memory of each response, oldest response first. */
  readonly #memory = new Map<ServerResponse, ArrayBufferLike>();
  /** How many responses use each memory: readers of one snapshot share it. */
  readonly #users = new Map<ArrayBufferLike, number>();
  #bytes = 0;

  constructor(log: Pick<Log, 'warn'>, bytesMax = UNREAD_BYTES_MAX) {
    this.#log = log;
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a written response until its client has read it or has left. */
  add(response: ServerResponse, { buffer }: Uint8Array): void {
    if (response.writableLength === 0) return;
    this.#memory.set(response, buffer);
    const users = this.#users.get(buffer) ?? 0;
    this.#users.set(buffer, users + 1);
    if (users === 0) this.#bytes += buffer.byteLength;
    response.once('close', () => this.#remove(response));
    for (const oldest of this.#memory.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#remove(oldest);
      this.#log.warn({ unsent: oldest.writableLength }, 'response aborted: too many unread bytes');
      oldest.destroy();
    }
  }

  #remove(response: ServerResponse): void {
    const buffer = this.#memory.get(response);
    if (buffer === undefined) return;
    this.#memory.delete(response);
    const users = (this.#users.get(buffer) ?? 1) - 1;
    if (users > 0) this.#users.set(buffer, users);
    else {
      this.#users.delete(buffer);
      this.#bytes -= buffer.byteLength;
    }
  }
}

export interface JsonResponse {
  readonly bytes: Uint8Array;
  readonly encoding: AcceptedEncoding;
}

/** A response that is not compressed. */
export function plainResponse(bytes: Uint8Array): JsonResponse {
  return { bytes, encoding: 'identity' };
}

/** Responses below this size are not compressed: the delay would cost more than the saved bytes. */
const COMPRESSED_FROM_BYTES = 16 * 1024;

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Compresses a large response with the given encoding, off the event loop. Returns any other response unchanged. */
export async function compressed(response: JsonResponse, encoding: AcceptedEncoding): Promise<JsonResponse> {
  const { bytes } = response;
  const isSmall = bytes.byteLength < COMPRESSED_FROM_BYTES;
  if (response.encoding !== 'identity' || encoding === 'identity' || isSmall) return response;
  // The fastest compression levels, because a response is sent only once.
  if (encoding === 'gzip') return { bytes: await toGzip(bytes, { level: 1 }), encoding };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
  return { bytes: await toBrotli(bytes, { params }), encoding };
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
