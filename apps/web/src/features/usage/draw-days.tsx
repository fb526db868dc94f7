import { type PointerEvent, useId, useMemo, useRef, useState } from 'react';
import { type Forecast } from '../../api/account-usage/forecast.ts';
import { useSize } from '../../hooks/use-size.ts';
import { axisTicks } from '../../ui/draw/ticks.ts';
import { wholeText } from '../../ui/format.ts';
import { type BarSpan, barsOf, type UsageBar } from './bars.ts';
import { type Plot, placeDays, placeMonths } from './draw-plot.ts';
import { Legend, LINES, lineText, Readout } from './draw-words.tsx';
import { type UsageFacts } from './usage-facts.ts';

interface DrawDaysProps {
  readonly facts: UsageFacts;
  /** Where the current month is going, once that is known. */
  readonly forecast: Forecast | undefined;
  /** The days as they are drawn one by one. */
  readonly bars: readonly UsageBar[];
  readonly span: BarSpan;
  readonly chart: 'day' | 'month';
}

const HEIGHT = 270;
const LEFT = 76;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 24;
/** Px that a date under the axis needs. */
const DATE_WIDTH = 104;
/** Px of a character of it. */
const DATE_CHARACTER = 6.7;

/** A hair with a knob: the chart is what one looks at. */
const SLIDER =
  'h-4 appearance-none bg-transparent [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-accent [&::-moz-range-track]:h-px [&::-moz-range-track]:bg-edge [&::-webkit-slider-runnable-track]:h-px [&::-webkit-slider-runnable-track]:bg-edge [&::-webkit-slider-thumb]:-mt-1.5 [&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent';

/** The days as stacked bars, or as running totals of their months; what the pointer or the slider is at stands in words above. */
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
  const inner = Math.max(1, width - LEFT - RIGHT);
  const step = inner / plot.slots;
  const area = {
    x: (slot: number) => LEFT + slot * step,
    y: (credits: number) => TOP + (1 - credits / plot.most) * (HEIGHT - TOP - BOTTOM),
  };
  const floor = area.y(0);
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const slot = Math.floor((event.nativeEvent.offsetX - LEFT) / step);
    setChosen(Math.max(0, Math.min(last, slot)));
  };
  const inside = plot.lines.filter(({ isOutside }) => !isOutside);
  const dates = datesUnder(items, inner, step);
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
          {axisTicks(plot.most, 5).map((tick) => (
            <g key={tick}>
              <path d={`M${LEFT} ${area.y(tick)}H${width - RIGHT}`} className="stroke-line" />
              <text x={LEFT - 8} y={area.y(tick) + 4} textAnchor="end" className="num fill-dim text-11">
                {wholeText(tick)}
              </text>
            </g>
          ))}
          <Stack plot={plot} area={area} step={step} hatch={hatch} />
          {inside.map(({ name, path }) => (
            <path
              key={name}
              d={stepsOf(path, area)}
              className={`fill-none ${LINES[name].look}`}
              strokeWidth={1.5}
              strokeDasharray={LINES[name].dash}
            />
          ))}
          {plot.forecast && <ForecastBand plot={plot.forecast} area={area} />}
          <path d={`M${LEFT} ${floor}H${width - RIGHT}`} className="stroke-edge" />
          {item && (
            <path
              d={`M${area.x(at + 0.5)} ${TOP}V${floor}`}
              className="stroke-strong opacity-50"
              strokeDasharray="1 2"
            />
          )}
          {inside.map(({ name, path }) => (
            <text
              key={name}
              x={width - RIGHT}
              y={area.y(path.at(-1) ?? 0) + (name === 'ceiling' ? 13 : -5)}
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
                x={Math.min(width - RIGHT - half, Math.max(LEFT + half, area.x(slot + 0.5)))}
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

interface Area {
  readonly x: (slot: number) => number;
  readonly y: (credits: number) => number;
}

interface StackProps {
  readonly plot: Plot;
  readonly area: Area;
  /** Px a slot. */
  readonly step: number;
  readonly hatch: string;
}

/** Free below, since it is used first, and premium on it; a whole series is one path. */
function Stack({ plot, area, step, hatch }: StackProps) {
  const gap = step >= 4 ? 1 : 0;
  const box = (slot: number, low: number, high: number) =>
    high > low
      ? `M${area.x(slot) + gap / 2} ${area.y(low)}V${area.y(high)}h${Math.max(0.5, step - gap)}V${area.y(low)}Z`
      : '';
  const path = (draw: (free: number, premium: number, slot: number) => string) =>
    plot.stacks.map((stack, slot) => (stack === undefined ? '' : draw(stack.free, stack.premium, slot))).join('');
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

function ForecastBand({ plot, area }: { readonly plot: NonNullable<Plot['forecast']>; readonly area: Area }) {
  const along = (of: 'low' | 'likely' | 'high') =>
    plot.points.map((point) => `${area.x(point.slot)} ${area.y(point[of])}`);
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

/** A line of steps; where it is undefined it is not drawn. */
function stepsOf(path: Plot['lines'][number]['path'], area: Area): string {
  return path
    .map((level, slot) => {
      if (level === undefined) return '';
      const before = path[slot - 1];
      return `${before === undefined ? `M${area.x(slot)} ${area.y(level)}` : `V${area.y(level)}`}H${area.x(slot + 1)}`;
    })
    .join('');
}

/** The places that have a date under them: as many as there is room for. */
function datesUnder(items: readonly UsageBar[], inner: number, step: number): readonly number[] {
  const every = Math.max(1, Math.ceil(DATE_WIDTH / Math.min(step, inner)));
  return items.map((_, slot) => slot).filter((slot) => slot % every === 0);
}

/** A date without the year where it is that of the one before. */
function dateUnder(day: string, before: string | undefined): string {
  return before?.slice(0, 4) === day.slice(0, 4) ? day.slice(5) : day;
}

/** What the slider says. */
function wordsOf({ from, to, premium, free, credits, last }: UsageBar, chart: 'day' | 'month'): string {
  const when = from === to ? from : `${from} to ${to}`;
  if (chart === 'day')
    return `${when}: ${wholeText(credits)} credits, ${wholeText(premium)} premium, ${wholeText(free)} free`;
  return last.month === undefined
    ? `${when}: the month began before the window`
    : `${when}: ${wholeText(last.month.credits)} credits in the month to date`;
}
