import { RefreshCw } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Age, FailedBand } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { Usdc, WorthFigure, WorthFigures } from '../../wallets/value/usdc.tsx';
import type { Value } from '../../wallets/value/use-value.ts';

interface ValueBarProps {
  readonly value: Value;
  readonly onLoad: () => void;
}

/** What all wallets in view are worth, from which prices, and what is not in it. */
export function ValueBar({ value, onLoad }: ValueBarProps) {
  const { sum, at, pricesAt, credits, isFetching, error } = value;
  return (
    <>
      {error !== undefined && (
        <FailedBand error={error} onRetry={onLoad} credits={credits} kept={at !== undefined} of="Value" />
      )}
      <div
        data-part="value-sum"
        data-total={sum.total}
        className="flex min-h-(--control) flex-wrap items-center gap-x-6 gap-y-1 border-b border-line bg-surface-1 px-3 py-1"
      >
        {at !== undefined && (
          <>
            <WorthFigure name="Worth">
              <span className="text-15 font-semibold">
                <Usdc value={sum.total} isPartial={sum.missing.length > 0} /> USDC
              </span>
            </WorthFigure>
            <WorthFigures sum={sum} />
            {pricesAt > 0 && (
              <span className="text-12 text-dim">
                spot at the mid of each pair with USDC, <Age at={pricesAt} />
              </span>
            )}
          </>
        )}
        <span className="ml-auto">
          <Button look="plain" icon={RefreshCw} disabled={isFetching} onClick={onLoad}>
            {isFetching ? 'Loading…' : at === undefined ? 'Load the value' : 'Refresh the value'}{' '}
            <PriceTag credits={credits} />
          </Button>
        </span>
        {at !== undefined && sum.missing.length > 0 && (
          <p className="basis-full text-12 text-stale" data-part="value-missing">
            Not in the worth: {sum.missing.slice(0, REASONS_SHOWN).join(', ')}
            {sum.missing.length > REASONS_SHOWN && `, and ${sum.missing.length - REASONS_SHOWN} more`}.
          </p>
        )}
      </div>
    </>
  );
}

const REASONS_SHOWN = 6;
