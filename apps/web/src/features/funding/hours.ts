import { divide, formatUnits } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { TimeZone } from '../../ui/format.ts';
import type { History } from './entries.ts';
import { STATISTIC_DECIMALS } from './statistics.ts';

const MINUTE_MS = 60_000;

/** The rates that were applied in one hour of the day. */
export interface HourOfDay {
  readonly hour: number;
  readonly count: number;
  /** Mean per interval, rounded half up to `STATISTIC_DECIMALS`; undefined if none was applied in this hour. */
  readonly mean: DecimalString | undefined;
}

/** The mean rate of each hour of the day in the zone. Times are rounded to the nearest minute to find their hour. */
export function hoursOf({ counted, scale }: History, zone: TimeZone): readonly HourOfDay[] {
  const sums = Array.from({ length: 24 }, () => ({ count: 0, sum: 0n }));
  for (const { time, rate } of counted) {
    const at = new Date(Math.round(time / MINUTE_MS) * MINUTE_MS);
    const slot = sums[zone === 'utc' ? at.getUTCHours() : at.getHours()];
    if (slot === undefined) continue;
    slot.count += 1;
    slot.sum += rate;
  }
  return sums.map(({ count, sum }, hour) => ({
    hour,
    count,
    mean: divide(formatUnits(sum, scale), formatUnits(count, 0), STATISTIC_DECIMALS),
  }));
}
