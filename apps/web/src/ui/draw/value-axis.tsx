import type { Scale } from './scale.ts';

/** Gap between text and the plot beside it, px. */
export const BESIDE = 8;

interface ValueAxisProps {
  readonly ticks: readonly number[];
  readonly text: (value: number) => string;
  /** Left and right edge of the plot, px. */
  readonly left: number;
  readonly right: number;
  readonly y: Scale;
}

/** The value labels on the left of a plot, with a line through the plot at each value. */
export function ValueAxis({ ticks, text, left, right, y }: ValueAxisProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <path d={`M${left} ${y(tick)}H${right}`} className="stroke-line" />
      <text x={left - BESIDE} y={y(tick) + 4} textAnchor="end" className="num fill-dim text-11">
        {text(tick)}
      </text>
    </g>
  ));
}
