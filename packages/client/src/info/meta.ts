import { meta as schema } from '@l4desk/protocol/upstream';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * Returns the perp assets of the canonical dex, or of the builder dex `dex`. Sizes have `szDecimals` decimals, prices at most 6 −
 * szDecimals. The response is the exchange's, unchanged (D15). Costs 1 credit. Rejects with ServiceError, TransportError or
 * WireFormatError.
 */
export const meta = optionalInfoFunction('meta', schema);
