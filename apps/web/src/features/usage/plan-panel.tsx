import { burnRate, isTooFast } from '../../api/account-usage/burn-rate.ts';
import type { MonthFacts } from '../../api/account-usage/month-facts.ts';
import { usePreferences } from '../../state/preferences.ts';
import { wholeText } from '../../ui/format.ts';
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
        <span className="num leading-none">{month.month}</span>, so far (UTC):{' '}
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
            <span className={`num text-15 ${isFast ? 'text-stale' : 'text-strong'}`} data-figure="burn_rate">
              {rate}
            </span>
          </p>
          <p className="text-12 text-dim">
            % of the plan ÷ % of the month: {isFast ? 'above' : 'up to'} <span className="num leading-none">1.00</span>{' '}
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
    <div className="grid grid-cols-[64px_1fr_auto] items-center gap-2 text-12">
      <span className="num text-right text-strong">{text}</span>
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
