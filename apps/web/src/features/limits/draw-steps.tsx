import { useRef } from 'react';
import { useSize } from '../../hooks/use-size.ts';
import { linearScale, type Scale, stepsPath } from '../../ui/draw/scale.ts';
import { axisTicks } from '../../ui/draw/ticks.ts';
import { BESIDE, ValueAxis } from '../../ui/draw/value-axis.tsx';
import { wholeText } from '../../ui/format.ts';
import type { Bucket } from './buckets.ts';

interface StepsProps {
  readonly buckets: readonly Bucket[];
  /** The leverage asked about. */
  readonly leverage: number | undefined;
  /** The leverage's bucket; undefined above the highest. */
  readonly chosen: Bucket | undefined;
  readonly onPick: (leverage: number) => void;
}

const HEIGHT_MIN = 280;
const LEFT = 84;
const RIGHT = 16;
const TOP = 20;
const BOTTOM = 40;
/** Minimum distance of two numbers under the axis, px. */
const LABEL_GAP = 34;

/** The largest market order by leverage, one step per bucket. The numbers are in the table beside it. */
export function Steps({ buckets, leverage, chosen, onPick }: StepsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const { width } = size;
  const height = Math.max(HEIGHT_MIN, size.height);
  const highest = Math.max(1, ...buckets.map(({ maxLeverage }) => maxLeverage));
  const most = Math.max(1, ...buckets.map(({ maxNotional }) => Number(maxNotional)));
  const end = Math.max(highest, leverage !== undefined && leverage <= highest * 1.25 ? leverage : 0) + 1;
  const right = Math.max(LEFT + 1, width - RIGHT);
  const x = linearScale([0, end], [LEFT, right]);
  const y = linearScale([0, most], [height - BOTTOM, TOP]);
  const floor = y(0);
  const rising = [...buckets].sort((a, b) => a.maxLeverage - b.maxLeverage);
  const outline = stepsPath([
    { from: x(0), to: x(0), level: floor },
    ...rising.map((bucket) => ({ from: x(bucket.above), to: x(bucket.maxLeverage), level: top(bucket) })),
  ]);
  const labelled = withRoom(
    rising.map(({ maxLeverage }) => maxLeverage),
    x,
    chosen?.maxLeverage,
  );

  function top({ maxNotional }: Bucket): number {
    return y(Number(maxNotional));
  }

  return (
    <div ref={frame} className="relative min-h-[280px] min-w-0 grow">
      <svg
        role="img"
        aria-label="Largest market order by leverage: one step per bucket; the table has the numbers"
        width={width}
        height={height}
        className="absolute"
      >
        <ValueAxis ticks={axisTicks(most, 5)} text={wholeText} left={LEFT} {...{ right, y }} />
        <text x={LEFT - BESIDE} y={11} textAnchor="end" className="fill-dim text-11">
          USD
        </text>
        {rising.map((bucket) => (
          // A shortcut for the mouse: the table has a button for each bucket.
          <rect
            key={bucket.maxLeverage}
            x={x(bucket.above)}
            y={TOP}
            width={x(bucket.maxLeverage) - x(bucket.above)}
            height={floor - TOP}
            className={`cursor-pointer ${bucket === chosen ? 'fill-accent-soft' : 'fill-transparent hover:fill-surface-2'}`}
            onClick={() => onPick(bucket.maxLeverage)}
          />
        ))}
        {rising.map((bucket) => (
          <rect
            key={bucket.maxLeverage}
            x={x(bucket.above)}
            y={top(bucket)}
            width={x(bucket.maxLeverage) - x(bucket.above)}
            height={floor - top(bucket)}
            className={`pointer-events-none ${bucket === chosen ? 'fill-accent opacity-50' : 'fill-edge opacity-25'}`}
          />
        ))}
        <path d={`${outline}V${floor}`} className="pointer-events-none fill-none stroke-text" strokeWidth={1.5} />
        <path d={`M${LEFT} ${floor}H${right}`} className="stroke-edge" />
        {labelled.map((at) => (
          <g key={at}>
            <path d={`M${x(at)} ${floor}v4`} className="stroke-edge" />
            <text
              x={x(at)}
              y={floor + 17}
              textAnchor="middle"
              className={`num text-11 ${at === chosen?.maxLeverage ? 'fill-strong' : 'fill-dim'}`}
            >
              {at}×
            </text>
          </g>
        ))}
        <text x={right} y={height - 6} textAnchor="end" className="fill-dim text-11">
          maximum leverage of the bucket
        </text>
        {leverage !== undefined && leverage <= end && (
          <g className="pointer-events-none">
            <path
              d={`M${x(leverage)} ${TOP}V${floor}`}
              className="stroke-accent"
              strokeDasharray="3 3"
              strokeWidth={1.5}
            />
            {chosen !== undefined && <circle cx={x(leverage)} cy={top(chosen)} r={4} className="fill-accent" />}
            <text x={x(leverage)} y={TOP - 6} textAnchor="middle" className="num fill-accent text-12">
              {leverage}×
            </text>
          </g>
        )}
      </svg>
    </div>
  );
}

/** The numbers under the axis that do not overlap; the chosen one and the highest take precedence. */
function withRoom(values: readonly number[], x: Scale, chosen: number | undefined): readonly number[] {
  const kept: number[] = [];
  const byWeight = [...(chosen === undefined ? [] : [chosen]), ...values.toReversed()];
  for (const value of byWeight) {
    if (kept.every((other) => Math.abs(x(other) - x(value)) >= LABEL_GAP)) kept.push(value);
  }
  return kept;
}
