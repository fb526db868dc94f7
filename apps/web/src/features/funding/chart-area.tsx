import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { LEFT, RIGHT } from '../../ui/chart/chart-parts.ts';
import { PaneBoundary } from '../../ui/page/pane-boundary.tsx';
import { Empty, Loading } from '../../ui/page/states.tsx';
import { Brush } from './brush.tsx';
import type { ChartView } from './chart-view.ts';
import { CompletenessStrip } from './completeness-strip.tsx';
import type { FundingPeriod, History } from './entries.ts';
import { RateChart } from './rate-chart.tsx';
import { lookOf } from './series.ts';
import { emptyText } from './texts.ts';

export interface ChartAreaProps extends ChartView {
  readonly histories: readonly History[];
  /** Coins that are not drawn. */
  readonly hidden: readonly string[];
  /** The same coins over the whole requested period. */
  readonly whole: readonly History[];
  readonly period: FundingPeriod;
  readonly isLoading: boolean;
  readonly cursor: number | undefined;
  readonly isPointed: boolean;
  readonly onCursor: (time: number | undefined, by: 'pointer' | 'keyboard') => void;
  /** Undefined shows the whole period. */
  readonly onZoom: (part: FundingPeriod | undefined) => void;
  readonly onOpen: (time: number) => void;
}

/** The chart, an overview of the period below it, and for each coin a strip of the received and missing entries. */
export function ChartArea(props: ChartAreaProps) {
  const {
    histories,
    hidden,
    whole,
    period,
    view,
    unit,
    paneKind,
    time,
    isLoading,
    cursor,
    isPointed,
    onCursor,
    onZoom,
    onOpen,
  } = props;
  const isEmpty = histories.every(({ entries }) => entries.length === 0);
  const zoomTo = (part: FundingPeriod) => onZoom(part.from <= period.from && part.to >= period.to ? undefined : part);
  return (
    <div className="flex shrink-0 grow-[3] basis-96 flex-col max-sm:basis-80">
      <PaneBoundary name="Chart">
        {isEmpty ? (
          isLoading ? (
            <Loading what="rates" />
          ) : (
            <Empty
              action={
                view !== period && (
                  <Button look="plain" onClick={() => onZoom(undefined)}>
                    Show the whole period
                  </Button>
                )
              }
            >
              No funding rates to draw. {emptyText(histories, view, time.second)}
            </Empty>
          )
        ) : (
          <RateChart
            {...{ histories, whole, period, hidden, view, unit, paneKind, time, cursor, isPointed, onCursor, onOpen }}
            onZoom={zoomTo}
          />
        )}
      </PaneBoundary>
      <div className="flex shrink-0 flex-col gap-0.5 py-1" style={{ paddingLeft: LEFT, paddingRight: RIGHT }}>
        <Labelled
          label={
            view === period ? (
              'All'
            ) : (
              <button type="button" className="text-accent underline" onClick={() => onZoom(undefined)}>
                Show all
              </button>
            )
          }
        >
          <Brush histories={whole} period={period} view={view} moment={time.second} onChange={zoomTo} />
        </Labelled>
        {histories.map((history, at) => (
          <Labelled
            key={history.coin}
            label={<span className="num leading-[12px] font-semibold">{lookOf(at).letter}</span>}
          >
            <CompletenessStrip history={history} />
          </Labelled>
        ))}
      </div>
    </div>
  );
}

/** A row of the time axis with a label on its left, where the chart has its values. */
function Labelled({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="relative flex min-h-3 items-center">
      <span className="absolute right-full pr-2 text-right text-11 whitespace-nowrap text-dim">{label}</span>
      {children}
    </div>
  );
}
