import { perpDexs as schema } from '@l4desk/protocol/upstream';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * The builder dexes; the first one is the canonical dex and null. As the exchange returns it (D15). Costs 1 credit.
 * Rejects with ServiceError, TransportError or WireFormatError.
 */
export const perpDexs = optionalInfoFunction('perpDexs', schema);
