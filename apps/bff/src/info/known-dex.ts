import { ApiError } from '@l4desk/protocol';
import type { Universe } from '../exchange/universe.ts';
import type { InfoKind } from './kind.ts';
import { isDexWord } from './unserved-kinds.ts';

/** Wraps a kind so that it refuses a `dex` that the exchange does not have, before anything is reserved (INFO-33). */
export function withKnownDex<Query, Fetched>(
  kind: InfoKind<Query, Fetched>,
  universe: Pick<Universe, 'hasDex'>,
): InfoKind<Query, Fetched> {
  return {
    ...kind,
    async decode(body, call) {
      const query = await kind.decode(body, call);
      const dex = dexOf(query);
      if (
        dex !== '' &&
        !isDexWord(dex) &&
        !(await universe.hasDex(dex, { account: call.account, signal: call.clientGone }))
      )
        throw new ApiError(
          'invalid_request',
          'The exchange has no builder dex with this name; names are case-sensitive.',
          {
            path: 'dex',
          },
        );
      return query;
    },
  };
}

/** The builder dex of a query; empty if it has none. */
function dexOf(query: unknown): string {
  if (typeof query !== 'object' || query === null || !('dex' in query)) return '';
  return typeof query.dex === 'string' ? query.dex : '';
}
