import { Button } from '../../ui/button.tsx';
import { DayRangeField } from '../../ui/day-range.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { DAYS_TEXTS, type Days } from './period.ts';
import { DAYS } from './search.ts';

interface PeriodControlsProps {
  /** Undefined where days are given one by one. */
  readonly days: Days | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The latest day there is, in UTC. */
  readonly today: string;
  /** What a preset costs now; 0 where all of it is here. */
  readonly priceOf: (days: Days) => number;
  readonly onDays: (days: Days) => void;
  readonly onRange: (from: string | undefined, to: string | undefined) => void;
}

/** Which time: the last so many days, each with its price, or days of one's own. */
export function PeriodControls({ days, from, to, today, priceOf, onDays, onRange }: PeriodControlsProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center">
      <legend className="sr-only">Period</legend>
      {DAYS.map((each) => (
        <Button key={each} aria-pressed={each === days} onClick={() => onDays(each)}>
          {DAYS_TEXTS[each]}
          {/* Room for any of them: nothing moves when it changes. */}
          <span className="min-w-10">
            <PriceTag credits={priceOf(each)} short />
          </span>
        </Button>
      ))}
      <DayRangeField
        name="Days"
        closed
        none="choose"
        value={{ from, to }}
        max={today}
        onChange={(range) => onRange(range.from, range.to)}
      />
    </fieldset>
  );
}
