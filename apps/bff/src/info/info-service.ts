import { LedgerError, type Meter } from '@l4desk/ledger';
import { ApiError, infoCredits } from '@l4desk/protocol';
import { UpstreamError } from '../exchange/upstream-error.ts';
import type { JsonObject } from '../http/body.ts';
import { toApiError } from '../http/errors.ts';
import { compressed, type JsonResponse } from '../http/respond.ts';
import type { InfoCall, InfoKind } from './kind.ts';
import { upstreamRefusal } from './upstream-failure.ts';

/** Serves calls of every query kind. Its methods throw nothing but ApiError. */
export type InfoService = ReturnType<typeof createInfoService>;

export function createInfoService(meter: Meter, kinds: readonly InfoKind[]) {
  // A map and not an object, because `type` may be any text that a client sends, including `__proto__`.
  const kindByType = new Map<string, InfoKind>(kinds.map((kind) => [kind.type, kind]));

  const unfinished = new Set<Promise<unknown>>();

  /** Every call takes these steps: decode → reserve → fetch → check → charge (D1). */
  async function serve(kind: InfoKind, body: JsonObject, call: InfoCall) {
    const query = await kind.decode(body, call);
    const reservation = await meter.reserve(call.principal, kind.type, infoCredits(kind.type));
    if (reservation instanceof LedgerError) throw reservation;
    try {
      const fetched = await kind.fetch(query, call);
      const checked = kind.check(fetched, query);
      const response = call.clientGone.aborted ? checked : await compressed(checked, call.encoding);
      await reservation.charge();
      return response;
    } finally {
      reservation.release();
    }
  }

  return {
    /** Returns the kind that the field `type` of a body names. Throws `invalid_request` or `unsupported_type`. */
    kindOf({ type }: JsonObject): InfoKind {
      if (typeof type !== 'string')
        throw new ApiError('invalid_request', 'The field type must be a string that names the query kind.', {
          path: 'type',
        });
      const kind = kindByType.get(type);
      if (kind === undefined) throw new ApiError('unsupported_type', { type });
      return kind;
    },
    async serve(kind: InfoKind, body: JsonObject, call: InfoCall): Promise<JsonResponse> {
      const served = serve(kind, body, call);
      unfinished.add(served);
      try {
        return await served;
      } catch (error) {
        throw error instanceof UpstreamError ? upstreamRefusal(error) : toApiError(error);
      } finally {
        unfinished.delete(served);
      }
    },
    /** Resolves once the calls so far are over, also those whose clients have disconnected. */
    settled: () => Promise.allSettled(unfinished),
  };
}
