import { metaAndAssetCtxs as schema } from '@l4desk/protocol/upstream';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * Returns the perp assets and, at the same index, the market data of each: mark price, funding, volume. `dex` selects a builder
 * dex. The response is the exchange's, unchanged (D15). Costs 1 credit. Rejects with ServiceError, TransportError or
 * WireFormatError.
 */
export const metaAndAssetCtxs = optionalInfoFunction('metaAndAssetCtxs', schema);
