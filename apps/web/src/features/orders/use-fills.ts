import { add, divide, multiply } from '@l4desk/decimal';
import { type Address, type DecimalString, type InfoResponse, infoCredits, isDecimalString } from '@l4desk/protocol';
import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useAutoLoadLimit, useMayLoad } from '../../api/price-rule.tsx';
import { useDueQueries, useRepeatOnce } from '../../api/use-due-queries.ts';
import { userFillsQuery } from '../../api/userFills.ts';
import { columnDecimals } from '../../ui/format.ts';
import { groupBy } from '../../ui/group-by.ts';
import { earliestOf } from './coverage-panel.tsx';
import type { OrderRow } from './order-rows.ts';
import { useGathered } from './use-gathered.ts';
import { ORDERS_STALE_AFTER_MS } from './use-order-calls.ts';

/**
 * The fills of these wallets, one call each. Once they are wanted they are loaded after a press, or automatically if that, besides
 * the credits that the page spends anyway, is within the price rule. Pass a stable list.
 */
export function useFills(addresses: readonly Address[], isWanted: boolean, besides: number) {
  const limit = useAutoLoadLimit();
  const queryClient = useQueryClient();
  const isMissing = (address: Address) => queryClient.getQueryData(userFillsQuery(address).queryKey) === undefined;
  const price = addresses.filter(isMissing).length * infoCredits('userFills');
  const { mayLoad, press } = useMayLoad(addresses, price, besides);
  const isShown = isWanted && mayLoad;
  const queries = useMemo(() => addresses.map(userFillsQuery), [addresses]);
  const due = useDueQueries(queries, ORDERS_STALE_AFTER_MS);
  useRepeatOnce(due, isShown && besides + due.length * infoCredits('userFills') <= limit);
  const combine = useCallback(
    (results: readonly UseQueryResult<WalletFills>[]) => ({
      loaded: results.flatMap(({ data }, at) => (data && addresses[at] ? [[addresses[at], data] as const] : [])),
      failed: addresses.filter((_, at) => results[at]?.isError === true),
      error: results.find(({ isError }) => isError)?.error,
      at: earliestOf(results.map(({ data, dataUpdatedAt }) => data && dataUpdatedAt)),
      isLoading: results.some(({ isFetching }) => isFetching),
    }),
    [addresses],
  );
  const { loaded, at, ...state } = useQueries({
    queries: queries.map((query) => ({ ...query, enabled: isShown, select: walletFills })),
    combine,
  });
  const gathered = useGathered(loaded, state.isLoading, addresses);
  const fillsOf = useMemo(() => {
    const byWallet = new Map(gathered);
    return isShown ? (row: OrderRow): RowFills => rowFills(row, byWallet.get(row.address)) : undefined;
  }, [isShown, gathered]);
  return {
    ...state,
    /** Time of the oldest response shown, in ms. */
    at: isShown ? at : undefined,
    /** Credits for what is not loaded yet. */
    price,
    /** The fills of a row; undefined while they are not wanted or wait for a press. */
    fillsOf,
    /** Allows the calls whatever they cost. */
    start: press,
    refresh: (wanted: readonly Address[] = addresses) => {
      for (const address of wanted) {
        void queryClient.fetchQuery({ ...userFillsQuery(address), staleTime: 0 }).catch(() => undefined);
      }
    },
  };
}

export type Fills = ReturnType<typeof useFills>;

export type UserFill = InfoResponse<'userFills'>[number];

/** What the exchange reports about the executions of one order. */
export interface OrderFills {
  readonly count: number;
  readonly sz: DecimalString;
  /** The sum of price × size. */
  readonly value: DecimalString;
  /** The only price as reported; of several the average, rounded half up to two more decimals than they have. */
  readonly avgPx: DecimalString;
  /** The sum of each token, `-` for a rebate; undefined if one of them was not reported. */
  readonly fees: readonly (readonly [token: string, amount: DecimalString])[] | undefined;
}

interface WalletFills {
  readonly byOid: ReadonlyMap<number, OrderFills>;
  /** Only orders placed later surely have all their executions in it, ms; undefined if none is missing. */
  readonly completeAfter: number | undefined;
}

export const FILLS_MAX = 2_000;

const AVERAGE_DECIMALS = 2;

export function walletFills(fills: readonly UserFill[]): WalletFills {
  const byOid = groupBy(fills, ({ oid }) => oid);
  return {
    byOid: new Map([...byOid].map(([oid, own]) => [oid, orderFills(own)])),
    completeAfter: fills.length < FILLS_MAX ? undefined : Math.min(...fills.map(({ time }) => time)),
  };
}

function orderFills(fills: readonly UserFill[]): OrderFills {
  const sz = fills.reduce<DecimalString>((total, fill) => add(total, fill.sz), '0');
  const value = fills.reduce<DecimalString>((total, fill) => add(total, multiply(fill.px, fill.sz)), '0');
  const prices = [...new Set(fills.map(({ px }) => px))];
  const [first = '0'] = prices;
  const average = prices.length === 1 ? first : divide(value, sz, columnDecimals(prices) + AVERAGE_DECIMALS);
  return { count: fills.length, sz, value, avgPx: average ?? first, fees: feesOf(fills) };
}

function feesOf(fills: readonly UserFill[]): OrderFills['fees'] {
  const sums = new Map<string, DecimalString>();
  for (const { fee, feeToken } of fills) {
    if (!isDecimalString(fee) || typeof feeToken !== 'string') return undefined;
    sums.set(feeToken, add(sums.get(feeToken) ?? '0', fee));
  }
  return [...sums];
}

/** `0.0123 USDC`, of several tokens separated by commas. */
export function feeText(fills: OrderFills | undefined): string | undefined {
  return fills?.fees?.map(([token, amount]) => `${amount} ${token}`).join(', ');
}

/** The executions of a row's order as far as they are known, or why there are none, or none are known. */
export type RowFills =
  | { readonly kind: 'filled'; readonly fills: OrderFills }
  | { readonly kind: 'none' | 'unknown'; readonly why: string };

const none = (why: string): RowFills => ({ kind: 'none', why });
const unknown = (why: string): RowFills => ({ kind: 'unknown', why });

export function rowFills({ parent, order }: OrderRow, wallet: WalletFills | undefined): RowFills {
  if (parent !== undefined) return none('The executions of a leg are in its own row, if it has one');
  if (wallet === undefined) return unknown('The fills of this wallet are not loaded');
  const { byOid, completeAfter } = wallet;
  if (completeAfter !== undefined && !(order.timestamp !== undefined && order.timestamp > completeAfter)) {
    return unknown('Older than the last 2,000 fills that the exchange reports of a wallet');
  }
  const fills = byOid.get(order.oid);
  return fills === undefined ? none('The exchange reports no fill of it') : { kind: 'filled', fills };
}
