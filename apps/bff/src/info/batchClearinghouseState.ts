import { INFO_KINDS } from '@l4desk/protocol';
import { type BatchDeps, batchKind } from './batch.ts';

/** Perp accounts of up to 50 wallets on one dex, in the same envelope as the spot batch (D15). */
export const batchClearinghouseState = (deps: BatchDeps) =>
  batchKind({
    ...deps,
    ...INFO_KINDS.batchClearinghouseState,
    type: 'batchClearinghouseState',
    list: 'assetPositions',
    askWallet: (user, { dex }) => ({ type: 'clearinghouseState', user, dex }),
  });
