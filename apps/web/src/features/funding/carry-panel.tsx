import { multiply } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { useMemo } from 'react';
import { columnDecimals, signedPercent, signedText, wholeText } from '../../ui/format.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { DecimalField } from '../../ui/text-field.tsx';
import { type CoinColumn, CoinTable } from './coin-table.tsx';
import { type History, textOf } from './entries.ts';
import { missingOf } from './interval.ts';

export type PositionSide = 'long' | 'short';

export const NOTIONAL_DEFAULT = '10000' as DecimalString;

interface CarryPanelProps {
  readonly histories: readonly History[];
  readonly notional: DecimalString;
  readonly side: PositionSide;
  readonly onNotional: (notional: DecimalString) => void;
  readonly onSide: (side: PositionSide) => void;
}

/** What funding would have paid a position held through the period. */
export function CarryPanel({ histories, notional, side, onNotional, onSide }: CarryPanelProps) {
  const rows = useMemo(
    () =>
      histories.map((history) => {
        const sum = textOf(history, history.counted.at(-1)?.cumulative ?? 0n);
        return history.counted.length === 0 ? undefined : { sum, carry: carryOf(sum, notional, side) };
      }),
    [histories, notional, side],
  );
  const decimals = Math.max(2, columnDecimals(rows.flatMap((row) => row?.carry ?? [])));
  return (
    <CoinTable
      name="Carry"
      histories={histories}
      rows={rows}
      columns={columnsOf(decimals)}
      controls={
        <div className="flex flex-wrap items-end gap-3 border-b border-line px-3 py-2">
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
      }
    >
      Exact: the sum of the rates in view times a constant notional. The notional of a real position follows the oracle
      price from interval to interval. When the rate is positive, longs pay shorts; when it is negative, shorts pay
      longs. + is received, − is paid. Excludes fees and price changes.
    </CoinTable>
  );
}

interface Row {
  readonly sum: DecimalString;
  readonly carry: DecimalString;
}

function columnsOf(decimals: number): readonly CoinColumn<Row>[] {
  return [
    { title: 'Intervals', cell: (_, { counted }) => wholeText(counted.length) },
    {
      title: 'Not included',
      cell: (_, { completeness }) => (completeness.pieces.length === 0 ? '–' : wholeText(missingOf(completeness))),
    },
    { title: 'Sum of rates', cell: ({ sum }) => signedPercent(sum) },
    {
      title: 'Carry, USDC',
      cell: ({ carry }) => <span className="private text-strong">{signedText(carry, decimals)}</span>,
    },
    { title: 'Paid or received', align: 'start', cell: ({ carry }) => meaning(carry) },
  ];
}

function meaning(carry: DecimalString): string {
  if (carry.startsWith('-')) return 'paid';
  return /[1-9]/.test(carry) ? 'received' : 'nothing';
}

/**
 * What funding pays a position whose notional stays constant over the period: the sum of its rates times the notional, exact.
 * Longs pay a positive rate to shorts: a long receives the negated amount, a short the amount itself.
 */
export function carryOf(sum: DecimalString, notional: DecimalString, side: PositionSide): DecimalString {
  const amount = multiply(sum, notional);
  return side === 'long' && /[1-9]/.test(amount) ? multiply(amount, '-1') : amount;
}
