import type { ShownCredential } from '@l4desk/protocol';
import { type MonthFacts } from '../../api/account-usage/month-facts.ts';
import { Panel } from '../../ui/panel.tsx';
import { DaysPanel, type DaysPanelProps } from './days-panel.tsx';
import { ForecastPanel } from './forecast-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { KindsPanel } from './kinds-panel.tsx';
import { MonthsPanel } from './months-panel.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { PriceList } from './price-list.tsx';
import { type UsageFacts } from './usage-facts.ts';

interface UsagePanelsProps extends Omit<DaysPanelProps, 'facts' | 'forecast'> {
  /** Undefined until the response has arrived. */
  readonly facts: UsageFacts | undefined;
  /** The facts of the current month, which come from another response. */
  readonly month: MonthFacts | undefined;
  /** The account's API keys with their labels in the service. */
  readonly keys: readonly ShownCredential[];
  /** The key that the session was signed in with. */
  readonly ownKey: string | undefined;
}

/** Panels side by side, separated by a hairline: the background shows through the gaps. */
const ROW = 'grid gap-px [&>*]:bg-surface-0 pair:grid-cols-2';
/** The wide panel of a row of three gets its own row where only two fit side by side. */
const UPPER = `${ROW} xl:grid-cols-[minmax(0,1fr)_280px_280px] pair:max-xl:[&>:first-child]:col-span-2`;
const LOWER = `${ROW} grow min-[1800px]:grid-cols-4`;

/** All panels of the page. Space is reserved for what has not loaded yet. Prices need no response. */
export function UsagePanels({ facts, month, keys, ownKey, ...days }: UsagePanelsProps) {
  return (
    <div className="flex min-h-0 grow flex-col gap-px overflow-y-auto bg-line" aria-busy={facts === undefined}>
      <div className={UPPER}>
        {facts === undefined ? (
          <Waiting title="Window" height="h-[352px]" />
        ) : (
          <DaysPanel facts={facts} forecast={month?.forecast} {...days} />
        )}
        {month === undefined ? <Waiting title="Plan, this month" height="h-44" /> : <PlanPanel facts={month} />}
        {month === undefined ? <Waiting title="Forecast" height="h-44" /> : <ForecastPanel facts={month} />}
      </div>
      <div className={LOWER}>
        {facts === undefined ? (
          <Waiting title="Keys" height="h-40" />
        ) : (
          <KeysPanel facts={facts} keys={keys} ownKey={ownKey} />
        )}
        {facts === undefined ? <Waiting title="Kinds" height="h-40" /> : <KindsPanel period={facts.period} />}
        {facts === undefined ? <Waiting title="Months" height="h-40" /> : <MonthsPanel facts={facts} />}
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
