import { Button } from '../../ui/button.tsx';
import { DayRangeField } from '../../ui/day-range.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { DAYS_TEXTS, type Days } from './period.ts';
import { DAYS } from './search.ts';

interface PeriodControlsProps {
  /** Undefined if the days are given explicitly. */
  readonly days: Days | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The latest selectable day, in UTC. */
  readonly today: string;
  /** The current price of a preset; 0 if all of it is loaded. */
  readonly priceOf: (days: Days) => number;
  readonly onDays: (days: Days) => void;
  readonly onRange: (from: string | undefined, to: string | undefined) => void;
}

/** Selects the period: the last days, each choice with its price, or explicit days. */
export function PeriodControls({ days, from, to, today, priceOf, onDays, onRange }: PeriodControlsProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center">
      <legend className="sr-only">Period</legend>
      {DAYS.map((each) => (
        <Button key={each} aria-pressed={each === days} onClick={() => onDays(each)}>
          {DAYS_TEXTS[each]}
          {/* Wide enough for any price, so that nothing moves when it changes. */}
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
