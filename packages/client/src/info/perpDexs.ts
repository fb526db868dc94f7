import { perpDexs as schema } from '@l4desk/protocol/upstream';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * Returns the builder dexes. The first entry is null and represents the canonical dex. The response is the exchange's, unchanged
 * (D15). Costs 1 credit. Rejects with ServiceError, TransportError or WireFormatError.
 */
export const perpDexs = optionalInfoFunction('perpDexs', schema);
