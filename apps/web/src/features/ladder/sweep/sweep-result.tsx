import { add, compare, formatUnits, multiply, significantDecimalsOf } from '@l4desk/decimal';
import { type DecimalString, infoCredits, type MaxMarketOrderNtl, type SessionCoins } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { maxMarketOrderNtlsQuery } from '../../../api/maxMarketOrderNtls.ts';
import { useAutoLoadLimit } from '../../../api/price-rule.tsx';
import type { Sweep } from '../../../book-worker/panes/sweep.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import { Button } from '../../../ui/button.tsx';
import { counted, decimalText, grouped, wholeText } from '../../../ui/format.ts';
import { GROUP_OF_HINTS } from '../../../ui/group-of-hints.ts';
import { PriceTag } from '../../../ui/price-tag.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import type { SweepChoice } from '../search.ts';
import { useNotionalDecimals } from '../use-notional-decimals.ts';
import { SweptOrders, SweptOwners } from './swept-grids.tsx';

interface SweepResultProps {
  readonly choice: SweepChoice;
  readonly result: PaneResult<'sweep'>;
  readonly coin: SessionCoins['coins'][number] | undefined;
}

const LISTS = [
  { value: 'orders', text: 'Orders' },
  { value: 'wallets', text: 'Wallets' },
] as const;

type ListName = (typeof LISTS)[number]['value'];

export function SweepResult({ choice, result, coin }: SweepResultProps) {
  const { sweep, orders, height, sizeDecimals } = result;
  const [list, setList] = useState<ListName>('orders');
  const { filledSz, filledNtl, vwap, bestPx, worstPx, slippageBps } = sweep;
  const untaken = untakenText(choice, sweep);
  const ntlDecimals = useNotionalDecimals(sizeDecimals);
  const rest = restOf(choice, sweep, coin);
  return (
    <>
      <dl
        {...GROUP_OF_HINTS}
        className="grid grid-cols-[auto_minmax(0,1fr)_auto_minmax(0,1fr)] items-baseline gap-x-3 px-3 py-1.5 text-12"
      >
        <Fact name="VWAP" hint="average price, weighted by size" value={vwap === null ? '—' : grouped(vwap)} strong />
        <Fact
          name="slippage"
          hint="distance of that average from the best price"
          value={slippageBps === null ? '—' : `${grouped(slippageBps)} bps`}
          strong
        />
        <Fact name="best" hint="the first price taken" value={bestPx === null ? '—' : grouped(bestPx)} />
        <Fact name="worst" hint="the last price taken" value={worstPx === null ? '—' : grouped(worstPx)} />
        <Fact name="filled" hint="size that is taken" value={decimalText(filledSz, sizeDecimals)} />
        <Fact name="notional" hint="the exact sum of price × size" value={decimalText(filledNtl, ntlDecimals)} />
        <Fact name="orders" hint="resting orders that are taken from" value={wholeText(sweep.orders)} />
        <Fact name="levels" hint="prices that are taken from" value={wholeText(sweep.levels)} />
      </dl>
      {rest !== undefined && (
        <p className={`px-3 pb-1 text-12 ${rest.isShort ? 'text-stale' : 'text-dim'}`} data-field="unfilled">
          {rest.isShort && <span aria-hidden>▲ </span>}
          {rest.text}
        </p>
      )}
      {untaken !== undefined && (
        <p className="px-3 pb-1 text-12 text-stale" data-field="untaken">
          <span aria-hidden>▲ </span>
          {untaken}
        </p>
      )}
      <LargestOrder notional={notionalOf(choice, sweep)} maxLeverage={coin?.maxLeverage} />
      <p className="px-3 pb-1.5 text-12 text-dim">
        Static estimate on the book at block {wholeText(height)}: no reactions, no fees.
      </p>
      <div className="flex items-center gap-3 border-t border-line px-3 py-1">
        <Segmented name="List" value={list} options={LISTS} onChange={setList} />
        <span className="num text-12 text-dim">
          {list === 'orders'
            ? orders.length < sweep.orders
              ? `first ${wholeText(orders.length)} of ${wholeText(sweep.orders)}`
              : counted(orders.length, 'order')
            : counted(sweep.owners.length, 'wallet')}
        </span>
      </div>
      {list === 'orders' ? (
        <SweptOrders orders={orders} sizeDecimals={sizeDecimals} />
      ) : (
        <SweptOwners sweep={sweep} sizeDecimals={sizeDecimals} />
      )}
    </>
  );
}

