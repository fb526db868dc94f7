import { clearinghouseState as schema } from '@l4desk/protocol/upstream';
import { infoFunction } from '../info-function.ts';

/**
 * Returns the perp account of one wallet on the canonical dex or on `dex`: margin in USD, and positions with signed sizes in base
 * units. The response is the exchange's, unchanged (D15). Costs 1 credit; from 26 wallets on, `clearinghouseStates` is cheaper.
 * Rejects with ServiceError (`invalid_request` with path `user`, …), TransportError or WireFormatError.
 */
export const clearinghouseState = infoFunction('clearinghouseState', schema);
