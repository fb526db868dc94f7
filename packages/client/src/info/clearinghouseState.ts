import { clearinghouseState as schema } from '@l4desk/protocol/upstream';
import { infoFunction } from '../info-function.ts';

/**
 * The perp account of one wallet on the canonical dex or on `dex`: margin in USD, positions with signed sizes in base
 * units. As the exchange returns it (D15). Costs 1 credit; from 26 wallets on `clearinghouseStates` is cheaper. Rejects with
 * ServiceError (`invalid_request` with path `user`, …), TransportError or WireFormatError.
 */
export const clearinghouseState = infoFunction('clearinghouseState', schema);
