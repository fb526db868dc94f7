import { type DecimalString, INFO_CREDITS } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { maxMarketOrderNtlsQuery } from '../../../api/maxMarketOrderNtls.ts';
import { useAutoLoadLimit } from '../../../api/price-rule.tsx';
import { Button } from '../../../ui/button.tsx';
import { grouped } from '../../../ui/format.ts';
import { PriceTag } from '../../../ui/price-tag.tsx';
import { allowedOrder } from './largest-order.ts';

const CREDITS = INFO_CREDITS.maxMarketOrderNtls;

interface LargestOrderProps {
  readonly notional: DecimalString;
  /** The coin's maximum leverage; undefined until known. */
  readonly maxLeverage: number | undefined;
}

/** Whether the exchange accepts a market order of this notional. */
export function LargestOrder({ notional, maxLeverage }: LargestOrderProps) {
  const isAutoLoaded = useAutoLoadLimit() >= CREDITS;
  const { data, isFetching, refetch } = useQuery({ ...maxMarketOrderNtlsQuery, enabled: isAutoLoaded });
  if (data === undefined || maxLeverage === undefined) {
    return (
      <p className="flex items-center gap-2 px-3 pb-1 text-12 text-dim">
        Largest market order not read
        <Button look="plain" disabled={isFetching} onClick={() => void refetch()}>
          Read it <PriceTag credits={CREDITS} />
        </Button>
      </p>
    );
  }
  const allowed = allowedOrder(data, maxLeverage, notional);
  if (allowed.kind === 'unknown') {
    return (
      <p className="px-3 pb-1 text-12 text-dim">
        The exchange lists no largest market order for <span className="num">{maxLeverage}×</span>.
      </p>
    );
  }
  return (
    <p className="px-3 pb-1 text-12" data-field="allowed">
      {allowed.kind === 'within' ? (
        <span className="text-dim">✓ within</span>
      ) : (
        <span className="text-stale">✗ over</span>
      )}{' '}
      <span className="text-dim">
        the largest market order of a coin with <span className="num">{maxLeverage}×</span>:{' '}
        <span className="num">{grouped(allowed.largest)}</span> USD
      </span>
    </p>
  );
}
