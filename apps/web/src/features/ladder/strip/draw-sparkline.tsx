import type { DecimalString } from '@l4desk/protocol';
import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { drawSmallLater } from '../../../state/draw-later.ts';
import type { Shape } from '../../../ui/live-drawing/drawing-painter.ts';
import { LiveDrawing, type LiveDrawingHandle } from '../../../ui/live-drawing/live-drawing.tsx';
import { type FigureHistory, HISTORY_MS, type Sample } from './history.ts';

const WIDTH = 64;
const HEIGHT = 18;

/** The middle between two bounds. */
const MIDDLE: Shape = { kind: 'line', tone: 'line', path: `M0 ${HEIGHT / 2}H${WIDTH}` };

/** Samples further apart than this are not connected, because the values between them are unknown. */
const BREAK_MS = 3_000;

/** The range of values; the range of the drawn values when omitted. */
type Bounds = readonly [low: number, high: number] | undefined;

interface SparklineProps {
  readonly history: FigureHistory;
  readonly valueOf: (sample: Sample) => DecimalString | null | undefined;
  readonly bounds?: Bounds;
}

/**
 * One figure over the last minute, with the newest value at the right edge. The same is shown in digits beside it. It is written
 * outside React, when the history notifies it.
 */
export function Sparkline({ history, valueOf, bounds }: SparklineProps) {
  const drawing = useRef<LiveDrawingHandle>(null);
  const draw = useEffectEvent(() => {
    const line: Shape = { kind: 'line', tone: 'accent', path: linePath(history.drawn(), valueOf, bounds) };
    const shapes = bounds === undefined ? [line] : [MIDDLE, line];
    drawing.current?.draw({ width: WIDTH, height: HEIGHT, shapes });
  });
  useLayoutEffect(() => {
    draw();
    // All lines of the strip at once would be too much for one frame.
    const redraw = () => draw();
    return history.subscribe(() => drawSmallLater(redraw));
  }, [history]);
  return (
    <span className="relative block shrink-0 max-lg:hidden" style={{ width: WIDTH, height: HEIGHT }}>
      <LiveDrawing ref={drawing} />
    </span>
  );
}

/** The line as SVG path data: segments between the values, none across a break. */
export function linePath(samples: readonly Sample[], valueOf: SparklineProps['valueOf'], bounds: Bounds): string {
  const end = samples.at(-1)?.time ?? 0;
  const x = (time: number) => Math.round(WIDTH - ((end - time) / HISTORY_MS) * WIDTH);
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
