import type { ReactNode } from 'react';
import { Usdc } from './usdc.tsx';
import type { Value } from './use-value.ts';

/** What a sum of worths consists of. */
export function WorthFigures({ sum: { spot, perps, pnl } }: Pick<Value, 'sum'>) {
  return (
    <>
      <WorthFigure name="spot">
        <Usdc value={spot} />
      </WorthFigure>
      <WorthFigure name="perps">
        <Usdc value={perps} />
      </WorthFigure>
      <WorthFigure name="unrealised">
        <Usdc value={pnl} isSigned />
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
