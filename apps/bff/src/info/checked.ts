import { elementTexts, type InfoKind as InfoKindName, type z } from '@l4desk/protocol';
import type { InfoClient, UpstreamRequest } from '../exchange/info-client.ts';
import type { UpstreamResponse } from '../exchange/response.ts';
import { decode } from '../http/body.ts';
import { type JsonResponse, plainResponse } from '../http/json-response.ts';
import type { InfoKind } from './kind.ts';
import type { UnservedKinds } from './unserved-kinds.ts';
import { unusable } from './upstream-failure.ts';

export interface CheckedDeps {
  readonly info: Pick<InfoClient, 'ask'>;
  readonly unserved: UnservedKinds;
}

/** The parts that differ between these kinds. */
interface CheckedSteps<Query extends UpstreamRequest> extends CheckedDeps {
  readonly type: InfoKindName;
  /** Parses the request. */
  readonly request: z.ZodType<Query>;
  /** Creates the upstream request. Default: the query itself. */
  readonly ask?: (query: Query) => UpstreamRequest;
  /**
   * Returns the response in the specified form, or the identical array if nothing has to change; undefined if a row lacks what
   * this needs.
   */
  readonly serve: (rows: readonly unknown[], query: Query) => readonly unknown[] | undefined;
  /** Throws a kind-specific error if the failure has a special meaning for this kind. */
  readonly onFailure?: (error: unknown, query: Query) => void;
}

/**
 * Creates a kind whose response is a list, passed through with little change. If nothing has to change, the exchange's own
 * bytes are sent, so that decimals, unknown fields and key order are preserved (D17). Nothing else in a row is checked (D59).
 */
export function checkedKind<Query extends UpstreamRequest>({
  type,
  info,
  unserved,
  request,
  ask = (query) => query,
  serve,
  onFailure,
}: CheckedSteps<Query>): InfoKind<Query, UpstreamResponse> {
  return {
    type,
    decode: (body) => decode(request, body),

    async fetch(query, call) {
      const upstream = ask(query);
      try {
        const response = await info.ask(upstream, { account: call.account, signal: call.clientGone });
        // Throws if it is not a list.
        response.rows();
        unserved.onServed(type);
        return response;
      } catch (error) {
        onFailure?.(error, query);
        throw (await unserved.explain(error, upstream, call)) ?? error;
      }
    },

    check(response, query): JsonResponse {
      const rows = response.rows();
      const served = serve(rows, query);
      if (served === undefined) throw unusable(`a response to ${type} of an unexpected shape`);
      return plainResponse(served === rows ? response.chunks : [Buffer.from(textOf(served, rows, response))]);
    },
  };
}

/** The text of the served rows. Unchanged rows keep the exchange's own text. */
function textOf(served: readonly unknown[], rows: readonly unknown[], { bytes }: UpstreamResponse): string {
  const texts = elementTexts(bytes.toString('utf8'));
  const textOfRow = new Map(rows.map((row, place) => [row, texts[place]]));
  return `[${served.map((row) => textOfRow.get(row) ?? JSON.stringify(row)).join()}]`;
}
