import { meta as schema } from '@l4desk/protocol/upstream';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * The perp assets of the canonical dex, or of the builder dex `dex`. Sizes have `szDecimals` decimals, prices at most
 * 6 − szDecimals. As the exchange returns it (D15). Costs 1 credit. Rejects with ServiceError, TransportError or WireFormatError.
 */
export const meta = optionalInfoFunction('meta', schema);
