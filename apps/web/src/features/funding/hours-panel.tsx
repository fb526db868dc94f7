import { divide, formatUnits, multiply, roundTo } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { useMemo } from 'react';
import { counted, percentText, signedText, type TimeZone } from '../../ui/format.ts';
import { useTime } from '../../ui/use-time.ts';
import { type History, piecesOf } from './entries.ts';
import { SeriesMark } from './series.tsx';
import { STATISTIC_DECIMALS } from './statistics-panel.tsx';
import { partText, silenceText } from './texts.ts';

export function HoursPanel({ histories: coins }: { readonly histories: readonly History[] }) {
  const { zone, zoneAt, day } = useTime();
  const histories = useMemo(() => coins.flatMap(piecesOf), [coins]);
  const placeOf = ({ coin }: History) => coins.findIndex((history) => history.coin === coin);
  const rows = useMemo(() => histories.map((history) => hoursOf(history, zone)), [histories, zone]);
  const heats = useMemo(() => rows.map(drawHeat), [rows]);
  // The local offset may change within the period.
  const zones = useMemo(
    () => [...new Set(histories.flatMap((history) => history.counted.map(({ time }) => zoneAt(time))))],
    [histories, zoneAt],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it
    <section aria-label="Hours" tabIndex={0} className="min-h-0 grow overflow-auto">
      <table className="border-collapse">
        <thead className="text-12 text-dim">
          <tr className="border-b border-line">
            <th
              scope="col"
              className="sticky left-0 bg-surface-0 py-1 pr-2 pl-3 text-left font-normal whitespace-nowrap"
            >
              Hour, {zones.join(' and ') || zoneAt(histories[0]?.period.to ?? 0)}
            </th>
            {Array.from({ length: 24 }, (_, hour) => (
              <th key={hour} scope="col" className="num px-1 py-1 text-right text-11 font-normal">
                {String(hour).padStart(2, '0')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {histories.map((history, at) => (
            <tr key={`${history.coin} ${partText(history, day)}`} data-coin={history.coin}>
              <th
                scope="row"
                className="sticky left-0 bg-surface-0 py-1 pr-2 pl-3 text-left font-normal whitespace-nowrap"
              >
                <SeriesMark at={placeOf(history)} /> {history.coin}{' '}
                <span className="text-12 text-dim">{partText(history, day)}</span>
              </th>
              {history.silence !== undefined && (
                <td colSpan={24} className="px-2 py-1 text-12 text-dim">
                  {silenceText(history)}
                </td>
              )}
              {(history.silence === undefined ? (rows[at] ?? []) : []).map(({ hour, count, mean }) => (
                <td
                  key={hour}
                  data-hour={hour}
                  data-mean={mean}
                  title={
                    mean === undefined
                      ? 'no entry'
                      : `${percentText(mean)}, mean of ${counted(count, 'entry', 'entries')}`
                  }
                  style={{ backgroundColor: heats[at]?.colours[hour] }}
                  className="num border border-surface-0 px-1 py-1 text-right text-11 whitespace-nowrap text-strong"
                >
                  {mean === undefined ? '·' : pointsText(mean, heats[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul aria-label="Scale" className="flex flex-wrap gap-x-6 gap-y-1 px-3 pt-2 text-12">
        {histories.map((history, at) => (
          <Scale
            key={`${history.coin} ${partText(history, day)}`}
            at={placeOf(history)}
            heat={heats[at]}
            hours={rows[at] ?? []}
          />
        ))}
      </ul>
      <p className="max-w-3xl px-3 py-2 text-12 text-dim">
        Mean rate per interval in basis points (0.01 %), by the hour it was applied, with enough digits to tell a coin’s
        hours apart; hover over a cell for all digits. Each coin has its own scale. Blue with +: longs pay. Orange with
        −: shorts pay. The strongest colour is furthest from zero.
      </p>
    </section>
  );
}

const POINTS = '10000' as DecimalString;

/** A fraction in basis points, rounded to the decimals of its coin. */
function pointsText(mean: DecimalString, { decimals = 0 }: Partial<Heat> = {}): string {
  const digits = Math.max(0, decimals - 4);
  return signedText(roundTo(multiply(mean, POINTS), digits), digits);
}

interface ScaleProps {
  readonly at: number;
  readonly heat: Heat | undefined;
  readonly hours: readonly HourOfDay[];
}

function Scale({ at, heat, hours }: ScaleProps) {
  if (heat?.ends === undefined) return null;
  const [low, high] = heat.ends;
  return (
    <li className="flex items-center gap-1.5">
      <SeriesMark at={at} />
      <ScaleEnd heat={heat} hour={hours[low]} />
      {low === high ? <span className="text-dim">in every hour</span> : <span className="text-dim">to</span>}
      {low !== high && <ScaleEnd heat={heat} hour={hours[high]} />}
    </li>
  );
}

function ScaleEnd({ heat, hour }: { readonly heat: Heat; readonly hour: HourOfDay | undefined }) {
  if (hour?.mean === undefined) return null;
  return (
    <span
      className="num rounded-4 border border-line px-1 text-11 text-strong"
      style={{ backgroundColor: heat.colours[hour.hour] }}
      title={`${percentText(hour.mean)} at ${String(hour.hour).padStart(2, '0')} h`}
    >
      {pointsText(hour.mean, heat)} bp
    </span>
  );
}

const MINUTE_MS = 60_000;

/** The rates that were applied in one hour of the day. */
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

/** How the hours of one coin are coloured and formatted. */
interface Heat {
  /** The background of each hour; undefined if there is no value, or zero. */
  readonly colours: readonly (string | undefined)[];
  readonly decimals: number;
  /** The hours with the lowest and the highest mean; undefined without any. */
  readonly ends: readonly [low: number, high: number] | undefined;
}

/**
 * Colours each coin by its own spread, because the coin with the largest would leave the others without contrast: blue above
 * zero, orange below; faintest nearest to zero (at zero itself if both signs occur), strongest farthest from it.
 */
export function drawHeat(hours: readonly HourOfDay[]): Heat {
  const known = hours.flatMap(({ hour, mean }) => (mean === undefined ? [] : [{ hour, value: Number(mean) }]));
  const [first] = known;
  if (first === undefined) return { colours: hours.map(() => undefined), decimals: DECIMALS_MIN, ends: undefined };
  const low = known.reduce((least, each) => (each.value < least.value ? each : least), first);
  const high = known.reduce((most, each) => (each.value > most.value ? each : most), first);
  const far = Math.max(Math.abs(low.value), Math.abs(high.value));
  const near = low.value * high.value > 0 ? Math.min(Math.abs(low.value), Math.abs(high.value)) : 0;
  const colourOf = (mean: HourOfDay['mean']) => {
    const value = Number(mean ?? 0);
    if (value === 0) return undefined;
    const part = far === near ? 0.5 : (Math.abs(value) - near) / (far - near);
    const share = Math.round(FAINTEST + part * (STRONGEST - FAINTEST));
    return `color-mix(in srgb, var(--series-${value > 0 ? 1 : 2}) ${share}%, transparent)`;
  };
  return {
    colours: hours.map(({ mean }) => colourOf(mean)),
    decimals: decimalsFor(high.value - low.value, hours[low.hour]?.mean),
    ends: [low.hour, high.hour],
  };
}

/** If all hours are equal, the value is written in full. */
function decimalsFor(spread: number, mean: string | undefined): number {
  const decimals = spread > 0 ? 1 - Math.floor(Math.log10(spread)) : (/\.(\d*?)0*$/.exec(mean ?? '')?.[1]?.length ?? 0);
  return Math.min(STATISTIC_DECIMALS, Math.max(DECIMALS_MIN, decimals));
}
