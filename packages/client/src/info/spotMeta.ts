import { spotMeta as schema } from '@l4desk/protocol/upstream';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * The spot pairs and tokens, as the exchange returns them (D15). Costs 1 credit. Rejects with ServiceError,
 * TransportError or WireFormatError.
 */
export const spotMeta = optionalInfoFunction('spotMeta', schema);
