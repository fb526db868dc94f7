import { userFunding as schema } from '@l4desk/protocol/upstream';
import { infoFunction } from '../info-function.ts';

/**
 * Returns the funding payments of one wallet, oldest first, from `startTime` to `endTime` (ms, both inclusive). `usdc` is
 * negative if the wallet paid. At most 500 entries; the response is the exchange's, unchanged (D15). Costs 1 credit. Rejects with
 * ServiceError (`invalid_request` with path `user` or `endTime`, …), TransportError or WireFormatError.
 */
export const userFunding = infoFunction('userFunding', schema);
