import { allMids as schema } from '@l4desk/protocol/upstream';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * Returns the mid price of every coin that has one, by name. Spot pairs are named `@<N>`. `dex` selects a builder dex. The
 * response is the exchange's, unchanged (D15). Costs 1 credit. Rejects with ServiceError, TransportError or WireFormatError.
 */
export const allMids = optionalInfoFunction('allMids', schema);
