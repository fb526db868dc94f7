import { multiply, roundTo } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { useMemo } from 'react';
import { counted, percentText, signedText } from '../../ui/format.ts';
import { useTime } from '../../ui/use-time.ts';
import { type History, piecesOf } from './entries.ts';
import { drawHeat, type Heat, type HourOfDay, hoursOf } from './hours.ts';
import { SeriesMark } from './series.tsx';
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
