import type { ShownCredential } from '@l4desk/protocol';
import { type MonthFacts } from '../../api/account-usage/month-facts.ts';
import { Panel } from '../../ui/panel.tsx';
import { DaysPanel } from './days-panel.tsx';
import { ForecastPanel } from './forecast-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { MonthsPanel } from './months-panel.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { PriceList } from './price-list.tsx';
import { type UsageFacts } from './usage-facts.ts';

interface UsagePanelsProps {
  readonly facts: UsageFacts;
  /** Undefined while the response that it follows from is not there. */
  readonly month: MonthFacts | undefined;
  /** The account's API keys with the labels that the service has for them. */
  readonly keys: readonly ShownCredential[];
  /** The key that the session was signed in with. */
  readonly ownKey: string | undefined;
  /** The days each for itself, or as running totals of their months. */
  readonly chart: 'day' | 'month';
  readonly as: 'chart' | 'table';
  readonly onChart: (chart: 'day' | 'month') => void;
  readonly onAs: (as: 'chart' | 'table') => void;
}

const SURFACE = 'flex min-h-0 grow flex-col gap-px overflow-y-auto bg-line';
/** Panels side by side, a hairline between them: what lies below shows through the gaps. */
const ROW = 'grid gap-px [&>*]:bg-surface-0 min-[860px]:grid-cols-2';
/** The wide panel of a row of three has a row of its own where there is room for two. */
const UPPER = `${ROW} min-[1280px]:grid-cols-[minmax(0,1fr)_280px_280px] min-[860px]:max-[1279px]:[&>:first-child]:col-span-2`;
const LOWER = `${ROW} grow min-[1280px]:grid-cols-[minmax(0,1.1fr)_minmax(0,1.1fr)_minmax(0,0.8fr)] min-[860px]:max-[1279px]:[&>:last-child]:col-span-2`;

/** Everything that one window says. */
export function UsagePanels({ facts, month, keys, ownKey, chart, as, onChart, onAs }: UsagePanelsProps) {
  return (
    <div className={SURFACE}>
      <div className={UPPER}>
        <DaysPanel facts={facts} forecast={month?.forecast} chart={chart} as={as} onChart={onChart} onAs={onAs} />
        {month === undefined ? <Waiting title="Plan, this month" height="h-44" /> : <PlanPanel facts={month} />}
        {month === undefined ? <Waiting title="Forecast" height="h-44" /> : <ForecastPanel facts={month} />}
      </div>
      <div className={LOWER}>
        <KeysPanel facts={facts} keys={keys} ownKey={ownKey} />
        <MonthsPanel facts={facts} />
        <PriceList />
      </div>
    </div>
  );
}

/** The same panels while the first response loads; prices need none. */
export function WaitingPanels() {
  return (
    <div className={SURFACE} aria-busy>
      <div className={UPPER}>
        <Waiting title="Window" height="h-[352px]" />
        <Waiting title="Plan, this month" height="h-44" />
        <Waiting title="Forecast" height="h-44" />
      </div>
      <div className={LOWER}>
        <Waiting title="Keys" height="h-40" />
        <Waiting title="Months" height="h-40" />
        <PriceList />
      </div>
    </div>
  );
}

function Waiting({ title, height }: { readonly title: string; readonly height: string }) {
  return (
    <Panel title={title}>
      <output className={`flex items-center justify-center bg-surface-1 text-dim ${height}`}>
        <span className="motion-safe:animate-[appear_0s_200ms_both]">Loading…</span>
      </output>
    </Panel>
  );
}
