import type { UsageDay } from '../../api/account-usage/days.ts';
import { counted } from '../../ui/format.ts';

/** Number of days drawn, the latest ones. */
const DAYS = 28;
const HEIGHT = 56;
const STEP = 10;

/** The credits of the last days, as bars. Today is not over and is drawn apart. */
export function DaysStrip({ days }: { readonly days: readonly UsageDay[] }) {
  const shown = days.slice(-DAYS);
  const most = Math.max(1, ...shown.map(({ credits }) => credits));
  const today = shown.at(-1);
  return (
    <svg
      role="img"
      aria-label={`Credits of the last ${shown.length} days, ${counted(most, 'credit')} at most in one; today ${counted(today?.credits ?? 0, 'credit')} so far`}
      viewBox={`0 0 ${shown.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="mt-2 h-14 w-full border-b border-line"
    >
      {shown.map((day, at) => {
        const height = Math.max(1, (day.credits / most) * HEIGHT);
        return (
          <rect
            key={day.date}
            x={at * STEP}
            y={HEIGHT - height}
            width={STEP - 1}
            height={height}
            className={day === today ? 'fill-edge' : 'fill-accent'}
          >
            <title>{`${day.date}: ${counted(day.credits, 'credit')}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
