import { burnRate, isTooFast } from '../../api/account-usage/burn-rate.ts';
import { FORECAST_DAYS_MIN, type Forecast, type Reach, reachOf } from '../../api/account-usage/forecast.ts';
import type { MonthFacts } from '../../api/account-usage/month-facts.ts';
import { usePreferences } from '../../state/preferences.ts';
import { counted, wholeText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Select } from '../../ui/select.tsx';
import { shareText } from '../../ui/share-text.ts';

/** The current calendar month compared with the plan. Independent of the displayed window. */
export function PlanPanel({ facts: { aggregate, month } }: { readonly facts: MonthFacts }) {
  const { max_credits, flex_credits, plan } = aggregate;
  return (
    <Panel title="Plan, this month" controls={<span className="text-dim">{plan}</span>}>
      <MonthOfPlan month={month} ceiling={max_credits} />
      <dl className="grid grid-cols-[1fr_auto] items-baseline gap-x-4">
        <dt>Ceiling per calendar month</dt>
        <dd className="num text-right text-12" data-figure="max_credits">
          {wholeText(max_credits)}
        </dd>
        <dt>Flex above the ceiling</dt>
        <dd className="num text-right text-12" data-figure="flex_credits">
          {wholeText(flex_credits.limit)}
        </dd>
      </dl>
      {max_credits > 0 && <CreditAlert />}
    </Panel>
  );
}

const ALERTS = [0, 25, 50, 75, 90].map((percent) => ({
  value: String(percent),
  text: percent === 0 ? 'no alert' : `${percent} %`,
}));

/** From which share of the plan the header of every page and the overview raise an alarm. */
function CreditAlert() {
  const percent = usePreferences((state) => state.creditAlertPercent);
  const set = usePreferences((state) => state.set);
  return (
    <p className="-ml-2">
      <Select
        name="Alert at a share of the plan"
        caption="Alert at"
        value={String(percent)}
        options={ALERTS}
        onChange={(value) => set({ creditAlertPercent: Number(value) })}
      />
    </p>
  );
}

function MonthOfPlan({ month, ceiling }: { readonly month: MonthFacts['month']; readonly ceiling: number }) {
  const { elapsedMs, lengthMs } = month.elapsed;
  const used = shareText(month.credits, ceiling);
  const gone = shareText(elapsedMs, lengthMs) ?? '';
  const rate = burnRate(month.credits, ceiling, month.elapsed);
  const isFast = rate !== undefined && isTooFast(rate);
  return (
    <div className="flex flex-col gap-1" data-part="plan-month">
      <h3 className="text-12 text-dim">
        {month.month}, so far (UTC):{' '}
        <strong className="num text-15 text-strong" data-figure="month_credits">
          {wholeText(month.credits)}
        </strong>{' '}
        credits
      </h3>
      {used === undefined ? (
        <p>The plan includes no credits, so all use exceeds its ceiling.</p>
      ) : (
        <>
          <Meter name="of the plan" text={used} value={month.credits} max={ceiling} />
          <Meter name="of the month" text={gone} value={elapsedMs} max={lengthMs} />
        </>
      )}
      {rate !== undefined && (
        <>
          <p className="flex items-baseline justify-between">
            <span>Burn rate</span>
            <span className={`num text-15 ${isFast ? 'text-stale' : 'text-strong'}`}>
              <span data-figure="burn_rate">{rate}</span> ×
            </span>
          </p>
          <p className="text-12 text-dim">
            % of the plan ÷ % of the month: {isFast ? 'above' : 'up to'}{' '}
            <span className="num whitespace-nowrap leading-none">1.00 ×</span>{' '}
            {isFast ? 'the plan runs out before the month ends' : 'the plan lasts the month'}.
          </p>
        </>
      )}
    </div>
  );
}

interface MeterProps {
  readonly name: string;
  readonly text: string;
  readonly value: number;
  readonly max: number;
}

function Meter({ name, text, value, max }: MeterProps) {
  const isOver = value > max;
  return (
    <div className="grid grid-cols-[72px_1fr_auto] items-center gap-2 text-12">
      <span className="num text-right whitespace-nowrap text-strong">{text}</span>
      <span className="h-2 border border-edge" aria-hidden>
        <span
          className={`block h-full ${isOver ? 'bg-stale' : 'bg-accent'}`}
          style={{ width: `${Math.min(1, value / max) * 100}%` }}
        />
      </span>
      <span className="w-24 text-dim">{name}</span>
    </div>
  );
}

/** The forecast of the current month, its uncertainty, and when the plan runs out. Independent of the displayed window. */
export function ForecastPanel({ facts }: { readonly facts: MonthFacts }) {
  const { forecast } = facts;
  return (
    <Panel title="Forecast" controls={<span className="text-12 text-dim">estimate</span>}>
      {forecast.kind === 'forecast' ? (
        <Made facts={facts} forecast={forecast} />
      ) : (
        <p data-part="no-forecast">
          Not enough data: {counted(forecast.days, 'complete day')} since first use, and a forecast needs{' '}
          {FORECAST_DAYS_MIN}. Today does not count.
        </p>
      )}
    </Panel>
  );
}

function Made({
  facts,
  forecast,
}: {
  readonly facts: MonthFacts;
  readonly forecast: Extract<Forecast, { kind: 'forecast' }>;
}) {
  const { max_credits: ceiling, flex_credits: flex } = facts.aggregate;
  const { basis, perDay, monthEnd, path } = forecast;
  const end = path.at(-1)?.date ?? facts.today;
  return (
    <div className="flex flex-col gap-2" data-part="forecast">
      <p className="text-12 text-dim">Expected use by the end of {end}</p>
      <p className="num text-strong">
        <span className="text-15" data-figure="likely">
          ≈ {wholeText(monthEnd.likely)}
        </span>
        <span className="block text-12 text-text" data-figure="band">
          {wholeText(monthEnd.low)} – {wholeText(monthEnd.high)}
        </span>
      </p>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-1">
        <dt className="text-dim">Ceiling reached</dt>
        <dd className="text-right" data-figure="ceiling_reach">
          <ReachText reach={reachOf(ceiling, facts.days, forecast)} />
        </dd>
        <dt className="text-dim">Refused (ceiling + flex)</dt>
        <dd className="text-right" data-figure="limit_reach">
          <ReachText reach={reachOf(ceiling + flex.limit, facts.days, forecast)} />
        </dd>
      </dl>
      <p className="text-12 text-dim">
        Based on {counted(basis.days, 'complete day')}, <span className="num whitespace-nowrap">{basis.from}</span> –{' '}
        <span className="num whitespace-nowrap">{basis.to}</span>, excluding today: {wholeText(perDay)} a day. The 80 %
        range assumes that days are similar and independent. Usage resets on the first of each month.
      </p>
    </div>
  );
}

function ReachText({ reach }: { readonly reach: Reach }) {
  switch (reach.kind) {
    case 'reached':
      return <span className="text-stale">reached on {reach.day}</span>;
    case 'not this month':
      return <>not this month</>;
    case 'expected':
      return (
        <span className="text-stale">
          {reach.likely === undefined ? 'possibly' : <>≈ {reach.likely}</>}
          <span className="block text-12">
            from {reach.earliest} to {reach.latest === undefined ? 'after the month ends' : reach.latest}
          </span>
        </span>
      );
  }
}
