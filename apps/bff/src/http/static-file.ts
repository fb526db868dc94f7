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

/** A file with its compressed forms: those that are there already, and the others made. */
export async function staticFile(
  contentType: string,
  plain: Buffer,
  compressed: ReadonlyMap<AcceptedEncoding, Buffer> = new Map(),
): Promise<StaticFile> {
  const bytes = new Map<AcceptedEncoding, Buffer>([['identity', plain], ...compressed]);
  if (COMPRESSIBLE.test(contentType) && plain.length >= COMPRESS_BYTES_MIN) {
    const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 6 } };
    if (!bytes.has('br')) bytes.set('br', await brotli(plain, quality));
    if (!bytes.has('gzip')) bytes.set('gzip', await gzip(plain));
  }
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { contentType, etag, bytes };
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
