import type { History } from './entries.ts';
import { receivedText } from './texts.ts';

interface StripProps {
  readonly history: History;
}

const WIDTH = 1000;
const HEIGHT = 8;

/**
 * The received entries of the period (filled), missing ones (a line), the time before the coin was listed (dots) and duplicates (a
 * tick); dashes where nothing is known.
 */
export function CompletenessStrip({ history }: StripProps) {
  const { period, entries, completeness } = history;
  const { gaps, before, unlisted, after, duplicates } = completeness;
  const intervalOf = (time: number) => entries.find((entry) => entry.time === time)?.interval ?? 0;
  const x = (time: number) => Math.min(WIDTH, Math.max(0, ((time - period.from) / (period.to - period.from)) * WIDTH));
  const [first, last] = [entries[0], entries.at(-1)];
  const missing = [
    ...(before === undefined ? [] : [{ from: before.from, to: before.to - intervalOf(before.to) }]),
    // The last interval of a gap belongs to the entry after it.
    ...gaps.map(({ from, to }) => ({ from, to: to - intervalOf(to) })),
    ...(after === undefined ? [] : [after]),
  ];
  return (
    <svg
      role="img"
      data-strip={history.coin}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-2 w-full min-w-0"
    >
      <title>{`${history.coin}: ${receivedText(history)}`}</title>
      {history.silence === undefined ? (
        <rect width={WIDTH} height={HEIGHT} fill="var(--surface-2)" />
      ) : (
        <line
          x2={WIDTH}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
          stroke="var(--text-dim)"
          strokeDasharray="2 6"
          vectorEffect="non-scaling-stroke"
        />
      )}
      {first !== undefined && last !== undefined && (
        <rect
          x={x(first.time - (first.interval ?? 0))}
          width={Math.max(1, x(last.time) - x(first.time - (first.interval ?? 0)))}
          height={HEIGHT}
          fill="var(--text-dim)"
          fillOpacity={0.55}
        />
      )}
      {unlisted !== undefined && (
        <line
          data-unlisted
          x1={x(unlisted.from)}
          x2={x(unlisted.to)}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
          stroke="var(--text-dim)"
          strokeDasharray="1 5"
          vectorEffect="non-scaling-stroke"
        />
      )}
      {missing.map(({ from, to }) => (
        <g key={from}>
          <rect x={x(from)} width={Math.max(3, x(to) - x(from))} height={HEIGHT} fill="var(--surface-0)" />
          <rect x={x(from)} y={3} width={Math.max(3, x(to) - x(from))} height={2} fill="var(--stale)" />
        </g>
      ))}
      {duplicates.map((at) => (
        <rect key={at} x={x(entries[at]?.time ?? 0) - 1} width={2} height={HEIGHT} fill="var(--watched)" />
      ))}
    </svg>
  );
}
