import type { DecimalString } from '@l4desk/protocol';
import { useNow } from '../../hooks/use-now.ts';
import { AgeText } from '../../ui/age-text.tsx';
import { classNames } from '../../ui/class-names.ts';
import { aligned } from '../../ui/format.ts';
import { Age } from '../../ui/page/states.tsx';
import type { Change } from '../../wallets/balances/balance-store.ts';
import { type Sum, sumSign, sumText, type WalletEntry } from '../../wallets/balances/sums.ts';
import type { Absence } from './texts.ts';

interface AmountProps {
  readonly value: DecimalString | undefined;
  /** Decimals of the column. */
  readonly decimals: number;
  /** Why there is no value. */
  readonly absence: Absence;
  /** How the last refresh changed it. */
  readonly change?: Change | undefined;
}

const ABSENCE_SIGNS = { none: '—', unknown: '?' } as const;

/** An amount with all its digits; a dash for no amount, a question mark for an unknown one, each with its reason. */
export function Amount({ value, decimals, absence, change }: AmountProps) {
  if (value === undefined) {
    return (
      <span
        className={absence.kind === 'unknown' ? 'text-stale' : 'text-dim'}
        title={absence.text}
        data-absence={absence.kind}
      >
        <span aria-hidden>{ABSENCE_SIGNS[absence.kind]}</span>
        <span className="sr-only">
          {absence.kind}: {absence.text}
        </span>
      </span>
    );
  }
  return (
    <span
      className={classNames(
        'private',
        change !== undefined ? 'font-bold text-strong' : !/[1-9]/.test(value) && 'text-dim',
      )}
      title={change && `Changed by the last refresh; before: ${change.from ?? 'not reported'}`}
      data-amount={value}
      data-changed={change && (change.from ?? '')}
    >
      {aligned(value, decimals)}
    </span>
  );
}

interface SumAmountProps {
  readonly sum: Sum;
  readonly decimals: number;
}

/** A sum; preceded by `≥` if wallets are missing, and greyed if some of its values are old. */
export function SumAmount({ sum, decimals }: SumAmountProps) {
  const { value } = sum;
  if (value === undefined) {
    // Without a response of any wallet, it is unknown whether there is an amount.
    const isUnknown = sum.counted === 0;
    return (
      <span className={isUnknown ? 'text-stale' : 'text-dim'} title={sumText(sum)}>
        {ABSENCE_SIGNS[isUnknown ? 'unknown' : 'none']}
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

/** The time since something happened, ticking. */
export function Ago({ at }: { readonly at: number }) {
  const now = useNow();
  return (
    <>
      <AgeText ms={now - at} /> ago
    </>
  );
}

/** Labels the age as that of the values, not of a later failure. */
export function ValuesAge({ at }: { readonly at: number }) {
  return (
    <>
      values <Age at={at} />
    </>
  );
}

interface StateCellProps {
  readonly entry: WalletEntry;
  /** Whether the message of a failure is in view; otherwise it is in the tooltip, and above the table once. */
  readonly isLong?: boolean;
}

/** Whether a wallet’s numbers are current: when its last call failed, and the age of the values. */
export function StateCell({ entry: { state, reading }, isLong = false }: StateCellProps) {
  if (state.kind === 'never') return <span className="truncate text-stale">not loaded</span>;
  const values = reading === undefined ? 'no values' : <ValuesAge at={reading.at} />;
  if (state.kind === 'error') {
    return (
      <span className="flex min-w-0 items-baseline whitespace-pre" title={state.text} data-part="failure">
        <span className="shrink-0 text-stale">
          error <Ago at={state.failedAt} />
          {' · '}
        </span>
        <span className={isLong ? 'num min-w-0 truncate text-12 text-text' : 'sr-only'}>{state.message} · </span>
        <span className={isLong ? 'shrink-0' : 'truncate'}>{values}</span>
      </span>
    );
  }
  return (
    <span className={classNames('truncate', state.kind === 'stale' && 'text-stale')} title={state.text}>
      {state.kind} · {values}
    </span>
  );
}

/** Px of the state column: the same whether wallets fail or not, and enough for messages if only failed wallets are shown. */
export const stateWidth = (isLong: boolean) => (isLong ? 440 : 208);
