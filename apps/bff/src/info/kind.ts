import type { InfoKind as InfoKindName } from '@l4desk/protocol';
import type { AcceptedEncoding } from '../http/accept-encoding.ts';
import type { JsonObject } from '../http/body.ts';
import type { JsonResponse } from '../http/json-response.ts';

/** What a query kind knows of the call it serves. */
export interface InfoCall {
  /** The account that is charged. */
  readonly account: string;
  readonly encoding: AcceptedEncoding;
  /** Aborts when the client has gone: what is not on its way upstream by then is dropped. */
  readonly clientGone: AbortSignal;
}

/** One kind of query, as the steps of the pipeline in `route.ts`. Each step may throw ApiError, or UpstreamError. */
export interface InfoKind<Query = unknown, Fetched = unknown> {
  readonly type: InfoKindName;
  /** Reads the query out of a body; refuses what is wrong with it with 400, before anything is reserved or forwarded. */
  decode(body: JsonObject, call: InfoCall): Query | Promise<Query>;
  /** Fetches the response to the query. What it resolves with is charged, whether the client is still there or not (BILL-24). */
  fetch(query: Query, call: InfoCall): Promise<Fetched>;
  /** Sees that it is what the specification promises, and gives it that form. */
  check(fetched: Fetched, query: Query): JsonResponse;
  /** Ends what `decode` started for the query; called once the call is over, also where it was refused before `fetch`. */
  end?(query: Query): void;
}
