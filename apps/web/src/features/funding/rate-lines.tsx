import { memo, useEffect, useMemo } from 'react';
import { Area, CartesianGrid, ComposedChart, Line, LineChart, ReferenceLine, XAxis, YAxis } from 'recharts';
import {
  BELOW_OTHERS,
  FILL,
  GRID,
  LEFT,
  LINE,
  MARGIN,
  STILL,
  valueTicks,
  X_AXIS,
  Y_AXIS,
} from '../../ui/chart/chart-parts.ts';
import { dayText, momentText, type TimeZone } from '../../ui/format.ts';
import { useTime } from '../../ui/use-time.ts';
import { chartRows, type Drawn, type FundingChart, hasDayMeans, rangeKey } from './chart-rows.ts';
import { DAY_MS, HOUR_MS } from './interval.ts';
import { UNIT_TEXTS } from './rates.ts';
import { lookOf, SeriesMark } from './series.tsx';
import { unreportedText } from './texts.ts';

interface RateLinesProps {
  readonly chart: FundingChart;
  readonly width: number;
  readonly hidden: readonly string[];
  /** Called with the lowest and the highest value of the rates' axis. Pass a stable function. */
  readonly onDomain: (domain: readonly [low: number, high: number]) => void;
}

/**
 * The rates of all coins, and below them the premiums, each coin on its own scale because they cross each other constantly, or
 * the cumulative rates, which are compared. Rows of a grid.
 */
const RateLines = memo(function RateLines({ onDomain, ...shared }: RateLinesProps) {
  const { histories, view, unit, paneKind } = shared.chart;
  const means = hasDayMeans(view) ? ', mean of each UTC day with its range' : '';
  return (
    <>
      <div className="relative min-w-0 contain-size" data-plot>
        <Lines {...shared} drawn={unit} hasTimes={paneKind === undefined} onDomain={onDomain} />
        <p className="pointer-events-none absolute top-0 text-11 text-dim" style={{ left: LEFT + 4 }}>
          {UNIT_TEXTS[unit].axis}
          {means}
        </p>
      </div>
      {paneKind !== undefined && (
        <p className="text-11 text-dim" style={{ paddingLeft: LEFT + 4 }}>
          {paneKind === 'premium' ? 'premium, %, each coin on its own scale' : 'cumulative, %'}
          {means}
        </p>
      )}
      {paneKind === 'cumulative' && (
        <div data-pane="" className={PANE}>
          <Lines {...shared} drawn={paneKind} hasTimes />
        </div>
      )}
      {paneKind === 'premium' &&
        histories.map((history, at) => (
          <div key={history.coin} data-pane={history.coin} className={PANE}>
            <Lines {...shared} drawn={paneKind} only={at} hasTimes={at === histories.length - 1} />
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

/**
 * The last pane has its times below the grid's rows, so that all plots are equally high. Without `contain-size` a picture in a window that
 * gets wider would make its row as high as the shape that it had.
 */
const PANE = 'relative min-w-0 contain-size last:-mb-[18px]';

interface LinesProps extends Omit<RateLinesProps, 'onDomain'> {
  readonly drawn: Drawn;
  readonly hasTimes: boolean;
  /** The index of the only coin that is drawn. */
  readonly only?: number;
  readonly onDomain?: RateLinesProps['onDomain'];
}

const TIME_GAP = 90;

function Lines({ chart: { histories, view }, width, drawn, hidden, hasTimes, only, onDomain }: LinesProps) {
  const { zone } = useTime();
  const rows = useMemo(() => [...chartRows(histories, drawn, view)], [histories, drawn, view]);
  const times = useMemo(() => timeAxis(view, zone, Math.max(2, Math.floor(width / TIME_GAP))), [view, zone, width]);
  const series = useMemo(
    () => histories.map(({ coin }, at) => ({ coin, at, ...lookOf(at) })).filter(({ at }) => (only ?? at) === at),
    [histories, only],
  );
  const axis = useMemo(() => {
    const values = rows.flatMap((row) => series.flatMap(({ letter }) => [row[rangeKey(letter)], row[letter]].flat()));
    return valueTicks(
      values.filter((value) => typeof value === 'number'),
      only === undefined ? 6 : 2,
    );
  }, [rows, series, only]);
  const [low, high] = axis.domain;
  useEffect(() => onDomain?.([low, high]), [onDomain, low, high]);
  return (
    <ComposedChart {...FILL} data={rows} margin={hasTimes ? MARGIN : BELOW_OTHERS}>
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
      {hasDayMeans(view) &&
        series.map(({ coin, letter, colour }) => (
          <Area
            key={coin}
            {...STILL}
            dataKey={rangeKey(letter)}
            type="linear"
            stroke="none"
            fill={colour}
            fillOpacity={0.18}
            activeDot={false}
            hide={hidden.includes(coin)}
          />
        ))}
      {series.map(({ coin, at, letter, colour, dash }) => (
        <Line
          key={letter}
          {...LINE}
          dataKey={letter}
          type="stepBefore"
          stroke={colour}
          {...(only === undefined && dash !== undefined ? { strokeDasharray: dash } : {})}
          strokeWidth={at === 0 ? 2 : 1.5}
          hide={hidden.includes(coin)}
        />
      ))}
    </ComposedChart>
  );
}

export default RateLines;

const EDGES = { top: 2, right: 0, bottom: 2, left: 0 } as const;

export const BrushLines = memo(function BrushLines({ whole, period }: Pick<FundingChart, 'whole' | 'period'>) {
  const rows = useMemo(() => [...chartRows(whole, 'simple', period)], [whole, period]);
  return (
    <LineChart {...FILL} data={rows} margin={EDGES}>
      <XAxis dataKey="time" type="number" domain={[period.from, period.to]} allowDataOverflow hide />
      <YAxis domain={['dataMin', 'dataMax']} hide />
      {whole.map((_, at) => {
        const { letter, colour } = lookOf(at);
        return <Line key={letter} {...LINE} dataKey={letter} type="stepBefore" stroke={colour} strokeWidth={1} />;
      })}
    </LineChart>
  );
});

const STEPS = [
  HOUR_MS,
  2 * HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  ...[1, 2, 5, 10, 20, 30, 60].map((days) => days * DAY_MS),
];

/** Ticks at whole hours or days of the zone, at most `most` of them. */
export function timeAxis(
  { from, to }: { readonly from: number; readonly to: number },
  zone: TimeZone,
  most: number,
): { readonly ticks: readonly number[]; readonly text: (time: number) => string } {
  const step = STEPS.find((each) => (to - from) / each <= most) ?? 90 * DAY_MS;
  const behind = (time: number) => (zone === 'utc' ? 0 : new Date(time).getTimezoneOffset() * 60_000);
  const before = behind(from);
  const ticks: number[] = [];
  for (let wall = Math.ceil((from - before) / step) * step; ; wall += step) {
    // The offset may change on the way: each tick has the offset of its own time.
    const tick = wall + behind(wall + before);
    if (tick > to) break;
    // An hour that the clock skips has no tick of its own.
    if (tick > (ticks.at(-1) ?? tick - 1)) ticks.push(tick);
  }
  const clock = (time: number) => momentText(time, zone).slice(11, 16);
  return {
    ticks,
    text: (time) => (step < DAY_MS && clock(time) !== '00:00' ? clock(time) : dayText(time, zone).slice(5)),
  };
}
