import type { DecimalString } from '@l4desk/protocol';
import { classNames } from '../../ui/class-names.ts';
import { Age } from '../../ui/page/states.tsx';
import { aligned } from './amounts.ts';
import type { Sum, WalletEntry } from './pivot.ts';
import { sumSign, sumText } from './texts.ts';

interface AmountProps {
  readonly value: DecimalString | undefined;
  /** Of the column. */
  readonly decimals: number;
  /** Why there is none. */
  readonly absence: string;
}

/** An amount to the last digit, or a dash with its reason. */
export function Amount({ value, decimals, absence }: AmountProps) {
  if (value === undefined) {
    return (
      <span className="text-dim" title={absence}>
        <span aria-hidden>—</span>
        <span className="sr-only">none: {absence}</span>
      </span>
    );
  }
  return (
    <span className={classNames('private', !/[1-9]/.test(value) && 'text-dim')} data-amount={value}>
      {aligned(value, decimals)}
    </span>
  );
}

interface SumAmountProps {
  readonly sum: Sum;
  readonly decimals: number;
}

/** A sum; `≥` before it where wallets are missing. */
export function SumAmount({ sum, decimals }: SumAmountProps) {
  const { value } = sum;
  if (value === undefined) return <span className="text-dim">—</span>;
  const sign = sumSign(sum);
  return (
    <span title={sumText(sum)} className={classNames(sign !== '' && 'text-stale')} data-amount={value}>
      {sign}
      <span className="private">{aligned(value, decimals)}</span>
    </span>
  );
}

/** How a wallet's numbers stand and how old they are. */
export function StandingCell({ entry: { standing, reading } }: { readonly entry: WalletEntry }) {
  const { kind } = standing;
  return (
    <span className={classNames('truncate', kind !== 'ok' && 'text-stale')} title={standing.text}>
      {kind === 'never' ? (
        'never read'
      ) : (
        <>
          {kind}
          {reading !== undefined && (
            <>
              {' · '}
              <Age at={reading.at} />
            </>
          )}
        </>
      )}
    </span>
  );
}
