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
}

/** USDC in whole cents, rounded half up. */
function centsText({ value, isSigned = false }: UsdcProps): string {
  return (isSigned ? signedText : decimalText)(roundTo(value, 2), 2);
}

/** The whole text of an amount of USDC. */
export const usdcText = (amount: UsdcProps) => `${amount.isPartial === true ? '≥ ' : ''}${centsText(amount)}`;

/** An amount of USDC in whole cents; the tooltip has every digit. */
export function Usdc(amount: UsdcProps) {
  const { value, isSigned = false, isPartial = false } = amount;
  const shown = centsText(amount);
  return (
    <span
      title={`${grouped(value)} USDC`}
      data-amount={value}
      className={classNames(
        isPartial && 'text-stale',
        isSigned && !isPartial && (shown.startsWith('+') ? 'text-bid' : shown.startsWith('−') && 'text-ask'),
      )}
    >
      {isPartial && '≥ '}
      <span className="private">{shown}</span>
    </span>
  );
}

/** What a sum of worths consists of. */
export function WorthFigures({ sum: { spot, perps, pnl, isSpotPartial, isPerpsPartial } }: { readonly sum: WorthSum }) {
  return (
    <>
      <WorthFigure name="spot">
        <Usdc value={spot} isPartial={isSpotPartial} />
      </WorthFigure>
      <WorthFigure name="perps">
        <Usdc value={perps} isPartial={isPerpsPartial} />
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
