import { orderStatusResponse as schema } from '@l4desk/protocol/upstream';
import { infoFunction } from '../info-function.ts';

/**
 * Returns one order of a wallet, by its oid or by the client order id it was placed with (`0x` and 32 hexadecimal digits).
 * `status` is `order` if it was found, otherwise a value such as `unknownOid`. The response is the exchange's, unchanged (D15).
 * Costs 1 credit. Rejects with ServiceError (`invalid_request` with path `user` or `oid`, …), TransportError or WireFormatError.
 */
export const orderStatus = infoFunction('orderStatus', schema);
