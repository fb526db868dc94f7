import type { DecimalString } from '@l4desk/protocol';
import { useMemo } from 'react';
import { columnDecimals, signedText, wholeText } from '../../ui/format.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { DecimalField } from '../../ui/text-field.tsx';
import { carryOf, type PositionSide } from './carry.ts';
import { type History, textOf } from './entries.ts';
import { missingOf } from './interval.ts';
import { SeriesMark } from './series-mark.tsx';
import { signedPercent, silenceText } from './texts.ts';

export const NOTIONAL_DEFAULT = '10000' as DecimalString;

interface CarryPanelProps {
  readonly histories: readonly History[];
  readonly notional: DecimalString;
  readonly side: PositionSide;
  readonly onNotional: (notional: DecimalString) => void;
  readonly onSide: (side: PositionSide) => void;
}

const HEAD = 'px-2 py-1 text-right font-normal whitespace-nowrap';
const CELL = 'num px-2 py-1 text-right text-12 whitespace-nowrap';

/** What funding would have paid a position held through the period. */
export function CarryPanel({ histories, notional, side, onNotional, onSide }: CarryPanelProps) {
  const rows = useMemo(
    () =>
      histories.map((history) => {
        const sum = textOf(history, history.counted.at(-1)?.cumulative ?? 0n);
        return { history, sum, carry: carryOf(sum, notional, side) };
      }),
    [histories, notional, side],
  );
  const decimals = Math.max(2, columnDecimals(rows.map(({ carry }) => carry)));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it
    <section aria-label="Carry" tabIndex={0} className="min-h-0 grow overflow-auto -outline-offset-2">
      <div className="flex flex-wrap items-end gap-3 px-3 py-2">
        <div className="w-44">
          <DecimalField label="Constant notional" value={notional} onChange={onNotional} unit="USDC" />
        </div>
        <Segmented
          name="Position"
          value={side}
          options={[
            { value: 'long', text: 'Long' },
            { value: 'short', text: 'Short' },
          ]}
          onChange={onSide}
        />
      </div>
      <table className="w-full border-collapse">
        <thead className="text-12 text-dim">
          <tr className="border-y border-line">
            <th scope="col" className="py-1 pr-2 pl-3 text-left font-normal">
              Coin
            </th>
            <th scope="col" className={HEAD}>
              Intervals
            </th>
            <th scope="col" className={HEAD}>
              Not included
            </th>
            <th scope="col" className={HEAD}>
              Sum of rates
            </th>
            <th scope="col" className={HEAD}>
              Carry, USDC
            </th>
            <th scope="col" className="px-2 py-1 text-left font-normal whitespace-nowrap">
              Paid or received
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ history, sum, carry }, at) => (
            <tr key={history.coin} className="border-b border-line" data-coin={history.coin}>
              <th scope="row" className="py-1 pr-2 pl-3 text-left font-normal whitespace-nowrap">
                <SeriesMark at={at} /> {history.coin}
              </th>
              {history.counted.length === 0 ? (
                <td colSpan={5} className="px-2 py-1 text-dim">
                  {silenceText(history) ?? 'no entries in view'}
                </td>
              ) : (
                <>
                  <td className={CELL}>{wholeText(history.counted.length)}</td>
                  <td className={CELL}>
                    {history.completeness.interval === undefined ? '–' : wholeText(missingOf(history.completeness))}
                  </td>
                  <td className={CELL}>{signedPercent(sum)}</td>
                  <td className={`${CELL} text-strong`}>
                    <span className="private">{signedText(carry, decimals)}</span>
                  </td>
                  <td className="px-2 py-1 whitespace-nowrap text-dim">{meaning(carry)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="max-w-3xl px-3 py-2 text-12 text-dim">
        Exact: the sum of the rates in view times a constant notional. The notional of a real position follows the
        oracle price from interval to interval. When the rate is positive, longs pay shorts; when it is negative, shorts
        pay longs. + is received, − is paid. Excludes fees and price changes.
      </p>
    </section>
  );
}

function meaning(carry: DecimalString): string {
  if (carry.startsWith('-')) return 'paid';
  return /[1-9]/.test(carry) ? 'received' : 'nothing';
}
