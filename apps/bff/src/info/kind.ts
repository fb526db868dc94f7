import type { InfoKind as InfoKindName } from '@l4desk/protocol';
import type { Principal } from '../http/auth/principal.ts';
import type { JsonObject } from '../http/body.ts';
import type { AcceptedEncoding, JsonResponse } from '../http/respond.ts';

/** A call of an authorised client, over HTTP or over a WebSocket. */
export interface InfoCall {
  readonly principal: Principal;
  /** The encoding of a large response. `identity` leaves it uncompressed. */
  readonly encoding: AcceptedEncoding;
  /** Aborts when the client disconnects. What has not been sent upstream by then is dropped (BILL-23, BILL-24). */
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
}
