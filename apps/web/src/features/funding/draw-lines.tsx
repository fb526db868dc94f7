import type { Scale } from '../../ui/draw/scale.ts';
import type { PlotRows } from './draw-layout.ts';
import { type DrawnSeries, drawEnds, drawLetters, pathOf } from './draw-series.ts';
import { lookOf } from './series.ts';

/** A line of a plot, and the index of its coin. */
export interface PlacedLine {
  readonly at: number;
  readonly drawn: DrawnSeries;
}

/** An outline that keeps text readable where a line runs behind it. */
export const HALO = { stroke: 'var(--surface-0)', strokeWidth: 3, paintOrder: 'stroke' } as const;

interface DrawLinesProps extends PlotRows {
  readonly name: string;
  readonly lines: readonly PlacedLine[];
  readonly left: number;
  readonly right: number;
  readonly x: Scale;
  readonly y: Scale;
}

/** One path per coin, with its letter at the end; lines with the same end have their letters side by side. */
export function DrawLines({ name, lines, left, right, top, bottom, x, y }: DrawLinesProps) {
  const series = lines.map(({ drawn }) => drawn);
  const ends = drawEnds(series);
  const heights = ends.map(([first]) => y(series[first]?.values.at(-1) ?? 0));
  const letters = drawLetters(heights, top + 4, bottom - 2);
  return (
    <g data-lines={name}>
      {lines.map(({ at, drawn }) => {
        const { colour, dash, letter } = lookOf(at);
        return (
          <path
            key={letter}
            data-series={letter}
            d={pathOf(drawn, x, y, left)}
            fill="none"
            stroke={colour}
            strokeWidth={at === 0 ? 2 : 1.5}
            strokeDasharray={dash}
            strokeLinejoin="round"
          />
        );
      })}
      {ends.map((group, rank) => {
        const letterY = letters[rank];
        const end = x(series[group[0]]?.times.at(-1) ?? 0);
        return (
          letterY !== undefined && (
            <text
              key={group[0]}
              x={Math.min(end + 3, right + 3)}
              y={letterY + 4}
              fontSize={11}
              fontWeight={600}
              {...HALO}
            >
              {group.map((place) => {
                const { letter, colour } = lookOf(lines[place]?.at ?? 0);
                return (
                  <tspan key={letter} fill={colour}>
                    {letter}
                  </tspan>
                );
              })}
            </text>
          )
        );
      })}
    </g>
  );
}
