import { roundTo } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { classNames } from '../../ui/class-names.ts';
import { decimalText, grouped, signedText } from '../../ui/format.ts';

/** USDC in whole cents, rounded half up; the tooltip has every digit. */
export const USDC_DECIMALS = 2;

/** An amount of USDC. With `isPartial` something is not in it. */
export function Usdc({ value, isSigned = false, isPartial = false }: UsdcProps) {
  const text = roundTo(value, USDC_DECIMALS);
  const shown = isSigned ? signedText(text, USDC_DECIMALS) : decimalText(text, USDC_DECIMALS);
  return (
    <span
      title={`${grouped(value)} USDC`}
      data-amount={value}
      className={classNames(
        isPartial && 'text-stale',
        isSigned && (shown.startsWith('+') ? 'text-bid' : shown.startsWith('−') && 'text-ask'),
      )}
    >
      {isPartial && '≥ '}
      <span className="private">{shown}</span>
    </span>
  );
}

interface UsdcProps {
  readonly value: DecimalString;
  readonly isSigned?: boolean;
  readonly isPartial?: boolean;
}
