import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { type AcceptedEncoding, chooseEncoding } from './accept-encoding.ts';

/** One file of a page, held in memory, plain and compressed. */
export interface StaticFile {
  readonly contentType: string;
  readonly etag: string;
  readonly bytes: ReadonlyMap<AcceptedEncoding, Buffer>;
}

/** One compressed form of a file. */
export type EncodedForm = readonly [encoding: AcceptedEncoding, bytes: Buffer];

export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Content that grows smaller; fonts and pictures are compressed already. */
const COMPRESSIBLE = /^(?:text|application)\/|svg/;

/** Below this the headers weigh more. */
const COMPRESS_BYTES_MIN = 1024;

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);

/** A file in the forms that are there; `identity` is one of them. */
export function staticFile(contentType: string, plain: Buffer, twins: Iterable<EncodedForm> = []): StaticFile {
  const bytes = new Map<AcceptedEncoding, Buffer>([['identity', plain], ...twins]);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { contentType, etag, bytes };
}

/** A file whose compressed forms are made now, where its kind and size make them worth it. */
export async function compressedFile(contentType: string, plain: Buffer): Promise<StaticFile> {
  if (!COMPRESSIBLE.test(contentType) || plain.length < COMPRESS_BYTES_MIN) return staticFile(contentType, plain);
  const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 6 } };
  const [br, gz] = await Promise.all([brotli(plain, quality), gzip(plain)]);
  return staticFile(contentType, plain, [
    ['br', br],
    ['gzip', gz],
  ]);
}

/** Answers with a file, in the encoding the client likes best; `hashed` says that its name changes with its content. */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  file: StaticFile,
  hashed: boolean,
): void {
  response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.setHeader('ETag', file.etag);
  if (file.bytes.size > 1) response.appendHeader('Vary', 'Accept-Encoding');
  if (status === 200 && request.headers['if-none-match'] === file.etag) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const wanted = chooseEncoding(request.headers['accept-encoding']?.toString());
  const encoding = file.bytes.has(wanted) ? wanted : 'identity';
  const bytes = file.bytes.get(encoding);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.statusCode = status;
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Length', bytes?.length ?? 0);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
