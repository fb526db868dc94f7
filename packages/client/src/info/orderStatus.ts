import { orderStatusResponse as schema } from '@l4desk/protocol/upstream';
import { infoFunction } from '../info-function.ts';

/**
 * One order of a wallet, by its oid or by the client order id it was placed with (`0x` and 32 hexadecimal digits):
 * `status` is `order` when it was found, else a word such as `unknownOid`. As the exchange returns it (D15). Costs 1 credit.
 * Rejects with ServiceError (`invalid_request` with path `user` or `oid`, …), TransportError or WireFormatError.
 */
export const orderStatus = infoFunction('orderStatus', schema);
