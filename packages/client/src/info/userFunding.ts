import { userFunding as schema } from '@l4desk/protocol/upstream';
import { infoFunction } from '../info-function.ts';

/**
 * The funding payments of one wallet, oldest first, from `startTime` to `endTime` in ms, both included; `usdc` is negative
 * where the wallet paid. As the exchange returns it, at most 500 (D15). Costs 1 credit. Rejects with ServiceError
 * (`invalid_request` with path `user` or `endTime`, …), TransportError or WireFormatError.
 */
export const userFunding = infoFunction('userFunding', schema);
