import {
  ApiError,
  elementTexts,
  type InfoKind as InfoKindName,
  PASSED_KIND_NAMES,
  PASSED_KINDS,
  type z,
} from '@l4desk/protocol';
import type { InfoClient, UpstreamRequest } from '../exchange/info-client.ts';
import type { UpstreamResponse } from '../exchange/response.ts';
import { decode } from '../http/body.ts';
import { type JsonResponse, plainResponse } from '../http/respond.ts';
import type { InfoCall, InfoKind } from './kind.ts';
import { isRefusal, type UnservedKinds, unusable } from './upstream-failure.ts';

export interface CheckedDeps {
  readonly info: Pick<InfoClient, 'ask'>;
  readonly unserved: UnservedKinds;
}

interface CheckedSteps<Query extends UpstreamRequest> extends CheckedDeps {
  readonly type: InfoKindName;
  readonly request: z.ZodType<Query>;
  /** Creates the upstream request. Default: the query itself. */
  readonly ask?: (query: Query) => UpstreamRequest;
  /** Returns the served rows: the identical array if nothing changes, undefined if a row lacks what this needs. */
  readonly serve: (rows: readonly unknown[], query: Query) => readonly unknown[] | undefined;
  /** Throws a kind-specific error if the failure has a special meaning for this kind. */
  readonly onFailure?: (error: unknown, query: Query) => void;
}

/** Creates a kind whose list is sent in the exchange's own bytes if nothing has to change (D17, D59). */
export function checkedKind<Query extends UpstreamRequest>({
  type,
  request,
  ask = (query) => query,
  serve,
  onFailure,
  ...deps
}: CheckedSteps<Query>): InfoKind<Query, UpstreamResponse> {
  return {
    type,
    decode: (body) => decode(request, body),

    async fetch(query, call) {
      try {
        // `rows` throws if the response is not a list.
        return await askUpstream(deps, ask(query), call, (response) => response.rows());
      } catch (error) {
        onFailure?.(error, query);
        throw error;
      }
    },

    check(response, query): JsonResponse {
      const rows = response.rows();
      const served = serve(rows, query);
      if (served === undefined) throw unusable(`a response to ${type} of an unexpected shape`);
      return plainResponse(served === rows ? response.bytes : Buffer.from(textOf(served, rows, response)));
    },
  };
}

/** The exchange's own kinds (D15): the schema reads the request, and any JSON that is not a refusal is a response. */
export function passThroughKinds(deps: CheckedDeps): readonly InfoKind<UpstreamRequest, UpstreamResponse>[] {
  return PASSED_KIND_NAMES.map((type) => ({
    type,
    decode: (body) => decode(PASSED_KINDS[type].request, body),
    async fetch(query, call) {
      try {
        return await askUpstream(deps, query, call, (response) => {
          response.checkJson();
          if (response.refusal() !== undefined) throw unusable('an error instead of a response');
        });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        throw new ApiError('invalid_request', 'The exchange rejected the fields of this query.', { cause: error });
      }
    },
    check: ({ bytes }) => plainResponse(bytes),
  }));
}

/** Resolves with a response that `check` does not throw for. Rejects with the explanation of a refusal, if there is one. */
async function askUpstream(
  { info, unserved }: CheckedDeps,
  request: UpstreamRequest,
  call: InfoCall,
  check: (response: UpstreamResponse) => void,
): Promise<UpstreamResponse> {
  try {
    const response = await info.ask(request, { account: call.principal.accountId, signal: call.clientGone });
    check(response);
    unserved.onServed(request.type);
    return response;
  } catch (error) {
    throw (await unserved.explain(error, request, call)) ?? error;
  }
}

/** The text of the served rows. Unchanged rows keep the exchange's own text. */
function textOf(served: readonly unknown[], rows: readonly unknown[], { bytes }: UpstreamResponse): string {
  const texts = elementTexts(bytes.toString('utf8'));
  const textOfRow = new Map(rows.map((row, index) => [row, texts[index]]));
  return `[${served.map((row) => textOfRow.get(row) ?? JSON.stringify(row)).join()}]`;
}
