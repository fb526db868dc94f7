import { ApiError, PASSED_KINDS, type PassThroughKind } from '@l4desk/protocol';
import { type InfoCalls, type InfoClient, inOneStep } from '../exchange/info-client.ts';
import type { UpstreamResponse } from '../exchange/response.ts';
import { UpstreamError } from '../exchange/upstream-error.ts';
import { decode } from '../http/body.ts';
import { plainResponse } from '../http/json-response.ts';
import type { InfoKind } from './kind.ts';
import { unusable } from './upstream-failure.ts';

/**
 * The exchange's own kinds that are passed through (D15). They share one file because they only differ in their schemas:
 * the request is what the schema reads from the body, and the response may be any JSON that is not a refusal.
 */
export function passThroughKinds(info: InfoClient): InfoKind[] {
  const calls = info.reading(inOneStep(readUnread));
  return PASS_THROUGH_KINDS.map((type) => passThroughKind(type, calls));
}

const PASS_THROUGH_KINDS = Object.keys(PASSED_KINDS) as PassThroughKind[];

function passThroughKind(type: PassThroughKind, calls: InfoCalls<Chunks>): InfoKind<UpstreamQuery, Chunks> {
  return {
    type,
    decode: (body) => decode(PASSED_KINDS[type].request, body),
    async fetch(query, { account, clientGone }) {
      try {
        return await calls.ask(query, { account, signal: clientGone });
      } catch (error) {
        throw isRefusal(error) ? refused(error) : error;
      }
    },
    check: plainResponse,
  };
}

/** Checks that a response is JSON and not a refusal, and returns its bytes. */
function readUnread(response: UpstreamResponse): Chunks {
  response.checkJson();
  if (response.refusal() !== undefined) throw unusable('an error instead of a response');
  return response.chunks;
}

type Chunks = UpstreamResponse['chunks'];

/** Whether the exchange rejected the client's fields, which are not checked here (D50). */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof UpstreamError) || error.failure.kind !== 'status') return false;
  return error.failure.status === 400 || error.failure.status === 422;
}

function refused(cause: unknown): ApiError {
  return new ApiError('invalid_request', 'The exchange rejected the fields of this query.', { cause });
}

type UpstreamQuery = Parameters<InfoClient['ask']>[0];
