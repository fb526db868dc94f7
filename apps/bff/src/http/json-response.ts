import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { AcceptedEncoding } from './accept-encoding.ts';

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
