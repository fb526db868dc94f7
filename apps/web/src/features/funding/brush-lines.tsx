import { memo, useMemo } from 'react';
import { Line, LineChart, XAxis, YAxis } from 'recharts';
import { LINE } from '../../ui/chart/chart-parts.ts';
import { chartRows } from './chart-rows.ts';
import type { FundingPeriod, History } from './entries.ts';
import { lookOf } from './series.ts';

interface BrushLinesProps {
  readonly width: number;
  readonly height: number;
  readonly histories: readonly History[];
  readonly period: FundingPeriod;
}

const BUCKETS = 150;
const EDGES = { top: 2, right: 0, bottom: 2, left: 0 } as const;

/** The rates over the whole period, small. */
const BrushLines = memo(function BrushLines({ width, height, histories, period }: BrushLinesProps) {
  const rows = useMemo(() => [...chartRows(histories, 'interval', period, BUCKETS)], [histories, period]);
  return (
    <LineChart {...{ width, height }} data={rows} margin={EDGES} accessibilityLayer={false}>
      <XAxis dataKey="time" type="number" domain={[period.from, period.to]} allowDataOverflow hide />
      <YAxis domain={['dataMin', 'dataMax']} hide />
      {histories.map((_, at) => {
        const { letter, colour } = lookOf(at);
        return <Line key={letter} {...LINE} dataKey={letter} type="stepBefore" stroke={colour} strokeWidth={1} />;
      })}
    </LineChart>
  );
});

export default BrushLines;
