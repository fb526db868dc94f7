import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { LEFT, RIGHT } from '../../ui/chart/chart-parts.ts';
import { useShownSeries } from '../../ui/chart/legend.tsx';
import { signedPercent } from '../../ui/format.ts';
import { PaneBoundary } from '../../ui/page/pane-boundary.tsx';
import { Empty, Loading } from '../../ui/page/states.tsx';
import { type TimeTexts, useTime } from '../../ui/use-time.ts';
import { Brush } from './brush.tsx';
import type { FundingChart } from './chart-rows.ts';
import { CoinLine } from './coin-line.tsx';
import { entryAt, type FundingPeriod, type History } from './entries.ts';
import { RateChart } from './rate-chart.tsx';
import { rateIn } from './rates.ts';
import { lookOf } from './series.tsx';
import { emptyText, paneValueText, receivedText, SILENCE_TEXTS } from './texts.ts';
import type { CoinFunding } from './use-funding.ts';

interface ChartSectionProps {
  readonly fundings: readonly CoinFunding[];
  readonly chart: FundingChart;
  readonly isLoading: boolean;
  readonly onRemove: ((coin: string) => void) | undefined;
  readonly onResume: (coin: string) => void;
  readonly onZoom: (part: FundingPeriod | undefined) => void;
  readonly onOpen: (time: number) => void;
}

/** The cursor's time, ms. Values at a keyboard cursor are also announced to screen readers. */
interface Cursor {
  readonly at: number;
  readonly by: 'pointer' | 'keyboard';
}

/**
 * The coins and their chart, which share the cursor; below it an overview of the period, and for each coin a strip of the received
 * and missing entries.
 */
export function ChartSection({ fundings, chart, isLoading, onRemove, onResume, onZoom, onOpen }: ChartSectionProps) {
  const { histories, period, view } = chart;
  const time = useTime();
  const [placed, setCursor] = useState<Cursor>();
  // Back, the overview and another period change what is in view without a move of the cursor.
  const cursor = placed !== undefined && placed.at >= view.from && placed.at <= view.to ? placed : undefined;
  const coins = useMemo(() => fundings.map(({ coin }) => coin), [fundings]);
  const legend = useShownSeries(coins);
  const zoomTo = (part: FundingPeriod) => onZoom(part.from <= period.from && part.to >= period.to ? undefined : part);
  return (
    <>
      <ul
        aria-label="Coins"
        className="grid shrink-0 grid-cols-[repeat(auto-fill,minmax(min(400px,100%),1fr))] border-b border-line max-sm:pb-1"
      >
        {fundings.map((funding, at) => (
          <CoinLine
            key={funding.coin}
            {...{ funding, at, chart, legend }}
            cursor={cursor?.at}
            onRemove={onRemove && (() => onRemove(funding.coin))}
            onResume={() => onResume(funding.coin)}
          />
        ))}
      </ul>
      <output className="sr-only">{cursor?.by === 'keyboard' && saidAt(chart, cursor.at, time)}</output>
      <div className="flex shrink-0 grow-[3] basis-96 flex-col max-sm:basis-80">
        <PaneBoundary name="Chart">
          {histories.some(({ entries }) => entries.length > 0) ? (
            <RateChart
              chart={chart}
              hidden={legend.hidden}
              cursor={cursor?.at}
              isPointed={cursor?.by === 'pointer'}
              onCursor={(at, by) => setCursor(at === undefined ? undefined : { at, by })}
              onZoom={zoomTo}
              onOpen={onOpen}
            />
          ) : isLoading ? (
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
            <Brush chart={chart} onChange={zoomTo} />
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
    </>
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

function saidAt({ histories, unit, paneKind }: FundingChart, moment: number, time: TimeTexts): string {
  const coins = histories.map((history) => {
    const entry = entryAt(history, moment);
    const rate = entry && rateIn(unit, entry.fundingRate, entry.interval);
    if (entry === undefined || rate === undefined) {
      return `${history.coin} ${history.silence === undefined ? 'no entry' : SILENCE_TEXTS[history.silence]}`;
    }
    const below = paneKind === undefined ? [] : [paneKind, paneValueText(paneKind, history, entry)];
    return [`${history.coin} ${signedPercent(rate)}`, ...below].join(' ');
  });
  return `${time.second(moment)}: ${coins.join(', ')}`;
}

const WIDTH = 1000;
const HEIGHT = 8;

/**
 * The received entries of the period (filled), missing ones (a line), the time before the coin was listed (dots) and duplicates (a
 * tick); dashes where nothing is known.
 */
export function CompletenessStrip({ history }: { readonly history: History }) {
  const { period, entries, completeness } = history;
  const { gaps, before, unlisted, after, duplicates } = completeness;
  const intervalOf = (time: number) => entries.find((entry) => entry.time === time)?.interval ?? 0;
  const x = (time: number) => Math.min(WIDTH, Math.max(0, ((time - period.from) / (period.to - period.from)) * WIDTH));
  const [first, last] = [entries[0], entries.at(-1)];
  const missing = [
    ...(before === undefined ? [] : [{ from: before.from, to: before.to - intervalOf(before.to) }]),
    // The last interval of a gap belongs to the entry after it.
    ...gaps.map(({ from, to }) => ({ from, to: to - intervalOf(to) })),
    ...(after === undefined ? [] : [after]),
  ];
  return (
    <svg
      role="img"
      data-strip={history.coin}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-2 w-full min-w-0"
    >
      <title>{`${history.coin}: ${receivedText(history)}`}</title>
      {history.silence === undefined ? (
        <rect width={WIDTH} height={HEIGHT} fill="var(--surface-2)" />
      ) : (
        <line
          x2={WIDTH}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
          stroke="var(--text-dim)"
          strokeDasharray="2 6"
          vectorEffect="non-scaling-stroke"
        />
      )}
      {first !== undefined && last !== undefined && (
        <rect
          x={x(first.time - (first.interval ?? 0))}
          width={Math.max(1, x(last.time) - x(first.time - (first.interval ?? 0)))}
          height={HEIGHT}
          fill="var(--text-dim)"
          fillOpacity={0.55}
        />
      )}
      {unlisted !== undefined && (
        <line
          data-unlisted
          x1={x(unlisted.from)}
          x2={x(unlisted.to)}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
          stroke="var(--text-dim)"
          strokeDasharray="1 5"
          vectorEffect="non-scaling-stroke"
        />
      )}
      {missing.map(({ from, to }) => (
        <g key={from}>
          <rect x={x(from)} width={Math.max(3, x(to) - x(from))} height={HEIGHT} fill="var(--surface-0)" />
          <rect x={x(from)} y={3} width={Math.max(3, x(to) - x(from))} height={2} fill="var(--stale)" />
        </g>
      ))}
      {duplicates.map((at) => (
        <rect key={at} x={x(entries[at]?.time ?? 0) - 1} width={2} height={HEIGHT} fill="var(--watched)" />
      ))}
    </svg>
  );
}
