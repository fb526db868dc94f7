import { decodeRequest, type z } from '@l4desk/protocol';
import type { AcceptedEncoding } from '../http/accept-encoding.ts';
import { ServiceError } from '../http/errors.ts';

/** What a query kind knows of the call it answers. */
interface InfoCall {
  readonly encoding: AcceptedEncoding;
  /** Aborts when the client has gone: whatever is done for it alone may stop. */
  readonly clientGone: AbortSignal;
}

/** JSON text of an answer. */
interface InfoAnswer {
  readonly bytes: Uint8Array;
  readonly encoding: AcceptedEncoding;
}

/** One kind of query: reads its fields out of a body and answers it, or rejects with ServiceError. */
export interface InfoKind {
  readonly type: string;
  answer(body: Readonly<Record<string, unknown>>, call: InfoCall): Promise<InfoAnswer>;
}

/** The body as a kind's schema reads it; throws `invalid_request` with the path of the first problem (D5). */
export function decode<T>(schema: z.ZodType<T>, body: Readonly<Record<string, unknown>>): T {
  const decoded = decodeRequest(schema, body);
  if (decoded.kind === 'request') return decoded.request;
  const { path, problem } = decoded;
  if (path === '') throw new ServiceError('invalid_request', `The body ${problem}.`);
  throw new ServiceError('invalid_request', `The field ${path} ${problem}.`, { path });
}
