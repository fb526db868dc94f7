import { fundingHistory as schema } from '@l4desk/protocol';
import { infoFunction } from '../info-function.ts';

/**
 * Returns funding rates and premiums of one coin, oldest first, from `startTime` to `endTime` (ms, both inclusive). `endTime`
 * defaults to now (§4.5). At most 500 entries; `fundingHistoryPages` returns the rest. A rate is the fraction paid in one
 * interval: `0.0000125` is 0.00125 %. Times are not exactly on the hour (D18). Costs 1 credit. Rejects with ServiceError
 * (`unknown_coin`, `invalid_request` with path `endTime` if it is before `startTime`, …), TransportError or WireFormatError.
 */
export const fundingHistory = infoFunction('fundingHistory', schema);
