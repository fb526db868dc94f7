import { classNames } from '../../ui/class-names.ts';
import { aligned } from '../../ui/format.ts';
import { type Sum, sumSign, sumText } from './sums.ts';

/** A sum; preceded by `≥` if wallets are missing, and greyed if some of its values are old. */
export function SumAmount({ sum, decimals }: { readonly sum: Sum; readonly decimals: number }) {
  const { value } = sum;
  if (value === undefined) {
    // Without a response of any wallet, it is unknown whether there is an amount.
    const isUnknown = sum.counted === 0;
    return (
      <span className={isUnknown ? 'text-stale' : 'text-dim'} title={sumText(sum)}>
        {isUnknown ? '?' : '—'}
      </span>
    );
  }
  const sign = sumSign(sum);
  return (
    <span
      title={sumText(sum)}
      className={classNames(sign !== '' ? 'text-stale' : sum.stale > 0 && 'text-dim')}
      data-amount={value}
    >
      {sign}
      <span className="private">{aligned(value, decimals)}</span>
    </span>
  );
}
