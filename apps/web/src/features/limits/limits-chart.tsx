import { useState } from 'react';
import { Area, CartesianGrid, ComposedChart, ReferenceArea, ReferenceDot, ReferenceLine, XAxis, YAxis } from 'recharts';
import { FILL, GRID, MARGIN, STILL, valueTicks, X_AXIS, Y_AXIS } from '../../ui/chart/chart-parts.ts';
import { grouped } from '../../ui/format.ts';
import type { Bucket } from './buckets.ts';

interface LimitsChartProps {
  readonly buckets: readonly Bucket[];
  readonly leverage: number | undefined;
  /** The leverage's bucket; undefined above the highest. */
  readonly chosen: Bucket | undefined;
  readonly onPick: (leverage: number) => void;
}

/** One step for each bucket. */
export default function LimitsChart({ buckets, leverage, chosen, onPick }: LimitsChartProps) {
  const [pointed, setPointed] = useState<Bucket>();
  const rising = buckets.toSorted((a, b) => a.maxLeverage - b.maxLeverage);
  const highest = Math.max(1, ...buckets.map(({ maxLeverage }) => maxLeverage));
  const end = Math.max(highest, leverage !== undefined && leverage <= highest * 1.25 ? leverage : 0) + 1;
  const axis = valueTicks(
    buckets.map(({ maxNotional }) => Number(maxNotional)),
    5,
    1,
  );
  const [first] = rising;
  const steps = [
    ...(first === undefined ? [] : [{ leverage: first.above, notional: Number(first.maxNotional) }]),
    ...rising.map(({ maxLeverage, maxNotional }) => ({ leverage: maxLeverage, notional: Number(maxNotional) })),
  ];
  return (
    <>
      <ComposedChart {...FILL} data={steps} margin={MARGIN}>
        <CartesianGrid {...GRID} vertical={false} />
        <XAxis
          {...X_AXIS}
          dataKey="leverage"
          type="number"
          domain={[0, end]}
          ticks={rising.map(({ maxLeverage }) => maxLeverage)}
          tickFormatter={(value: number) => `${value}×`}
          interval="preserveEnd"
        />
        <YAxis {...Y_AXIS} {...axis} domain={[...axis.domain]} />
        <Area
          {...STILL}
          activeDot={false}
          dataKey="notional"
          type="stepBefore"
          stroke="var(--text)"
          strokeWidth={1.5}
          fill="var(--edge)"
          fillOpacity={0.25}
        />
        {chosen !== undefined && (
          <ReferenceArea
            x1={chosen.above}
            x2={chosen.maxLeverage}
            y1={0}
            y2={Number(chosen.maxNotional)}
            fill="var(--accent)"
            fillOpacity={0.5}
          />
        )}
        {leverage !== undefined && leverage <= end && (
          <ReferenceLine x={leverage} stroke="var(--accent)" strokeWidth={1.5} strokeDasharray="3 3" />
        )}
        {leverage !== undefined && chosen !== undefined && (
          <ReferenceDot x={leverage} y={Number(chosen.maxNotional)} r={4} fill="var(--accent)" stroke="none" />
        )}
        {rising.map((bucket) => (
          // A shortcut for the pointer: the table has a button for each bucket.
          <ReferenceArea
            key={bucket.maxLeverage}
            x1={bucket.above}
            x2={bucket.maxLeverage}
            fill="var(--text)"
            fillOpacity={bucket === pointed ? 0.08 : 0}
            className="cursor-pointer"
            onMouseEnter={() => setPointed(bucket)}
            onMouseLeave={() => setPointed(undefined)}
            onClick={() => onPick(bucket.maxLeverage)}
          />
        ))}
      </ComposedChart>
      {pointed !== undefined && (
        <p
          data-tooltip
          aria-hidden
          className="pointer-events-none absolute top-2 right-4 rounded-4 border border-edge bg-surface-1 px-2 py-1 text-12"
        >
          <span className="num">
            {pointed.above}× – {pointed.maxLeverage}×
          </span>{' '}
          up to <span className="num text-strong">{grouped(pointed.maxNotional)}</span> USD
        </p>
      )}
    </>
  );
}
