import { roundTo } from '@l4desk/decimal';
import { useMemo } from 'react';
import { useTime } from '../../hooks/use-time.ts';
import { counted, percentText } from '../../ui/format.ts';
import { drawHeat } from './draw-heat.ts';
import type { History } from './entries.ts';
import { hoursOf } from './hours.ts';
import { SeriesMark } from './series-mark.tsx';
import { signedPercent } from './texts.ts';

/** Digits of a fraction in a cell; the tooltip has them all. */
const CELL_DECIMALS = 6;

/** The mean rate of each hour of the day. */
export function HoursPanel({ histories }: { readonly histories: readonly History[] }) {
  const { zone, zoneAt } = useTime();
  const rows = useMemo(() => histories.map((history) => hoursOf(history, zone)), [histories, zone]);
  const heat = useMemo(() => drawHeat(rows), [rows]);
  const zoneName = zoneAt(histories[0]?.window.to ?? 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it
    <section aria-label="Hours" tabIndex={0} className="min-h-0 grow overflow-auto -outline-offset-2">
      <table className="border-collapse">
        <thead className="text-12 text-dim">
          <tr className="border-b border-line">
            <th scope="col" className="sticky left-0 bg-surface-0 px-2 py-1 text-left font-normal whitespace-nowrap">
              Hour, {zoneName}
            </th>
            {Array.from({ length: 24 }, (_, hour) => (
              <th key={hour} scope="col" className="num px-1 py-1 text-right text-11 font-normal">
                {String(hour).padStart(2, '0')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {histories.map(({ coin }, at) => (
            <tr key={coin} data-coin={coin}>
              <th scope="row" className="sticky left-0 bg-surface-0 px-2 py-1 text-left font-normal whitespace-nowrap">
                <SeriesMark at={at} /> {coin}
              </th>
              {rows[at]?.map(({ hour, count, mean }) => (
                <td
                  key={hour}
                  data-hour={hour}
                  data-mean={mean}
                  title={
                    mean === undefined
                      ? 'no entry'
                      : `${percentText(mean)}, mean of ${counted(count, 'entry', 'entries')}`
                  }
                  style={{ backgroundColor: heat[at]?.[hour] }}
                  className="num border border-surface-0 px-1 py-1 text-right text-11 whitespace-nowrap text-strong"
                >
                  {mean === undefined ? '·' : signedPercent(roundTo(mean, CELL_DECIMALS)).replace(' %', '')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="p-2 text-12 text-dim">
        Mean rate per interval in percent, by the hour in which it was applied, rounded to {CELL_DECIMALS - 2} digits;
        point at a cell for more. Blue with + is paid by longs, orange with − by shorts; the strongest colour is the
        furthest from zero in sight.
      </p>
    </section>
  );
}
