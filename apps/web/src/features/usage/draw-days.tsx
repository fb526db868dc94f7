import { type PointerEvent, useId, useMemo, useRef, useState } from 'react';
import { type Forecast } from '../../api/account-usage/forecast.ts';
import { useSize } from '../../hooks/use-size.ts';
import { linearScale, type Scale, stepsPath } from '../../ui/draw/scale.ts';
import { axisTicks } from '../../ui/draw/ticks.ts';
import { ValueAxis } from '../../ui/draw/value-axis.tsx';
import { wholeText } from '../../ui/format.ts';
import { type BarSpan, barsOf, type UsageBar } from './bars.ts';
import { drawnSlots, type Plot, placeDays, placeMonths } from './draw-plot.ts';
import { Legend, LINES, lineText, Readout } from './draw-words.tsx';
import { type UsageFacts } from './usage-facts.ts';

interface DrawDaysProps {
  readonly facts: UsageFacts;
  /** The forecast of the current month, once known. */
  readonly forecast: Forecast | undefined;
  /** The bars of the daily chart. */
  readonly bars: readonly UsageBar[];
  readonly span: BarSpan;
  readonly chart: 'day' | 'month';
}

const HEIGHT = 270;
const LEFT = 76;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 24;
/** Px that a date under the axis takes up. */
const DATE_WIDTH = 104;
/** Width of a character of the date, px. */
const DATE_CHARACTER = 6.7;

/** A thin line with a thumb, because the chart matters more. */
const SLIDER =
  'h-4 appearance-none bg-transparent [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-accent [&::-moz-range-track]:h-px [&::-moz-range-track]:bg-edge [&::-webkit-slider-runnable-track]:h-px [&::-webkit-slider-runnable-track]:bg-edge [&::-webkit-slider-thumb]:-mt-1.5 [&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent';

/**
 * The days as stacked bars, or as running totals of their months. The values under the pointer or slider are shown as text
 * above.
 */
export function DrawDays({ facts, forecast, bars, span, chart }: DrawDaysProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { width } = useSize(frame);
  const hatch = useId();
  const [chosen, setChosen] = useState<number>();
  const items = useMemo(() => (chart === 'day' ? bars : barsOf(facts.days, 'day')), [chart, bars, facts.days]);
  const plot = useMemo(
    () => (chart === 'day' ? placeDays(bars, facts) : placeMonths(items, facts, forecast)),
    [chart, bars, items, facts, forecast],
  );
  const last = items.length - 1;
  const at = Math.min(chosen ?? last, last);
  const item = items[at];
  const right = Math.max(LEFT + 1, width - RIGHT);
  const step = (right - LEFT) / plot.slots;
  const floor = HEIGHT - BOTTOM;
  const x = linearScale([0, plot.slots], [LEFT, right]);
  const y = linearScale([0, plot.most], [floor, TOP]);
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const slot = Math.floor((event.nativeEvent.offsetX - LEFT) / step);
    setChosen(Math.max(0, Math.min(last, slot)));
  };
  const inside = plot.lines.filter(({ isOutside }) => !isOutside);
  const dates = datesUnder(items, right - LEFT, step);
  const words = item === undefined ? '' : wordsOf(item, chart);

  return (
    <>
      <div className="flex min-h-10 flex-wrap items-start justify-between gap-x-4">
        {item && <Readout item={item} chart={chart} today={facts.today} />}
        <Legend chart={chart} hatch={hatch} plot={plot} />
      </div>
      <div ref={frame} className="min-w-0">
        <svg
          role="img"
          aria-label={`Credits ${chart === 'day' ? `per ${span}` : 'of each month to date'}, ${facts.period.from} to ${facts.period.to}; the table has the numbers`}
          width={width}
          height={HEIGHT}
          className="block"
          onPointerMove={point}
          onPointerDown={point}
        >
          <defs>
            <pattern id={hatch} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <path d="M0 0H4V2H0Z" className="fill-exact" />
            </pattern>
          </defs>
          <ValueAxis ticks={axisTicks(plot.most, 5)} text={wholeText} left={LEFT} {...{ right, y }} />
          <Stack {...{ plot, x, y, step, hatch }} />
          {inside.map(({ name, path }) => (
            <path
              key={name}
              d={levelsPath(path, x, y)}
              className={`fill-none ${LINES[name].look}`}
              strokeWidth={1.5}
              strokeDasharray={LINES[name].dash}
            />
          ))}
          {plot.forecast && <ForecastBand plot={plot.forecast} {...{ x, y }} />}
          <path d={`M${LEFT} ${floor}H${right}`} className="stroke-edge" />
          {item && (
            <path d={`M${x(at + 0.5)} ${TOP}V${floor}`} className="stroke-strong opacity-50" strokeDasharray="1 2" />
          )}
          {inside.map(({ name, path }) => (
            <text
              key={name}
              x={right}
              y={y(path.at(-1) ?? 0) + (name === 'ceiling' ? 13 : -5)}
              textAnchor="end"
              strokeWidth={3}
              className={`stroke-surface-0 text-11 [paint-order:stroke] ${LINES[name].text}`}
            >
              {lineText(name, chart)}
            </text>
          ))}
          {dates.map((slot, place) => {
            const text = dateUnder(items[slot]?.from ?? '', items[dates[place - 1] ?? -1]?.from);
            const half = (text.length * DATE_CHARACTER) / 2;
            return (
              <text
                key={slot}
                x={Math.min(right - half, Math.max(LEFT + half, x(slot + 0.5)))}
                y={HEIGHT - 8}
                textAnchor="middle"
                className="num fill-dim text-11"
              >
                {text}
              </text>
            );
          })}
        </svg>
        {items.length > 1 && (
          <input
            type="range"
            aria-label={chart === 'day' ? `Bar of the chart (${span})` : 'Day of the chart'}
            aria-valuetext={words}
            min={0}
            max={last}
            value={at}
            onChange={(event) => setChosen(event.target.valueAsNumber)}
            className={`block ${SLIDER}`}
            style={{ marginLeft: LEFT + step / 2 - 6, width: Math.max(40, step * (items.length - 1) + 12) }}
          />
        )}
      </div>
    </>
  );
}

