import { Button } from '../../ui/button.tsx';
import { counted, wholeText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { FORECAST_DAYS_MIN, type Forecast, type Reach, reachOf } from './forecast.ts';
import type { UsageFacts } from './usage-facts.ts';

interface ForecastPanelProps {
  readonly facts: UsageFacts;
  readonly onWiden: (() => void) | undefined;
}

/** Where the month is going, how sure that is, and when the plan runs out. */
export function ForecastPanel({ facts, onWiden }: ForecastPanelProps) {
  const { forecast } = facts;
  return (
    <Panel title="Forecast" controls={<span className="text-12 text-dim">an estimate</span>}>
      {forecast.kind === 'forecast' ? (
        <Made facts={facts} forecast={forecast} />
      ) : (
        <div data-part="no-forecast">
          <p>{noForecastText(forecast)}</p>
          {onWiden !== undefined && forecast.kind !== 'past' && (
            <div className="mt-2">
              <Button look="plain" onClick={onWiden}>
                Look at 3 months
              </Button>
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}

function noForecastText(forecast: Exclude<Forecast, { kind: 'forecast' }>): string {
  switch (forecast.kind) {
    case 'past':
      return 'None: the window ends before today.';
    case 'month cut off':
      return 'None: the window begins inside this month, so that what the month has used is not known.';
    case 'too few days':
      return `Not enough data: the window has ${counted(forecast.days, 'complete day')} since the first use in it, and a forecast needs ${FORECAST_DAYS_MIN}. Today is not complete.`;
  }
}

function Made({
  facts,
  forecast,
}: {
  readonly facts: UsageFacts;
  readonly forecast: Extract<Forecast, { kind: 'forecast' }>;
}) {
  const { max_credits: ceiling, flex_credits: flex } = facts.aggregate;
  const { basis, perDay, monthEnd, path } = forecast;
  const end = path.at(-1)?.date ?? facts.today;
  return (
    <div className="flex flex-col gap-2" data-part="forecast">
      <p className="text-12 text-dim">Used by the end of {end}</p>
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
        From {counted(basis.days, 'complete day')}, <span className="num whitespace-nowrap">{basis.from}</span> –{' '}
        <span className="num whitespace-nowrap">{basis.to}</span>, without today: {wholeText(perDay)} a day. The band
        holds 80 % if days are alike and independent. On the first of a month the count starts anew.
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
            'perhaps'
          ) : (
            <>
              ≈ <span className="num text-12">{reach.likely}</span>
            </>
          )}
          <span className="block text-12">
            from <span className="num">{reach.earliest}</span> to{' '}
            {reach.latest === undefined ? 'after the month' : <span className="num">{reach.latest}</span>}
          </span>
        </span>
      );
  }
}
