import { divide, formatUnits, multiply, roundTo } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { useMemo } from 'react';
import { counted, percentText, signedText, type TimeZone } from '../../ui/format.ts';
import { useTime } from '../../ui/use-time.ts';
import { type CoinColumn, CoinTable } from './coin-table.tsx';
import { type History, piecesOf } from './entries.ts';
import { STATISTIC_DECIMALS } from './statistics-panel.tsx';

/** The mean rate of each hour of the day: each coin coloured by its own spread. */
export function HoursPanel({ histories: coins }: { readonly histories: readonly History[] }) {
  const { zone, zoneAt } = useTime();
  const histories = useMemo(() => coins.flatMap(piecesOf), [coins]);
  const rows = useMemo(
    () =>
      histories.map((history): Row | undefined => {
        if (history.silence !== undefined) return undefined;
        const hours = hoursOf(history, zone);
        return { hours, heat: drawHeat(hours) };
      }),
    [histories, zone],
  );
  // The local offset may change within the period.
  const zones = useMemo(
    () => [...new Set(histories.flatMap((history) => history.counted.map(({ time }) => zoneAt(time))))],
    [histories, zoneAt],
  );
  return (
    <CoinTable
      name="Hours"
      corner={`Hour, ${zones.join(' and ') || zoneAt(histories[0]?.period.to ?? 0)}`}
      histories={histories}
      rows={rows}
      columns={COLUMNS}
    >
      Mean rate per interval in basis points (0.01 %), by the hour it was applied, with enough digits to tell a coin’s
      hours apart; hover over a cell for all digits. Each coin has its own scale. Blue with +: longs pay. Orange with −:
      shorts pay. The strongest colour is furthest from zero.
    </CoinTable>
  );
}

interface Row {
  readonly hours: readonly HourOfDay[];
  readonly heat: Heat;
}

const COLUMNS = Array.from(
  { length: 24 },
  (_, hour): CoinColumn<Row> => ({
    title: String(hour).padStart(2, '0'),
    cell: ({ hours, heat }) => {
      const mean = hours[hour]?.mean;
      return mean === undefined ? '·' : pointsText(mean, heat);
    },
    attributesOf: ({ hours, heat }) => {
      const { count = 0, mean } = hours[hour] ?? {};
      const entries = counted(count, 'entry', 'entries');
      return {
        'data-hour': hour,
        'data-mean': mean,
        title: mean === undefined ? 'no entry' : `${percentText(mean)}, mean of ${entries}`,
        style: { backgroundColor: heat.colours[hour] },
      };
    },
  }),
);

const POINTS = '10000' as DecimalString;

function pointsText(mean: DecimalString, { decimals }: Heat): string {
  const digits = Math.max(0, decimals - 4);
  return signedText(roundTo(multiply(mean, POINTS), digits), digits);
}

const MINUTE_MS = 60_000;

interface HourOfDay {
  readonly hour: number;
  readonly count: number;
  /** Mean per interval, rounded half up to `STATISTIC_DECIMALS`; undefined if none was applied in this hour. */
  readonly mean: DecimalString | undefined;
}

/** The mean rate of each hour of the day in the zone. Times are rounded to the nearest minute to find their hour. */
export function hoursOf({ counted, scale }: History, zone: TimeZone): readonly HourOfDay[] {
  const sums = Array.from({ length: 24 }, () => ({ count: 0, sum: 0n }));
  for (const { time, rate } of counted) {
    const at = new Date(Math.round(time / MINUTE_MS) * MINUTE_MS);
    const slot = sums[zone === 'utc' ? at.getUTCHours() : at.getHours()];
    if (slot === undefined) continue;
    slot.count += 1;
    slot.sum += rate;
  }
  return sums.map(({ count, sum }, hour) => ({
    hour,
    count,
    mean: divide(formatUnits(sum, scale), formatUnits(count, 0), STATISTIC_DECIMALS),
  }));
}

/** Maximum strength of a cell's colour, in percent of its hue: the text on it must stay readable. */
const STRONGEST = 40;
/** Strength for the value nearest to zero, so that the hue of its sign is visible. */
const FAINTEST = 6;
/** Minimum decimals of a cell's fraction; otherwise enough for two digits of the difference between a coin's hours. */
const DECIMALS_MIN = 5;

interface Heat {
  /** The background of each hour; undefined if there is no value, or zero. */
  readonly colours: readonly (string | undefined)[];
  readonly decimals: number;
}

/**
 * Colours each coin by its own spread, because the coin with the largest would leave the others without contrast: blue above
 * zero, orange below; faintest nearest to zero (at zero itself if both signs occur), strongest farthest from it.
 */
export function drawHeat(hours: readonly HourOfDay[]): Heat {
  const values = hours.flatMap(({ mean }) => (mean === undefined ? [] : Number(mean)));
  const [low, high] = values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)];
  const far = Math.max(Math.abs(low), Math.abs(high));
  const near = low * high > 0 ? Math.min(Math.abs(low), Math.abs(high)) : 0;
  const colourOf = ({ mean }: HourOfDay) => {
    const value = Number(mean ?? 0);
    if (value === 0) return undefined;
    const part = far === near ? 0.5 : (Math.abs(value) - near) / (far - near);
    const share = Math.round(FAINTEST + part * (STRONGEST - FAINTEST));
    return `color-mix(in srgb, var(--series-${value > 0 ? 1 : 2}) ${share}%, transparent)`;
  };
  const known = hours.find(({ mean }) => mean !== undefined)?.mean;
  return { colours: hours.map(colourOf), decimals: decimalsFor(high - low, known) };
}

/** If all hours are equal, the value is written in full. */
function decimalsFor(spread: number, mean: string | undefined): number {
  const decimals = spread > 0 ? 1 - Math.floor(Math.log10(spread)) : (/\.(\d*?)0*$/.exec(mean ?? '')?.[1]?.length ?? 0);
  return Math.min(STATISTIC_DECIMALS, Math.max(DECIMALS_MIN, decimals));
}
