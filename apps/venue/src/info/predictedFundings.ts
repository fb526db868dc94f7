import { formatRate, HOUR_MS } from '../market/funding.ts';
import { infoKind } from './kind.ts';
import { ofDex } from './meta.ts';

/** Hours between two fundings of the other exchange. */
const OTHER_HOURS = 8;

/** The next funding of every perp of the canonical dex, here and on another exchange, which lists only every other one. */
export const predictedFundings = infoKind({
  type: 'predictedFundings',
  weight: 20,
  respond(_, exchange) {
    const nextAfter = (hours: number) => (Math.floor(exchange.time / (hours * HOUR_MS)) + 1) * hours * HOUR_MS;
    return ofDex(exchange.coins, '').map(({ name }, at) => {
      const rate = exchange.funding(name)?.at(Math.ceil(exchange.time / HOUR_MS)).rate ?? 0;
      const every = (hours: number) => ({
        fundingRate: formatRate(rate * hours),
        nextFundingTime: nextAfter(hours),
        fundingIntervalHours: hours,
      });
      return [
        name,
        [
          ['BinPerp', at % 2 === 0 ? every(OTHER_HOURS) : null],
          ['HlPerp', every(1)],
        ],
      ];
    });
  },
});
