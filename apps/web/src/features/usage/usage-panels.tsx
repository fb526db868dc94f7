import { Panel } from '../../ui/panel.tsx';
import { DaysPanel } from './days-panel.tsx';
import { ForecastPanel } from './forecast-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { MonthsPanel } from './months-panel.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { PriceList } from './price-list.tsx';
import type { UsageFacts } from './usage-facts.ts';

interface UsagePanelsProps {
  readonly facts: UsageFacts;
  /** The days each for itself, or as running totals of their months. */
  readonly chart: 'day' | 'month';
  readonly as: 'chart' | 'table';
  readonly onChart: (chart: 'day' | 'month') => void;
  readonly onAs: (as: 'chart' | 'table') => void;
  /** Asks for a longer period; undefined when it is long already. */
  readonly onWiden: (() => void) | undefined;
}

const SURFACE =
  'grid min-h-0 grow content-start overflow-y-auto min-[1100px]:grid-cols-[minmax(0,1fr)_340px] min-[1100px]:content-stretch';
const MAIN = 'flex min-w-0 flex-col';
const SIDE =
  'flex min-w-0 flex-col border-line max-[1099px]:border-t min-[1100px]:border-l [&>*+*]:border-t [&>*+*]:border-line';
const TABLES =
  'grid grow border-t border-line min-[1360px]:grid-cols-2 [&>*+*]:border-line max-[1359px]:[&>*+*]:border-t min-[1360px]:[&>*+*]:border-l';

/** Everything that one window says. */
export function UsagePanels({ facts, chart, as, onChart, onAs, onWiden }: UsagePanelsProps) {
  return (
    <div className={SURFACE}>
      <div className={MAIN}>
        <DaysPanel facts={facts} chart={chart} as={as} onChart={onChart} onAs={onAs} />
        <div className={TABLES}>
          <KeysPanel facts={facts} />
          <MonthsPanel facts={facts} />
        </div>
      </div>
      <div className={SIDE}>
        <PlanPanel facts={facts} />
        <ForecastPanel facts={facts} onWiden={onWiden} />
        <PriceList />
      </div>
    </div>
  );
}

/** The same surface while the first answer is on its way; prices need none. */
export function WaitingPanels() {
  return (
    <div className={SURFACE} aria-busy>
      <div className={MAIN}>
        <Waiting title="Days" height="h-[352px]" />
        <div className={TABLES}>
          <Waiting title="Keys" height="h-40" />
          <Waiting title="Months" height="h-40" />
        </div>
      </div>
      <div className={SIDE}>
        <Waiting title="Plan" height="h-44" />
        <Waiting title="Forecast" height="h-40" />
        <PriceList />
      </div>
    </div>
  );
}

function Waiting({ title, height }: { readonly title: string; readonly height: string }) {
  return (
    <Panel title={title}>
      <output className={`flex items-center justify-center bg-surface-1 text-dim ${height}`}>
        <span className="motion-safe:animate-[appear_0s_200ms_both]">on its way…</span>
      </output>
    </Panel>
  );
}
