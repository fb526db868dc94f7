import type { DecimalString } from '@l4desk/protocol';
import type { Sample } from '../../../book-worker/panes/figures.ts';
import { useMedia } from '../../../hooks/use-media.ts';

/** Width of a minute, px, and in a window with less room: numbers and their block come first. */
const MINUTE = 64;
const SHORT_MINUTE = 48;
const SHORT_LINES = '(max-width: 1599px)';
const HEIGHT = 18;

/** Wide enough for lines of three minutes instead of one. */
const LONG_LINES = '(min-width: 2500px)';

/** Samples further apart than this are not connected, because the values between them are unknown. */
const BREAK_MS = 3_000;

/** The range of values; the range of the drawn values when omitted. */
type Bounds = readonly [low: number, high: number] | undefined;

interface SparklineProps {
  readonly samples: readonly Sample[];
  readonly valueOf: (sample: Sample) => DecimalString | null | undefined;
  readonly bounds?: Bounds;
}

export function Sparkline({ samples, valueOf, bounds }: SparklineProps) {
  const minutes = useMedia(LONG_LINES) ? 3 : 1;
  const width = minutes * (useMedia(SHORT_LINES) ? SHORT_MINUTE : MINUTE);
  return (
    <svg
      aria-hidden
      width={width}
      height={HEIGHT}
      fill="none"
      strokeWidth={1}
      className="block shrink-0 max-xl:hidden"
      data-part="sparkline"
    >
      {bounds !== undefined && <path d={`M0 ${HEIGHT / 2}H${width}`} className="stroke-line" />}
      <path d={linePath(samples, valueOf, bounds, minutes, width)} className="stroke-accent" />
    </svg>
  );
}
/** The line of the last `minutes` as SVG path data, `width` px wide: segments between the values, none across a break. */
export function linePath(
  history: readonly Sample[],
  valueOf: SparklineProps['valueOf'],
  bounds: Bounds,
  minutes: number,
  width: number,
): string {
  const end = history.at(-1)?.time ?? 0;
  const spanMs = minutes * 60_000;
  const samples = history.filter(({ time }) => end - time < spanMs);
  const x = (time: number) => Math.round(width - ((end - time) / spanMs) * width);
  const points: { readonly time: number; readonly value: number }[] = [];
  samples.forEach((sample, index) => {
    const next = samples[index + 1];
    // Keeps only the last sample of each pixel.
    if (next !== undefined && x(next.time) === x(sample.time)) return;
    const value = valueOf(sample);
    if (value !== null && value !== undefined) points.push({ time: sample.time, value: Number(value) });
  });
  const values = points.map(({ value }) => value);
  const [low, high] = bounds ?? [Math.min(...values), Math.max(...values)];
  const y = (value: number) => (high > low ? 1 + (1 - (value - low) / (high - low)) * (HEIGHT - 2) : HEIGHT / 2);
  const path = points.map(({ time, value }, index) => {
    const before = points[index - 1];
    const move = before === undefined || time - before.time > BREAK_MS ? 'M' : 'L';
    return `${move}${x(time)} ${y(value).toFixed(1)}`;
  });
  return path.join('');
}