/** The scales of slots (x) and credits (y). */
interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

interface StackProps extends Scales {
  readonly plot: Plot;
  /** Px per slot. */
  readonly step: number;
  readonly hatch: string;
}

/** Free credits below, because they are used first, and premium credits above; each series is one path. */
function Stack({ plot, x, y, step, hatch }: StackProps) {
  const gap = step >= 4 ? 1 : 0;
  const box = (slot: number, low: number, high: number) =>
    high > low ? `M${x(slot) + gap / 2} ${y(low)}V${y(high)}h${Math.max(1, step - gap)}V${y(low)}Z` : '';
  const slots = drawnSlots(plot.stacks, step);
  const path = (draw: (free: number, premium: number, slot: number) => string) =>
    slots.map((slot) => draw(plot.stacks[slot]?.free ?? 0, plot.stacks[slot]?.premium ?? 0, slot)).join('');
  return (
    <>
      <path
        d={path((free, _, slot) => box(slot, 0, free))}
        fill={`url(#${hatch})`}
        className="stroke-exact"
        strokeWidth={step >= 4 ? 0.75 : 0}
      />
      <path d={path((free, premium, slot) => box(slot, free, free + premium))} className="fill-accent" />
    </>
  );
}

function ForecastBand({ plot, x, y }: Scales & { readonly plot: NonNullable<Plot['forecast']> }) {
  const along = (of: 'low' | 'likely' | 'high') => plot.points.map((point) => `${x(point.slot)} ${y(point[of])}`);
  const band = [...along('high'), ...along('low').toReversed()].join('L');
  return (
    <>
      <path d={`M${band}Z`} className="fill-edge stroke-edge opacity-30" />
      <path
        d={`M${along('likely').join('L')}`}
        className="fill-none stroke-strong"
        strokeWidth={1.5}
        strokeDasharray="4 3"
      />
    </>
  );
}

/** A level over each slot; nothing is drawn where it is undefined. */
function levelsPath(path: Plot['lines'][number]['path'], x: Scale, y: Scale): string {
  return stepsPath(
    path.flatMap((level, slot) => (level === undefined ? [] : [{ from: x(slot), to: x(slot + 1), level: y(level) }])),
  );
}

/** The slots with a date below them: as many as fit. */
function datesUnder(items: readonly UsageBar[], inner: number, step: number): readonly number[] {
  const every = Math.max(1, Math.ceil(DATE_WIDTH / Math.min(step, inner)));
  return items.map((_, slot) => slot).filter((slot) => slot % every === 0);
}

/** A date, without the year if the date before it has the same one. */
function dateUnder(day: string, before: string | undefined): string {
  return before?.slice(0, 4) === day.slice(0, 4) ? day.slice(5) : day;
}

/** The slider's accessible text. */
function wordsOf({ from, to, premium, free, credits, last }: UsageBar, chart: 'day' | 'month'): string {
  const when = from === to ? from : `${from} to ${to}`;
  if (chart === 'day')
    return `${when}: ${wholeText(credits)} credits, ${wholeText(premium)} premium, ${wholeText(free)} free`;
  return last.month === undefined
    ? `${when}: the month began before the window`
    : `${when}: ${wholeText(last.month.credits)} credits in the month to date`;
}
