import { INFO_KINDS } from '@l4desk/protocol';
import { type BatchDeps, batchKind } from './batch.ts';

/** Spot balances of up to 50 wallets (§4.1). `dex` is reserved and dropped when the request is decoded (D16). */
export const batchSpotClearinghouseState = (deps: BatchDeps) =>
  batchKind({
    ...deps,
    ...INFO_KINDS.batchSpotClearinghouseState,
    type: 'batchSpotClearinghouseState',
    list: 'balances',
    askWallet: (user) => ({ type: 'spotClearinghouseState', user }),
  });
