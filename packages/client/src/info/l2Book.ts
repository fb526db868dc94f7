import { l2Book as schema } from '@l4desk/protocol/upstream';
import { infoFunction } from '../info-function.ts';

/**
 * Returns the aggregated book of one coin: bids, then asks, best first, at most 20 levels a side. Null for a coin that the
 * exchange does not know. `nSigFigs` (2 to 5) groups prices; `mantissa` (2 or 5) requires `nSigFigs` 5. The response is the
 * exchange's, unchanged (D15). Costs 1 credit. Rejects with ServiceError, TransportError or WireFormatError.
 */
export const l2Book = infoFunction('l2Book', schema);
