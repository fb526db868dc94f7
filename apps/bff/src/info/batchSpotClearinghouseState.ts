import { INFO_KINDS } from '@l4desk/protocol';
import { type BatchDeps, batchKind } from './batch.ts';

/** Spot balances of up to 50 wallets (§4.1). Its `dex` is reserved: it was dropped when the request was read (D16). */
export const batchSpotClearinghouseState = (deps: BatchDeps) =>
  batchKind({
    ...deps,
    ...INFO_KINDS.batchSpotClearinghouseState,
    type: 'batchSpotClearinghouseState',
    askWallet: (user) => ({ type: 'spotClearinghouseState', user }),
  });
