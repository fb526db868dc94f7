import { PASS_THROUGH_REQUESTS, type PassThroughKind } from '@l4desk/protocol';
import type { UpstreamAnswer } from '../upstream/answer.ts';
import type { InfoClient } from '../upstream/info-client.ts';
import { decode, type InfoKind, plainAnswer } from './kind.ts';
import { unusable } from './upstream-failure.ts';

/**
 * The exchange's own kinds that are passed through (D15). They have no file each because nothing sets them apart here:
 * the request is what its schema makes of the body, and the answer is JSON, whatever it says.
 */
export function passThroughKinds(info: InfoClient): InfoKind[] {
  return PASS_THROUGH_KINDS.map((type) => passThroughKind(type, info));
}

const PASS_THROUGH_KINDS = Object.keys(PASS_THROUGH_REQUESTS) as PassThroughKind[];

function passThroughKind(type: PassThroughKind, info: InfoClient): InfoKind<UpstreamQuery, UpstreamAnswer> {
  return {
    type,
    decode: (body) => decode(PASS_THROUGH_REQUESTS[type], body),
    fetch: (query, { clientGone }) => info.ask(query, { signal: clientGone }),
    check(answer) {
      answer.checkJson();
      const refusal = answer.refusal();
      if (refusal !== undefined) throw unusable('an error in place of an answer');
      return plainAnswer(answer.chunks);
    },
  };
}

type UpstreamQuery = Parameters<InfoClient['ask']>[0];
