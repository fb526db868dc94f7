import type { InfoKind as InfoKindName } from '@l4desk/protocol';
import type { JsonObject } from '../http/body.ts';
import type { AcceptedEncoding, JsonResponse } from '../http/respond.ts';

/** The call that a query kind serves. */
export interface InfoCall {
  /** The account that is charged. */
  readonly account: string;
  readonly encoding: AcceptedEncoding;
  /** Aborts when the client disconnects. Upstream calls that have not been sent by then are dropped. */
  readonly clientGone: AbortSignal;
}

/** One kind of query, as steps of the pipeline in `info-service.ts`. Each step may throw ApiError or UpstreamError. */
export interface InfoKind<Query = unknown, Fetched = unknown> {
  readonly type: InfoKindName;
  /** Decodes the query from a body. Refuses an invalid one before anything is reserved or forwarded. */
  decode(body: JsonObject, call: InfoCall): Query | Promise<Query>;
  /** Fetches the response to the query. A successful fetch is charged even if the client has disconnected (BILL-24). */
  fetch(query: Query, call: InfoCall): Promise<Fetched>;
  /** Checks the fetched response against the specification and converts it to the specified form. */
  check(fetched: Fetched, query: Query): JsonResponse;
  /** Ends what `decode` started. Called once the call is over, even if it was refused before `fetch`. */
  end?(query: Query): void;
}
