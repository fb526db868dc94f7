import { roundTo } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { decimalText, grouped, signedText } from '../../ui/format.ts';
import type { WorthSum } from './worth.ts';

export interface UsdcProps {
  readonly value: DecimalString;
  readonly isSigned?: boolean;
  /** Something is not in it. */
  readonly isPartial?: boolean;
  /** What that is, for the tooltip. */
  readonly missing?: readonly string[];
}

/** USDC in whole cents, rounded half up. */
function centsText({ value, isSigned = false }: UsdcProps): string {
  return (isSigned ? signedText : decimalText)(roundTo(value, 2), 2);
}

/** Of an amount that misses something nothing may be known. */
export const isUnknown = ({ value, isPartial = false }: UsdcProps) => isPartial && !/[1-9]/.test(value);

/** An amount that misses something is a least one, unless what is missing may be negative. */
const signOf = ({ isSigned = false, isPartial = false }: UsdcProps) => (isPartial ? (isSigned ? '~ ' : '≥ ') : '');

/** The whole text of an amount of USDC; with every digit if `isExact`. */
export const usdcText = (amount: UsdcProps, isExact = false) =>
  isUnknown(amount) ? '?' : `${signOf(amount)}${isExact ? amount.value : centsText(amount)}`;

/** An amount of USDC in whole cents; the tooltip has every digit. */
export function Usdc(amount: UsdcProps) {
  const { value, isSigned = false, isPartial = false, missing = [] } = amount;
  const shown = centsText(amount);
  return (
    <span
      title={[
        isUnknown(amount) ? 'Unknown' : `${grouped(value)} USDC`,
        ...missing.map((what) => `Not in it: ${what}`),
      ].join('\n')}
      data-amount={value}
      className={classNames(
        isPartial && 'text-stale',
        isSigned && !isPartial && (shown.startsWith('+') ? 'text-bid' : shown.startsWith('−') && 'text-ask'),
      )}
    >
      {isUnknown(amount) ? (
        '?'
      ) : (
        <>
          {signOf(amount)}
          <span className="private">{shown}</span>
        </>
      )}
    </span>
  );
}

/** What a sum of worths consists of. */
export function WorthFigures({ sum }: { readonly sum: WorthSum }) {
  const { spot, perps, pnl, isSpotPartial, isPerpsPartial, isEquityPartial } = sum;
  return (
    <>
      <WorthFigure name="spot">
        <Usdc value={spot} isPartial={isSpotPartial} />
      </WorthFigure>
      <WorthFigure name="perps">
        <Usdc value={perps} isPartial={isEquityPartial} />
      </WorthFigure>
      <WorthFigure name="unrealised">
        <Usdc value={pnl} isSigned isPartial={isPerpsPartial} />
      </WorthFigure>
    </>
  );
}

export function WorthFigure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <span className="flex items-baseline gap-x-1.5">
      <span className="text-12 text-dim">{name}</span>
      <span className="num">{children}</span>
    </span>
  );
}
