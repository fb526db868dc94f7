import { isUtf8 } from 'node:buffer';
import { ApiError, decodeRequest, isObject, REQUEST_BODY_BYTES_MAX, type z } from '@l4desk/protocol';
import express, { type Request, type RequestHandler } from 'express';
import { bodyTooLarge } from './errors.ts';

/** A JSON object sent by a client, not yet validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const FOREIGN_CHARSET = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i;

/** Middleware that reads the JSON body of a request, which `jsonObjectOf` then returns. Refusals are mapped in `errors.ts`. */
export function jsonBodyUpTo(bytesMax: number): readonly RequestHandler[] {
  /** Refuses a body that is declared too large or not as JSON in UTF-8 (INFO-12, INFO-13). `express.json` would ignore other types. */
  const declaresJson: RequestHandler = ({ headers }, _response, next) => {
    const { 'content-length': length = '0', 'content-type': type = '' } = headers;
    if (Number(length) > bytesMax) throw bodyTooLarge(bytesMax);
    if (!JSON_TYPE.test(type)) throw new ApiError('unsupported_media_type');
    if (FOREIGN_CHARSET.test(type)) throw new ApiError('unsupported_media_type', 'The body must be encoded in UTF-8.');
    // `express.json` does not know the name utf8.
    headers['content-type'] = 'application/json';
    next();
  };
  const readJson = express.json({
    limit: bytesMax,
    type: () => true,
    inflate: false,
    // Numbers and strings are JSON too; they are refused as such (INFO-11).
    strict: false,
    verify: (_request, _response, bytes) => {
      if (bytes.length === 0 || !isUtf8(bytes)) throw new Error('not a text in UTF-8');
    },
  });
  return [declaresJson, readJson];
}

/** The same up to the limit of most requests (D3). */
export const jsonBody: readonly RequestHandler[] = jsonBodyUpTo(REQUEST_BODY_BYTES_MAX);

/** Returns the JSON object that `jsonBody` has read (D2). */
export function jsonObjectOf({ body }: Request<unknown, unknown, unknown>): JsonObject {
  if (body === undefined) throw new ApiError('invalid_json');
  if (!isObject(body)) throw new ApiError('invalid_request', 'The body must be a JSON object.');
  return body;
}

/** Decodes a body with a schema. Throws `invalid_request` with the path of the first problem (D5). */
export function decode<Schema extends z.ZodType>(schema: Schema, body: JsonObject): z.output<Schema> {
  const decoded = decodeRequest(schema, body);
  if (decoded.kind === 'request') return decoded.request;
  const { path, problem } = decoded;
  if (path === '') throw new ApiError('invalid_request', `The body ${problem}.`);
  throw new ApiError('invalid_request', `The field ${path} ${problem}.`, { path });
}
