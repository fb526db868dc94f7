import type { DecimalString } from '@l4desk/protocol';
import type { ListedCoin } from '../feed/source.ts';
import { type FundingHour, FundingSeries, HOUR_MS } from './funding.ts';

/** A perp that `meta` still lists although it can no longer be traded. */
export interface DelistedListing extends ListedCoin {
  /** Mark price at the delisting. */
  readonly markPx: DecimalString;
}

/** It was delisted this many hours before the start and has been settled every hour since. */
const DELISTED_HOURS_AGO = 30 * 24;

/** Listed after the coins that trade. */
export const DELISTED: readonly DelistedListing[] = [
  { name: 'STRAX', szDecimals: 0, maxLeverage: 10, marginTableId: 10, markPx: '0.063017' },
  { name: 'FRIEND', szDecimals: 1, maxLeverage: 10, marginTableId: 10, markPx: '0.45071' },
];

/** The funding of one hour. After the delisting, the premium is null and nothing is paid. */
export type ReportedFundingHour = Omit<FundingHour, 'premium'> & { readonly premium: number | null };

/** Hourly funding of a perp that was delisted before the start. */
export class DelistedFunding {
  readonly #series: FundingSeries;
  readonly #delistedAt: number;

  constructor(seed: string, coin: string, startTime: number) {
    this.#series = new FundingSeries(seed, coin, startTime);
    this.#delistedAt = startTime - DELISTED_HOURS_AGO * HOUR_MS;
  }

  /** The hours applied from `from` to `to`, both included, oldest first and at most `max`. */
  between(from: number, to: number, max: number): readonly ReportedFundingHour[] {
    return this.#series.between(from, to, max).map((hour) => this.#reported(hour));
  }

  /** The funding of the hour that started `hour` hours after the Unix epoch. */
  at(hour: number): ReportedFundingHour {
    return this.#reported(this.#series.at(hour));
  }

  #reported(hour: FundingHour): ReportedFundingHour {
    return hour.time < this.#delistedAt ? hour : { ...hour, rate: 0, premium: null };
  }
}
