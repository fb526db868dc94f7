import type { IncomingMessage } from 'node:http';
import { ApiError, decodeRequest, isObject, type z } from '@l4desk/protocol';

/** A JSON object sent by a client, not yet validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Maximum bytes of an unused body that are still read, so that a client that is still sending sees the response. */
const DRAIN_BYTES_MAX = 16 * 1024 * 1024;

/** Refuses a body whose headers do not declare uncompressed JSON in UTF-8 (INFO-13). */
function mediaTypeRefusal(request: IncomingMessage): ApiError | undefined {
  const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    return new ApiError('unsupported_media_type', 'The body must not be compressed (no Content-Encoding).');
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') return new ApiError('unsupported_media_type');
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    return new ApiError('unsupported_media_type', 'The body must be encoded in UTF-8.');
  return undefined;
}

/**
 * Reads a JSON object from the body of a request. Throws `body_too_large`, `unsupported_media_type`, `invalid_json` or
 * `invalid_request` (D1–D3); if several apply, the first of them.
 */
export async function readJsonObject(request: IncomingMessage, bytesMax: number): Promise<JsonObject> {
  const declared = Number(request.headers['content-length'] ?? '0');
  if (declared > bytesMax) throw tooLarge(bytesMax);
  const refusal = mediaTypeRefusal(request);
  if (refusal !== undefined) throw refusal;
  const value = parse(await readBytes(request, bytesMax));
  if (!isObject(value)) throw new ApiError('invalid_request', 'The body must be a JSON object.');
  return value;
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError('body_too_large', `The body must be at most ${bytesMax} bytes.`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    // The parser's own message quotes the body, which may hold a secret.
    throw new ApiError('invalid_json');
  }
}

function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      reject(tooLarge(bytesMax));
    };
    request.on('data', onData);
    // The client has disconnected. The error only ends the handler.
    const onBroken = () => reject(new ApiError('invalid_request', 'The body is incomplete.'));
    request.once('error', onBroken);
    request.once('close', onBroken);
    request.once('end', () => {
      // Otherwise every call would create an error, and capturing its stack costs as much as the rest of reading the body.
      request.off('close', onBroken);
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
  });
}

/**
 * Reads the rest of an unused body and discards it: closing the connection while the client still sends would
 * hide the response from it. Above a limit the connection is closed, otherwise a client could send forever (INFO-30).
 */
export function drain(request: IncomingMessage): void {
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > DRAIN_BYTES_MAX) request.destroy();
  });
}

/** Decodes a body with a schema. Throws `invalid_request` with the path of the first problem (D5). */
export function decode<Schema extends z.ZodType>(schema: Schema, body: JsonObject): z.output<Schema> {
  const decoded = decodeRequest(schema, body);
  if (decoded.kind === 'request') return decoded.request;
  const { path, problem } = decoded;
  if (path === '') throw new ApiError('invalid_request', `The body ${problem}.`);
  throw new ApiError('invalid_request', `The field ${path} ${problem}.`, { path });
}
