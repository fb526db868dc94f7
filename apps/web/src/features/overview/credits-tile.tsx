import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { burnRate, isTooFast } from '../../api/account-usage/burn-rate.ts';
import type { UsageDay } from '../../api/account-usage/days.ts';
import { type Reach, reachOf } from '../../api/account-usage/forecast.ts';
import type { MonthFacts } from '../../api/account-usage/month-facts.ts';
import { counted, wholeText } from '../../ui/format.ts';
import { shareText } from '../../ui/share-text.ts';
import { Tile, TileFailed, TileLoading } from './tile.tsx';
import type { Overview } from './use-overview.ts';

/** The part of the plan used this month, and the forecast. */
export function CreditsTile({ usage, className }: { readonly usage: Overview['usage']; readonly className: string }) {
  const { query, month, mayAsk } = usage;
  return (
    <Tile
      title="Credits"
      to="/usage"
      className={className}
      at={month === undefined ? undefined : query.dataUpdatedAt}
      isStale={month !== undefined && query.isError}
      refresh={
        month === undefined && !query.isFetched
          ? undefined
          : { credits: 0, isBusy: query.isFetching, run: () => void query.refetch() }
      }
    >
      {query.isError && <TileFailed error={query.error} at={query.errorUpdatedAt} kept={month !== undefined} />}
      {month !== undefined ? (
        <Month facts={month} />
      ) : mayAsk ? (
        !query.isError && <TileLoading what="usage" />
      ) : (
        <p className="m-auto py-3 text-center text-dim">
          This session has no ServiceKey.{' '}
          <Link to="/usage" className="rounded-4 text-accent underline underline-offset-2">
            How to get a ServiceKey
          </Link>
        </p>
      )}
    </Tile>
  );
}

const Month = memo(function Month({ facts }: { readonly facts: MonthFacts }) {
  const { aggregate, month, days, forecast } = facts;
  const { max_credits: ceiling } = aggregate;
  const share = shareText(month.credits, ceiling);
  const rate = burnRate(month.credits, ceiling, month.elapsed);
  return (
    <>
      <dl className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 [&>dd]:text-right [&>dt]:text-dim">
        <dt>Used in {month.month}</dt>
        <dd>
          <span className="num text-strong">{wholeText(month.credits)}</span>
          {share !== undefined && ` · ${share}`}
        </dd>
        <dt>Ceiling</dt>
        <dd className="num text-12">{wholeText(ceiling)}</dd>
        {rate !== undefined && (
          <>
            <dt title="% of the plan ÷ % of the month: at 1.00 × the plan lasts exactly the month">Burn rate</dt>
            <dd className={`num text-12 ${isTooFast(rate) ? 'text-stale' : ''}`}>{rate} ×</dd>
          </>
        )}
        {forecast.kind === 'forecast' ? (
          <>
            <dt>Forecast for month end</dt>
            <dd className="num text-12">
              ≈ {wholeText(forecast.monthEnd.likely)}
              <span className="block text-dim">
                {wholeText(forecast.monthEnd.low)} – {wholeText(forecast.monthEnd.high)}
              </span>
            </dd>
            <dt>Ceiling reached</dt>
            <dd>{reachText(reachOf(ceiling, days, forecast))}</dd>
          </>
        ) : (
          <>
            <dt>Forecast</dt>
            <dd className="text-dim">not enough data yet</dd>
          </>
        )}
      </dl>
      <DaysStrip days={days} />
    </>
  );
});

function reachText(reach: Reach): string {
  switch (reach.kind) {
    case 'reached':
      return `on ${reach.day}`;
    case 'not this month':
      return 'not this month';
    case 'expected':
      return reach.likely === undefined ? `possibly, from ${reach.earliest}` : `≈ ${reach.likely}`;
  }
}

/** Number of days drawn, the latest ones. */
const STRIP_DAYS = 28;
const STRIP_HEIGHT = 56;
const STRIP_STEP = 10;

/** The credits of the last days, as bars. Today is not over and is drawn apart. */
function DaysStrip({ days }: { readonly days: readonly UsageDay[] }) {
  const shown = days.slice(-STRIP_DAYS);
  const most = Math.max(1, ...shown.map(({ credits }) => credits));
  const today = shown.at(-1);
  return (
    <svg
      role="img"
      aria-label={`Credits of the last ${shown.length} days, ${counted(most, 'credit')} at most in one; today ${counted(today?.credits ?? 0, 'credit')} so far`}
      viewBox={`0 0 ${shown.length * STRIP_STEP} ${STRIP_HEIGHT}`}
      preserveAspectRatio="none"
      className="mt-2 h-14 w-full border-b border-line"
    >
      {shown.map((day, at) => {
        const height = Math.max(1, (day.credits / most) * STRIP_HEIGHT);
        return (
          <rect
            key={day.date}
            x={at * STRIP_STEP}
            y={STRIP_HEIGHT - height}
            width={STRIP_STEP - 1}
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
