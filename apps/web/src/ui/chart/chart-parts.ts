/**
 * What all charts have in common. Charts with these edges that stand above each other have the same time at the same position.
 */
export const LEFT = 76;
export const RIGHT = 16;
export const MARGIN = { top: 12, right: RIGHT, bottom: 0, left: 0 } as const;
export const BELOW = 24;
/** The margin of a chart without times, above others: half a line of its lowest value has room. */
export const BELOW_OTHERS = { ...MARGIN, bottom: 6 } as const;

const TICK = { fontSize: 11, fill: 'var(--text-dim)', fontFamily: 'var(--font-mono)' } as const;

export const X_AXIS = { tick: TICK, stroke: 'var(--edge)', tickLine: false, height: BELOW } as const;
export const Y_AXIS = { tick: TICK, stroke: 'var(--line)', tickLine: false, width: LEFT } as const;
export const GRID = { stroke: 'var(--line)', strokeOpacity: 0.6 } as const;
/**
 * A chart as large as the element around it, read with keys of the page's own. Recharts rounds the height that it measures, and a
 * picture of another shape than its element would not reach from edge to edge. In browsers
 * without `round()` it may fall short by a few pixels.
 */
export const FILL = {
  responsive: true,
  className: 'size-full [height:round(down,100%,1px)]',
  accessibilityLayer: false,
} as const;
/** Lines and bars are drawn at once, and lines without a dot for each value. */
export const STILL = { isAnimationActive: false } as const;
export const LINE = { ...STILL, dot: false, activeDot: false, strokeWidth: 1.5 } as const;

/** Round ticks of a value axis, 1, 2 or 5 times a power of ten apart, around the values and zero; its ends are ticks. */
export function valueTicks(values: Iterable<number>, count: number, leastStep = 0) {
  let [low, high] = [0, 0];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  // Smaller differences are errors of floats.
  const rough = (high - low > 1e-15 ? high - low : 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(leastStep, ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return {
    domain: [first * step, last * step],
    ticks: Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step),
    tickFormatter: (value: number) => text.format(Math.abs(value) < step / 2 ? 0 : value).replace('-', '−'),
    interval: 0,
  } as const;
}
