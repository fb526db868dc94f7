import type { TimeTexts } from '../../ui/use-time.ts';
import type { FundingPeriod } from './entries.ts';
import type { PaneKind, Unit } from './search.ts';

/** What the chart shows, and how. */
export interface ChartView {
  /** The part of the period that is in view. */
  readonly view: FundingPeriod;
  readonly unit: Unit;
  /** What the panes below the rates show. */
  readonly paneKind: PaneKind | undefined;
  readonly time: TimeTexts;
}
