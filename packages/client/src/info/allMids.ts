import { allMids as schema } from '@l4desk/protocol/upstream';
import { optionalInfoFunction } from '../info-function.ts';

/**
 * The mid price of every coin that has one, by its name; spot pairs are named `@<N>`. `dex` names a builder dex. As the
 * exchange returns it (D15). Costs 1 credit. Rejects with ServiceError, TransportError or WireFormatError.
 */
export const allMids = optionalInfoFunction('allMids', schema);
