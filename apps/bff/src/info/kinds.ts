import type { L4Feed } from '@l4desk/feed';
import {
  ApiError,
  INFO_KINDS,
  servedFundingHistory,
  servedHistoricalOrders,
  servedMaxMarketOrderNtls,
  servedOpenOrders,
} from '@l4desk/protocol';
import type { Settings } from '../config/settings.ts';
import type { InfoClient } from '../exchange/info-client.ts';
import type { Universe } from '../exchange/universe.ts';
import { batchKind } from './batch.ts';
import { checkedKind, passThroughKinds } from './checked.ts';
import type { InfoKind } from './kind.ts';
import { l2Book } from './l2Book.ts';
import { l4BookSnapshot } from './l4BookSnapshot.ts';
import { isDexWord, isUnknownCoin, type UnservedKinds } from './upstream-failure.ts';

export interface KindDeps {
  readonly info: InfoClient;
  readonly feed: L4Feed;
  readonly universe: Universe;
  readonly unserved: UnservedKinds;
  readonly settings: Pick<Settings, 'BOOK_READY_TIMEOUT_MS' | 'WALLET_TIMEOUT_MS' | 'BATCH_TIMEOUT_MS'>;
}

/** Creates every query kind of the service. */
export function infoKinds({ info, feed, universe, unserved, settings }: KindDeps): readonly InfoKind[] {
  const { WALLET_TIMEOUT_MS: walletTimeoutMs, BATCH_TIMEOUT_MS: batchTimeoutMs } = settings;
  const batches = { info, unserved, walletTimeoutMs, batchTimeoutMs };
  const kinds: readonly InfoKind[] = [
    // `dex` is reserved and dropped when the request is decoded (D16).
    batchKind({
      ...INFO_KINDS.batchSpotClearinghouseState,
      ...batches,
      type: 'batchSpotClearinghouseState',
      list: 'balances',
      askWallet: (user) => ({ type: 'spotClearinghouseState', user }),
    }),
    batchKind({
      ...INFO_KINDS.batchClearinghouseState,
      ...batches,
      type: 'batchClearinghouseState',
      list: 'assetPositions',
      askWallet: (user, { dex }) => ({ type: 'clearinghouseState', user, dex }),
    }),
    checkedKind({ ...INFO_KINDS.openOrders, info, unserved, type: 'openOrders', serve: servedOpenOrders }),
    checkedKind({
      ...INFO_KINDS.historicalOrders,
      info,
      unserved,
      type: 'historicalOrders',
      // The exchange has no `limit`, so it is applied here and not sent (D8).
      ask: ({ type, user }) => ({ type, user }),
      serve: (entries, { limit }) => servedHistoricalOrders(entries, limit),
    }),
    checkedKind({
      ...INFO_KINDS.maxMarketOrderNtls,
      info,
      unserved,
      type: 'maxMarketOrderNtls',
      serve: servedMaxMarketOrderNtls,
    }),
    // The coin may be delisted (D51). Without `endTime` the exchange uses its current time.
    checkedKind({
      ...INFO_KINDS.fundingHistory,
      info,
      unserved,
      type: 'fundingHistory',
      serve: servedFundingHistory,
      onFailure(error, { coin }) {
        // For a listed or delisted coin, which is known to exist, the error is a failure of the exchange.
        if (isUnknownCoin(error) && universe.classify(coin) !== 'served' && !universe.isDelisted(coin))
          throw new ApiError('unknown_coin', 'The exchange has no coin with this name; names are case-sensitive.', {
            path: 'coin',
          });
      },
    }),
    l4BookSnapshot({ feed, universe, readyTimeoutMs: settings.BOOK_READY_TIMEOUT_MS }),
    ...passThroughKinds({ info, unserved }).map((kind) => (kind.type === 'l2Book' ? l2Book(kind, feed) : kind)),
  ];
  return kinds.map((kind) => withKnownDex(kind, universe));
}

/** Wraps a kind so that it refuses a `dex` that the exchange does not have, before anything is reserved (INFO-33). */
function withKnownDex<Query, Fetched>(
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
        !(await universe.hasDex(dex, { account: call.principal.accountId, signal: call.clientGone }))
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

function dexOf(query: unknown): string {
  if (typeof query !== 'object' || query === null || !('dex' in query)) return '';
  return typeof query.dex === 'string' ? query.dex : '';
}
