import { spotMetaAndAssetCtxs as schema } from '@l4desk/protocol/upstream';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * The spot pairs and tokens with their markets, as the exchange returns them (D15). Costs 1 credit. Rejects with
 * ServiceError, TransportError or WireFormatError.
 */
export const spotMetaAndAssetCtxs = optionalInfoFunction('spotMetaAndAssetCtxs', schema);
