import { fundingHistory as schema } from '@l4desk/protocol';
import { infoFunction } from '../info-function.ts';

/**
 * Funding rates and premiums of one coin, oldest first, from `startTime` to `endTime` in ms, both included; without
 * `endTime` up to now (§4.5). At most 500 entries: `fundingHistoryPages` continues from there. A rate is the fraction of one
 * interval, `0.0000125` being 0.00125 %; times are not exactly on the hour (D18). Costs 1 credit. Rejects with ServiceError
 * (`unknown_coin`, `invalid_request` with path `endTime` where it is before `startTime`, …), TransportError or WireFormatError.
 */
export const fundingHistory = infoFunction('fundingHistory', schema);
