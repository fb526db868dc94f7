import { memo, useEffect, useMemo } from 'react';
import { Area, CartesianGrid, ComposedChart, Line, ReferenceLine, XAxis, YAxis } from 'recharts';
import { BELOW, GRID, LEFT, LINE, MARGIN, STILL, valueTicks, X_AXIS, Y_AXIS } from '../../ui/chart/chart-parts.ts';
import type { TimeTexts } from '../../ui/use-time.ts';
import { chartRows, dayRows, hasDayMeans, rangeKey } from './chart-rows.ts';
import type { ChartView } from './chart-view.ts';
import type { FundingPeriod, History } from './entries.ts';
import { BELOW_RATES, HEADING, paneHeight, panesOf, ratesHeight } from './rate-panes.ts';
import { UNIT_TEXTS } from './rates.ts';
import { lookOf } from './series.ts';
import { SeriesMark } from './series-mark.tsx';
import { unreportedText } from './texts.ts';
import { timeAxis } from './time-axis.ts';

interface RateLinesProps extends ChartView {
  readonly width: number;
  readonly height: number;
  readonly histories: readonly History[];
  /** Coins that are not drawn. */
  readonly hidden: readonly string[];
  /** Called with the lowest and the highest value of the rates' axis. Pass a stable function. */
  readonly onDomain: (domain: readonly [low: number, high: number]) => void;
}

/**
 * The rates of all coins, and below them the premiums, each coin on its own scale because they cross each other constantly, or
 * the cumulative rates, which are compared.
 */
const RateLines = memo(function RateLines(props: RateLinesProps) {
  const { width, height, histories, hidden, view, unit, paneKind, time, onDomain } = props;
  const panes = panesOf(paneKind, histories.length);
  const room = height - BELOW - (panes === 0 ? 0 : HEADING);
  const each = paneHeight(panes, room);
  const shared = { width, view, time, histories, hidden };
  return (
    <>
      <div className="relative" data-plot>
        <Lines
          {...shared}
          drawn={unit}
          height={ratesHeight(paneKind, histories.length, height) + (panes === 0 ? BELOW : 0)}
          hasTimes={panes === 0}
          onDomain={onDomain}
        />
        <p className="pointer-events-none absolute top-0 text-11 text-dim" style={{ left: LEFT + 4 }}>
          {UNIT_TEXTS[unit].axis}
          {hasDayMeans(view) && ', mean of each UTC day with its range'}
        </p>
      </div>
      {panes > 0 && (
        <p className="text-11 text-dim" style={{ height: HEADING, paddingLeft: LEFT + 4 }}>
          {paneKind === 'premium' ? 'premium, %, each coin on its own scale' : 'cumulative, %'}
        </p>
      )}
      {paneKind === 'cumulative' && (
        <div data-pane="">
          <Lines {...shared} drawn={paneKind} height={each + BELOW} hasTimes />
        </div>
      )}
      {paneKind === 'premium' &&
        histories.map((history, at) => (
          <div key={history.coin} data-pane={history.coin} className="relative">
            <Lines
              {...shared}
              drawn={paneKind}
              only={at}
              height={each + (at === panes - 1 ? BELOW : 0)}
              hasTimes={at === panes - 1}
            />
            <p
              className="pointer-events-none absolute top-1 rounded-4 bg-surface-0 px-1 text-11"
              style={{ left: LEFT + 4 }}
            >
              <SeriesMark at={at} /> <span className="text-dim">{history.coin}</span>{' '}
              <span className="text-stale">{unreportedText(history)}</span>
            </p>
          </div>
        ))}
    </>
  );
});

interface LinesProps {
  readonly width: number;
  readonly height: number;
  readonly histories: readonly History[];
  readonly drawn: Parameters<typeof chartRows>[1];
  readonly view: FundingPeriod;
  readonly time: TimeTexts;
  readonly hidden: readonly string[];
  readonly hasTimes: boolean;
  /** The index of the only coin that is drawn. */
  readonly only?: number;
  readonly onDomain?: RateLinesProps['onDomain'];
}

const ABOVE_OTHERS = { ...MARGIN, bottom: BELOW_RATES };

/** Least distance of two times under the axis, px. */
const TIME_GAP = 90;

function Lines({ width, height, histories, drawn, view, time, hidden, hasTimes, only, onDomain }: LinesProps) {
  const isRate = drawn !== 'premium' && drawn !== 'cumulative';
  const rows = useMemo(
    () => [...(isRate && hasDayMeans(view) ? dayRows(histories, drawn, view) : chartRows(histories, drawn, view))],
    [histories, drawn, view, isRate],
  );
  const times = useMemo(
    () => timeAxis(view, time.zone, Math.max(2, Math.floor(width / TIME_GAP))),
    [view, time.zone, width],
  );
  const axis = useMemo(() => {
    const letters = histories.map((_, at) => lookOf(at).letter).filter((_, at) => only === undefined || only === at);
    return valueTicks(
      rows.flatMap((row) => letters.flatMap((letter) => [row[rangeKey(letter)] ?? [], row[letter] ?? []].flat())),
      only === undefined ? 6 : 2,
    );
  }, [rows, histories, only]);
  const [low, high] = axis.domain;
  useEffect(() => onDomain?.([low, high]), [onDomain, low, high]);
  return (
    <ComposedChart
      {...{ width, height }}
      data={rows}
      margin={hasTimes ? MARGIN : ABOVE_OTHERS}
      accessibilityLayer={false}
    >
      <CartesianGrid {...GRID} verticalValues={[...times.ticks]} />
      <XAxis
        {...X_AXIS}
        dataKey="time"
        type="number"
        domain={[view.from, view.to]}
        allowDataOverflow
        ticks={[...times.ticks]}
        tickFormatter={times.text}
        interval={0}
        hide={!hasTimes}
      />
      <YAxis {...Y_AXIS} {...axis} domain={[...axis.domain]} />
      <ReferenceLine y={0} stroke="var(--edge)" />
      {isRate &&
        hasDayMeans(view) &&
        histories.map(({ coin }, at) => (
          <Area
            key={coin}
            {...STILL}
            dataKey={rangeKey(lookOf(at).letter)}
            type="linear"
            stroke="none"
            fill={lookOf(at).colour}
            fillOpacity={0.18}
            activeDot={false}
            hide={hidden.includes(coin)}
          />
        ))}
      {histories.map((history, at) => {
        const { letter, colour, dash } = lookOf(at);
        return (
          (only === undefined || only === at) && (
            <Line
              key={letter}
              {...LINE}
              dataKey={letter}
              type="stepBefore"
              stroke={colour}
              {...(only === undefined && dash !== undefined ? { strokeDasharray: dash } : {})}
              strokeWidth={at === 0 ? 2 : 1.5}
              hide={hidden.includes(history.coin)}
            />
          )
        );
      })}
    </ComposedChart>
  );
}

export default RateLines;
