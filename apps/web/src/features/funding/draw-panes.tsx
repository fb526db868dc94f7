import { linearScale, type Scale } from '../../ui/draw/scale.ts';
import { BESIDE } from '../../ui/draw/value-axis.tsx';
import type { PlotRows } from './draw-layout.ts';
import { DrawLines, HALO, type PlacedLine } from './draw-lines.tsx';
import { type DrawnSeries, extentOf, pathOf } from './draw-series.ts';
import { spanAxis } from './draw-ticks.ts';
import type { History } from './entries.ts';
import type { PaneKind } from './search.ts';
import { lookOf } from './series.ts';
import { unreportedText } from './texts.ts';

/** The content of one pane below the rates, on the shared time axis. */
export interface DrawnPane {
  readonly key: string;
  /** The coin that the pane belongs to; undefined if all coins share it. */
  readonly coin: string | undefined;
  /** Shown above the first pane: what this pane and the following ones show. */
  readonly heading: string;
  /** Which values are missing. */
  readonly note: string;
  readonly lines: readonly PlacedLine[];
}

/** Premiums cross each other constantly, so each coin has its own pane. Cumulative rates are compared, so they share one. */
export function panesOf(
  kind: PaneKind | undefined,
  histories: readonly History[],
  series: readonly DrawnSeries[],
): readonly DrawnPane[] {
  if (kind === undefined) return [];
  const lines = series.map((drawn, at): PlacedLine => ({ at, drawn }));
  if (kind === 'cumulative') return [{ key: kind, coin: undefined, heading: 'cumulative, %', note: '', lines }];
  return histories.map((history, at) => {
    const { coin } = history;
    const heading = at === 0 ? 'premium, %, each coin on its own scale' : '';
    return { key: coin, coin, heading, note: unreportedText(history), lines: lines.slice(at, at + 1) };
  });
}

interface DrawPaneProps extends PlotRows {
  readonly pane: DrawnPane;
  readonly left: number;
  readonly right: number;
  readonly x: Scale;
}

/** Letters of a coin's name that fit beside its pane. */
const NAME_LETTERS = 8;
const SMALL = { fontSize: 11, textAnchor: 'end' } as const;
const NUMBER = { ...SMALL, className: 'num fill-dim' } as const;

/** A pane below the rates, with its own value axis. */
export function DrawPane({ pane: { coin, heading, note, lines }, top, bottom, left, right, x }: DrawPaneProps) {
  const extent = extentOf(lines.map(({ drawn }) => drawn));
  const { domain, text } = spanAxis(extent);
  const [low, high] = domain;
  const y = linearScale(domain, [bottom, top]);
  return (
    <g data-pane={coin ?? ''}>
      <path d={`M${left} ${top}H${right}M${left} ${bottom}H${right}M${left} ${top}V${bottom}`} stroke="var(--line)" />
      {extent !== undefined && (
        <>
          <path d={`M${left} ${y(0)}H${right}`} stroke="var(--edge)" />
          <text x={left - BESIDE} y={top + 8} {...NUMBER}>
            {text(high)}
          </text>
          <text x={left - BESIDE} y={bottom} {...NUMBER}>
            {text(low)}
          </text>
        </>
      )}
      {coin === undefined ? (
        <DrawLines name="pane" {...{ lines, left, right, top, bottom, x, y }} />
      ) : (
        lines.map(({ at, drawn }) => {
          const { letter, colour } = lookOf(at);
          const name = coin.length > NAME_LETTERS ? `${coin.slice(0, NAME_LETTERS - 1)}…` : coin;
          return (
            <g key={letter} data-lines="pane">
              <path d={pathOf(drawn, x, y, left)} fill="none" stroke={colour} strokeWidth={1.25} />
              <text x={left - BESIDE} y={(top + bottom) / 2 + 4} {...SMALL} fontWeight={600} fill={colour}>
                {name}
              </text>
              <text x={right + 3} y={(top + bottom) / 2 + 4} fontSize={11} fontWeight={600} fill={colour}>
                {letter}
              </text>
            </g>
          );
        })
      )}
      {heading !== '' && (
        <text x={left + 4} y={top - 5} fontSize={11} fill="var(--text-dim)">
          {heading}
        </text>
      )}
      {note !== '' && (
        <text x={left + 4} y={top + 11} fontSize={11} fill="var(--stale)" {...HALO}>
          {note}
        </text>
      )}
    </g>
  );
}
