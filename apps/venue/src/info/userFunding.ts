import { FUNDING_HISTORY_ENTRIES_MAX, z } from '@l4desk/protocol';
import { optionalTime, user } from './fields.ts';
import { infoKind } from './kind.ts';

/** Funding payments have no transaction hash of their own. */
const NO_HASH = `0x${'0'.repeat(64)}`;

/** A wallet's funding payments, oldest first and at most 500. */
export const userFunding = infoKind({
  type: 'userFunding',
  weight: 20,
  itemsCost: true,
  request: z.object({ user, startTime: optionalTime, endTime: optionalTime }),
  respond(asked, exchange) {
    const start = asked.startTime ?? 0;
    const end = asked.endTime ?? exchange.time;
    return exchange
      .userFunding(asked.user)
      .filter(({ time }) => time >= start && time <= end)
      .slice(0, FUNDING_HISTORY_ENTRIES_MAX)
      .map(({ time, coin, usdc, szi, fundingRate }) => ({
        time,
        hash: NO_HASH,
        delta: { type: 'funding', coin, usdc, szi, fundingRate, nSamples: null },
      }));
  },
});
