import { metaAndAssetCtxs as schema } from '@l4desk/protocol/upstream';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * The perp assets and, at the same index, the market of each: mark, funding, volume. `dex` names a builder dex. As the
 * exchange returns it (D15). Costs 1 credit. Rejects with ServiceError, TransportError or WireFormatError.
 */
export const metaAndAssetCtxs = optionalInfoFunction('metaAndAssetCtxs', schema);
