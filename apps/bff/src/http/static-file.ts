import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Response } from 'express';
import { type AcceptedEncoding, chooseEncoding } from './respond.ts';

/** A static file, held in memory in the available encodings, which always include `identity`. */
export interface StaticFile {
  readonly extension: string;
  /** ETag of the content, the same for all encodings. */
  readonly etag: string;
  readonly bytes: ReadonlyMap<AcceptedEncoding, Buffer>;
}

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);

/** Creates a file from its plain and compressed forms. The ETag is computed once: Express would hash per call, 0.5 ms per MB. */
export function staticFile(extension: string, plain: Buffer, twins: Iterable<[AcceptedEncoding, Buffer]>): StaticFile {
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { extension, etag, bytes: new Map<AcceptedEncoding, Buffer>([['identity', plain], ...twins]) };
}

export async function compressedFile(extension: string, plain: Buffer): Promise<StaticFile> {
  const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 6 } };
  const [br, gz] = await Promise.all([brotli(plain, quality), gzip(plain)]);
  return staticFile(extension, plain, [
    ['br', br],
    ['gzip', gz],
  ]);
}

/** Responds with a file in the preferred encoding. `hashed`: its name changes with its content. */
export function sendFile(response: Response, status: number, file: StaticFile, hashed: boolean): void {
  const { extension, etag, bytes } = file;
  const encoding = chooseEncoding(response.req.headers['accept-encoding'], [...bytes.keys()]);
  response.status(status).type(extension).set('ETag', etag);
  response.set('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (bytes.size > 1) response.vary('Accept-Encoding');
  if (encoding !== 'identity') response.set('Content-Encoding', encoding);
  response.send(bytes.get(encoding));
}