interface FactProps {
  readonly name: string;
  readonly hint: string;
  readonly value: string;
  readonly strong?: boolean;
}

function Fact({ name, hint, value, strong = false }: FactProps) {
  return (
    <div className="contents" title={`${name}: ${hint}, ${value}`}>
      <dt className="text-dim">{name}</dt>
      <dd className={`num truncate text-right ${strong ? 'text-strong' : ''}`} data-field={name}>
        {value}
      </dd>
    </div>
  );
}

const CREDITS = infoCredits('maxMarketOrderNtls');

interface LargestOrderProps {
  readonly notional: DecimalString;
  readonly maxLeverage: number | undefined;
}

function LargestOrder({ notional, maxLeverage }: LargestOrderProps) {
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
    return <p className="px-3 pb-1 text-12 text-dim">The exchange lists no largest market order for {maxLeverage}×.</p>;
  }
  return (
    <p className="px-3 pb-1 text-12" data-field="allowed">
      {allowed.kind === 'within' ? (
        <span className="text-dim">✓ within</span>
      ) : (
        <span className="text-stale">✗ over</span>
      )}{' '}
      <span className="text-dim">
        the largest market order of a coin with {maxLeverage}×: {grouped(allowed.largest)} USD
      </span>
    </p>
  );
}

/** Whether the exchange accepts a market order of a notional: that depends on the coin's maximum leverage. */
type Allowed =
  | { readonly kind: 'within'; readonly largest: DecimalString }
  | { readonly kind: 'over'; readonly largest: DecimalString }
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

/** The name of the amount, as the label of its field. A sell at a limit goes down to it. */
export function amountLabel({ side, measure }: Pick<SweepChoice, 'side' | 'measure'>): string {
  if (measure === 'to') return side === 'buy' ? 'Up to price' : 'Down to price';
  return measure === 'sz' ? 'Size' : 'Notional';
}

/** Why no market order of this amount can be sent, as an instruction; undefined if one can. `lotDecimals` is undefined while unknown. */
export function amountProblem(
  { measure, amount }: SweepChoice,
  coin: string,
  lotDecimals: number | undefined,
): string | undefined {
  if (measure === 'to') return undefined;
  if (!/[1-9]/.test(amount)) return 'Enter an amount above zero.';
  if (measure === 'ntl' || lotDecimals === undefined || significantDecimalsOf(amount) <= lotDecimals) return undefined;
  return lotDecimals === 0
    ? `Enter a whole number: sizes of ${coin} have no decimals.`
    : `Enter at most ${counted(lotDecimals, 'decimal')}, as sizes of ${coin} have.`;
}

/**
 * What a market order does not fill, if it fills something: all that the side lacks, or of a notional also what is worth less than one
 * lot.
 */
export function restOf(
  { side, measure }: SweepChoice,
  { unfilled, worstPx }: Pick<Sweep, 'unfilled' | 'worstPx'>,
  coin: Pick<SessionCoins['coins'][number], 'coin' | 'szDecimals'> | undefined,
): { readonly text: string; readonly isShort: boolean } | undefined {
  if (worstPx === null || !/[1-9]/.test(unfilled)) return undefined;
  if (measure === 'sz')
    return { text: `The side ends: ${grouped(unfilled)} ${coin?.coin ?? ''} not filled.`, isShort: true };
  const rest = `${grouped(unfilled)} USD`;
  if (coin !== undefined && compare(unfilled, multiply(formatUnits(1, coin.szDecimals), worstPx)) < 0)
    return { text: `Less than one lot is left: ${rest}.`, isShort: false };
  // One lot of the next ask may cost more than one of the last. While the coin is not loaded, the lot is unknown.
  const orLot = side === 'buy' || coin === undefined ? ', or the rest is below one lot' : '';
  return { text: `The side ends${orLot}: ${rest} not filled.`, isShort: true };
}

/** Why a market order takes nothing; undefined if it takes something. */
export function untakenText({ side, measure, amount }: SweepChoice, sweep: Sweep): string | undefined {
  if (sweep.orders > 0) return undefined;
  const rests = side === 'buy' ? 'ask' : 'bid';
  if (sweep.bestPx === null) return `There is no ${rests}.`;
  const best = `the best ${rests} is ${grouped(sweep.bestPx)}`;
  if (measure === 'to') return `No ${rests} at ${grouped(amount)} or ${side === 'buy' ? 'below' : 'above'}: ${best}.`;
  return `The amount is below one lot: ${best}.`;
}
