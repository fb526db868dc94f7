import { FORECAST_DAYS_MIN, type Forecast, type Reach, reachOf } from '../../api/account-usage/forecast.ts';
import type { MonthFacts } from '../../api/account-usage/month-facts.ts';
import { counted, wholeText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { WithNumbers } from '../../ui/with-numbers.tsx';

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
      <p className="text-12 text-dim">
        Expected use by the end of <span className="num leading-none">{end}</span>
      </p>
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
        Based on <WithNumbers text={counted(basis.days, 'complete day')} />,{' '}
        <span className="num whitespace-nowrap">{basis.from}</span> –{' '}
        <span className="num whitespace-nowrap">{basis.to}</span>, excluding today:{' '}
        <span className="num leading-none">{wholeText(perDay)}</span> a day. The{' '}
        <span className="num leading-none">80 %</span> range assumes that days are similar and independent. Usage resets
        on the first of each month.
      </p>
    </div>
  );
}

function ReachText({ reach }: { readonly reach: Reach }) {
  switch (reach.kind) {
    case 'reached':
      return (
        <span className="text-stale">
          reached on <span className="num text-12">{reach.day}</span>
        </span>
      );
    case 'not this month':
      return <>not this month</>;
    case 'expected':
      return (
        <span className="text-stale">
          {reach.likely === undefined ? (
            'possibly'
          ) : (
            <>
              ≈ <span className="num text-12">{reach.likely}</span>
            </>
          )}
          <span className="block text-12">
            from <span className="num">{reach.earliest}</span> to{' '}
            {reach.latest === undefined ? 'after the month ends' : <span className="num">{reach.latest}</span>}
          </span>
        </span>
      );
  }
}
