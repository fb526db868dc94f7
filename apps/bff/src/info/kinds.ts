import type { L4Feed } from '@l4desk/feed';
import type { Settings } from '../config/settings.ts';
import type { InfoClient } from '../exchange/info-client.ts';
import type { Universe } from '../exchange/universe.ts';
import { batchClearinghouseState } from './batchClearinghouseState.ts';
import { batchSpotClearinghouseState } from './batchSpotClearinghouseState.ts';
import { fundingHistory } from './fundingHistory.ts';
import { historicalOrders } from './historicalOrders.ts';
import type { InfoKind } from './kind.ts';
import { withKnownDex } from './known-dex.ts';
import { l2Book } from './l2Book.ts';
import { l4BookSnapshot } from './l4BookSnapshot.ts';
import { maxMarketOrderNtls } from './maxMarketOrderNtls.ts';
import { openOrders } from './openOrders.ts';
import { passThroughKinds } from './passThrough.ts';
import type { UnservedKinds } from './unserved-kinds.ts';

export interface KindDeps {
  readonly info: InfoClient;
  readonly feed: L4Feed;
  readonly universe: Universe;
  readonly unserved: UnservedKinds;
  readonly settings: Pick<Settings, 'BOOK_READY_TIMEOUT_MS' | 'WALLET_TIMEOUT_MS' | 'BATCH_TIMEOUT_MS'>;
}

/** Creates every query kind of the service. */
export function infoKinds({ info, feed, universe, unserved, settings }: KindDeps): readonly InfoKind[] {
  const batches = {
    info,
    unserved,
    walletTimeoutMs: settings.WALLET_TIMEOUT_MS,
    batchTimeoutMs: settings.BATCH_TIMEOUT_MS,
  };
  const kinds: readonly InfoKind[] = [
    batchSpotClearinghouseState(batches),
    openOrders({ info, unserved }),
    historicalOrders({ info, unserved }),
    maxMarketOrderNtls({ info, unserved }),
    fundingHistory({ info, unserved, universe }),
    l4BookSnapshot({ feed, universe, readyTimeoutMs: settings.BOOK_READY_TIMEOUT_MS }),
    batchClearinghouseState(batches),
    ...passThroughKinds({ info, unserved }).map((kind) => (kind.type === 'l2Book' ? l2Book(kind, feed) : kind)),
  ];
  return kinds.map((kind) => withKnownDex(kind, universe));
}
