import { ApiError, decodeRequest, type InfoKind as InfoKindName, type z } from '@l4desk/protocol';
import type { AcceptedEncoding } from '../http/accept-encoding.ts';

/** A JSON object as a client sent it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a query kind knows of the call it answers. */
export interface InfoCall {
  /** The account that is charged. */
  readonly account: string;
  readonly encoding: AcceptedEncoding;
  /** Aborts when the client has gone: what is not on its way upstream by then is dropped. */
  readonly clientGone: AbortSignal;
}

/** JSON text of an answer, in pieces that are sent one after another. */
export interface InfoAnswer {
  readonly parts: readonly Uint8Array[];
  readonly encoding: AcceptedEncoding;
}

/** One kind of query, as the steps of the pipeline in `http/info.ts`. Each step may throw ApiError, or UpstreamError. */
export interface InfoKind<Query = unknown, Fetched = unknown> {
  readonly type: InfoKindName;
  /** Reads the query out of a body; refuses what is wrong with it with 400, before anything is reserved or forwarded. */
  decode(body: JsonObject, call: InfoCall): Query | Promise<Query>;
  /** Gets what answers the query. What it resolves with is charged, whether the client is still there or not (BILL-24). */
  fetch(query: Query, call: InfoCall): Promise<Fetched>;
  /** Sees that it is what the specification promises, and gives it that form. */
  check(fetched: Fetched, query: Query): InfoAnswer;
}

/** The body as a kind's schema reads it; throws `invalid_request` with the path of the first problem (D5). */
export function decode<Schema extends z.ZodType>(schema: Schema, body: JsonObject): z.output<Schema> {
  const decoded = decodeRequest(schema, body);
  if (decoded.kind === 'request') return decoded.request;
  const { path, problem } = decoded;
  if (path === '') throw new ApiError('invalid_request', `The body ${problem}.`);
  throw new ApiError('invalid_request', `The field ${path} ${problem}.`, { path });
}

/** An answer in plain text. */
export function plainAnswer(parts: readonly Uint8Array[]): InfoAnswer {
  return { parts, encoding: 'identity' };
}
