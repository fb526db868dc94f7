import { add, compare, multiply } from '@l4desk/decimal';
import { type DecimalString, INFO_CREDITS, type MaxMarketOrderNtl } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { maxMarketOrderNtlsQuery } from '../../../api/maxMarketOrderNtls.ts';
import { useAutoLoadLimit } from '../../../api/price-rule.tsx';
import type { Sweep } from '../../../book-worker/panes/sweep.ts';
import { Button } from '../../../ui/button.tsx';
import { grouped } from '../../../ui/format.ts';
import { PriceTag } from '../../../ui/price-tag.tsx';
import type { SweepChoice } from '../search.ts';

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

/** Whether the exchange accepts a market order of a notional: that depends on the coin's maximum leverage. */
type Allowed =
  | { readonly kind: 'within'; readonly largest: DecimalString }
  | { readonly kind: 'over'; readonly largest: DecimalString }
  /** The coin's maximum leverage is above every bucket, or the exchange lists none. */
  | { readonly kind: 'unknown' };

/**
 * The notional of a whole market order, not only of the part that the book fills: the rest of a size is counted at the worst
 * price taken, because the book has none for it.
 */
export function notionalOf(
  { measure, amount }: SweepChoice,
  sweep: Pick<Sweep, 'filledNtl' | 'unfilled' | 'worstPx'>,
): DecimalString {
  const { filledNtl, unfilled, worstPx } = sweep;
  if (measure === 'ntl') return amount;
  return measure === 'to' || worstPx === null ? filledNtl : add(filledNtl, multiply(unfilled, worstPx));
}

/** Uses the lowest bucket whose maximum leverage is at least the coin's (NTL-2). */
export function allowedOrder(
  limits: readonly MaxMarketOrderNtl[],
  maxLeverage: number,
  notional: DecimalString,
): Allowed {
  const rising = [...limits].sort(([a], [b]) => a - b);
  const bucket = rising.find(([leverage]) => leverage >= maxLeverage);
  if (bucket === undefined) return { kind: 'unknown' };
  const [, largest] = bucket;
  return { kind: compare(notional, largest) > 0 ? 'over' : 'within', largest };
}
