import { ApiError, PASSED_KINDS, type PassThroughKind } from '@l4desk/protocol';
import type { InfoClient } from '../exchange/info-client.ts';
import type { UpstreamResponse } from '../exchange/response.ts';
import { decode } from '../http/body.ts';
import { plainResponse } from '../http/json-response.ts';
import type { InfoKind } from './kind.ts';
import { isRefusal, type UnservedKinds } from './unserved-kinds.ts';
import { unusable } from './upstream-failure.ts';

/**
 * The exchange's own kinds that are passed through (D15). They share one file because they only differ in their schemas:
 * the request is what the schema reads from the body, and the response may be any JSON that is not a refusal.
 */
export function passThroughKinds({ info, unserved }: PassThroughDeps): InfoKind[] {
  return PASS_THROUGH_KINDS.map((type) => passThroughKind(type, info, unserved));
}

export interface PassThroughDeps {
  readonly info: InfoClient;
  readonly unserved: UnservedKinds;
}

const PASS_THROUGH_KINDS = Object.keys(PASSED_KINDS) as PassThroughKind[];

function passThroughKind(
  type: PassThroughKind,
  info: InfoClient,
  unserved: UnservedKinds,
): InfoKind<UpstreamQuery, Chunks> {
  return {
    type,
    decode: (body) => decode(PASSED_KINDS[type].request, body),
    async fetch(query, call) {
      try {
        const response = await info.ask(query, { account: call.account, signal: call.clientGone });
        response.checkJson();
        if (response.refusal() !== undefined) throw unusable('an error instead of a response');
        unserved.onServed(type);
        return response.chunks;
      } catch (error) {
        throw (await unserved.explain(error, query, call)) ?? (isRefusal(error) ? refused(error) : error);
      }
    },
    check: plainResponse,
  };
}

type Chunks = UpstreamResponse['chunks'];

function refused(cause: unknown): ApiError {
  return new ApiError('invalid_request', 'The exchange rejected the fields of this query.', { cause });
}

type UpstreamQuery = Parameters<InfoClient['ask']>[0];
