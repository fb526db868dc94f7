import { spotMetaAndAssetCtxs as schema } from '@l4desk/protocol/upstream';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * Returns the spot pairs and tokens with their market data. The response is the exchange's, unchanged (D15). Costs 1 credit.
 * Rejects with ServiceError, TransportError or WireFormatError.
 */
export const spotMetaAndAssetCtxs = optionalInfoFunction('spotMetaAndAssetCtxs', schema);
