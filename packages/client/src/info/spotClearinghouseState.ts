import { spotClearinghouseState as schema } from '@l4desk/protocol/upstream';
import { infoFunction } from '../info-function.ts';

/**
 * Returns the spot balances of one wallet. The response is the exchange's, unchanged (D15). Costs 1 credit; from 26 wallets on,
 * `spotClearinghouseStates` is cheaper. Rejects with ServiceError (`invalid_request` with path `user`, …), TransportError or
 * WireFormatError.
 */
export const spotClearinghouseState = infoFunction('spotClearinghouseState', schema);
