import { FUNDING_HISTORY_ENTRIES_MAX, millis, z } from '@l4desk/protocol';
import { formatRate } from '../market/funding.ts';
import { coin, optionalTime } from './fields.ts';
import { infoKind } from './kind.ts';

/**
 * Hourly funding of one perp, oldest first: at most 500 entries, none later than the last block. Delisted perps are
 * included; after the delisting their premium is `NaN` (D46). An unknown coin is an error (D18).
 */
export const fundingHistory = infoKind({
  type: 'fundingHistory',
  weight: 20,
  itemsCost: true,
  request: z.object({ coin, startTime: millis, endTime: optionalTime }),
  respond(asked, exchange) {
    const end = Math.min(asked.endTime ?? exchange.time, exchange.time);
    return exchange
      .funding(asked.coin)
      ?.between(asked.startTime, end, FUNDING_HISTORY_ENTRIES_MAX)
      .map(({ rate, premium, time }) => ({
        coin: asked.coin,
        fundingRate: formatRate(rate),
        premium: premium === null ? 'NaN' : formatRate(premium),
        time,
      }));
  },
});
