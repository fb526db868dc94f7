import { type ReactNode, useMemo } from 'react';
import { Button } from '../../ui/button.tsx';
import { PaneBoundary } from '../../ui/page/pane-boundary.tsx';
import { Empty, Loading } from '../../ui/page/states.tsx';
import type { ChartView } from './chart-view.ts';
import { DrawBrush } from './draw-brush.tsx';
import { DrawChart } from './draw-chart.tsx';
import { plotEdges } from './draw-layout.ts';
import { drawPaneSeries, drawRates } from './draw-series.ts';
import { DrawStrip } from './draw-strip.tsx';
import type { FundingPeriod, History } from './entries.ts';
import { lookOf } from './series.ts';
import { emptyText } from './texts.ts';

export interface ChartAreaProps extends ChartView {
  readonly histories: readonly History[];
  /** The same coins over the whole requested period. */
  readonly whole: readonly History[];
  readonly period: FundingPeriod;
  readonly isLoading: boolean;
  readonly cursor: number | undefined;
  readonly onCursor: (time: number | undefined, by: 'pointer' | 'keyboard') => void;
  /** Undefined shows the whole period. */
  readonly onZoom: (part: FundingPeriod | undefined) => void;
  readonly onOpen: (time: number) => void;
}

/** The chart, an overview of the period below it, and for each coin a strip of the received and missing entries. */
export function ChartArea(props: ChartAreaProps) {
  const { histories, whole, period, view, unit, paneKind, time, isLoading, cursor, onCursor, onZoom, onOpen } = props;
  const isEmpty = histories.every(({ entries }) => entries.length === 0);
  const series = useMemo(() => histories.map((history) => drawRates(history, unit)), [histories, unit]);
  const paneSeries = useMemo(
    () => (paneKind === undefined ? [] : histories.map((history) => drawPaneSeries(history, paneKind))),
    [histories, paneKind],
  );
  const edges = useMemo(() => plotEdges([series, paneSeries]), [series, paneSeries]);
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
          <DrawChart
            {...{ histories, series, paneSeries, edges, view, unit, paneKind, time, cursor, onCursor, onOpen }}
            onZoom={zoomTo}
          />
        )}
      </PaneBoundary>
      <div
        className="flex shrink-0 flex-col gap-0.5 py-1"
        style={{ paddingLeft: edges.left, paddingRight: edges.right }}
      >
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
          <DrawBrush histories={whole} period={period} view={view} moment={time.second} onChange={zoomTo} />
        </Labelled>
        {histories.map((history, at) => (
          <Labelled
            key={history.coin}
            label={<span className="num leading-[12px] font-semibold">{lookOf(at).letter}</span>}
          >
            <DrawStrip history={history} />
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
