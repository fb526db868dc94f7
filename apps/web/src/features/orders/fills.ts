import { add, divide, multiply } from '@l4desk/decimal';
import { type DecimalString, type InfoResponse, isDecimalString } from '@l4desk/protocol';
import { columnDecimals } from '../../ui/format.ts';
import { groupBy } from '../../ui/group-by.ts';
import type { OrderRow } from './order-rows.ts';

export type UserFill = InfoResponse<'userFills'>[number];

/** What the exchange reports about the executions of one order. */
export interface OrderFills {
  readonly count: number;
  readonly sz: DecimalString;
  /** The only price as reported; of several the average, rounded half up to two more decimals than they have. */
  readonly avgPx: DecimalString;
  /** The sum of each token, `-` for a rebate; undefined if one of them was not reported. */
  readonly fees: readonly (readonly [token: string, amount: DecimalString])[] | undefined;
}

export interface WalletFills {
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
  const notional = fills.reduce<DecimalString>((total, fill) => add(total, multiply(fill.px, fill.sz)), '0');
  const prices = [...new Set(fills.map(({ px }) => px))];
  const [first = '0'] = prices;
  const average = prices.length === 1 ? first : divide(notional, sz, columnDecimals(prices) + AVERAGE_DECIMALS);
  return { count: fills.length, sz, avgPx: average ?? first, fees: feesOf(fills) };
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
export function feeText({ fees }: OrderFills): string | undefined {
  return fees?.map(([token, amount]) => `${amount} ${token}`).join(', ');
}

/** The executions of a row's order as far as they are known, or why they are not. */
export type RowFills =
  | { readonly kind: 'filled'; readonly fills: OrderFills }
  | { readonly kind: 'unknown'; readonly why: string };

const unknown = (why: string): RowFills => ({ kind: 'unknown', why });

export function rowFills({ parent, order }: OrderRow, wallet: WalletFills | undefined): RowFills {
  if (parent !== undefined) return unknown('The executions of a leg are in its own row, if it has one');
  if (wallet === undefined) return unknown('The fills of this wallet are not loaded');
  const { byOid, completeAfter } = wallet;
  if (completeAfter !== undefined && !(order.timestamp !== undefined && order.timestamp > completeAfter)) {
    return unknown('Older than the last 2,000 fills that the exchange reports of a wallet');
  }
  const fills = byOid.get(order.oid);
  return fills === undefined ? unknown('The exchange reports no fill of it') : { kind: 'filled', fills };
}
