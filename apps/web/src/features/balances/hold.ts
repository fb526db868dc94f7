import type { InfoResponse } from '@l4desk/client';
import { compare, multiply, sum } from '@l4desk/decimal';
import { coinMarket, type DecimalString, isDecimalString, type OpenOrder } from '@l4desk/protocol';
import type { TokenAmounts, TokenId } from '../../wallets/balances/balance-store.ts';

/** An open spot or outcome order, with the token and amount that it holds. */
export interface HoldPart {
  readonly order: OpenOrder;
  /** `HYPE/USDC`, `#1230`. */
  readonly pair: string;
  /** Outcome tokens have no index. */
  readonly token: number | undefined;
  readonly tokenName: string;
  /** A bid holds limitPx × sz of the quote token, an ask sz of the base token. Exact. */
  readonly amount: DecimalString;
}

interface HoldParts {
  readonly parts: readonly HoldPart[];
  /** Orders whose pair is not in the exchange's list, or without a price or size: what they hold is unknown. */
  readonly unknown: readonly OpenOrder[];
}

/**
 * What each open spot or outcome order holds, if its pair and tokens are known. A bid on an outcome `#N` holds USDC, an ask its token
 * `+N` (D75). What perp orders hold depends on the account: see `holdsMargin`.
 */
export function holdParts(orders: readonly OpenOrder[], { universe, tokens }: InfoResponse<'spotMeta'>): HoldParts {
  const pairs = new Map<string, readonly number[]>();
  for (const pair of universe) {
    pairs.set(`@${pair.index}`, pair.tokens);
    pairs.set(pair.name, pair.tokens);
  }
  const names = new Map(tokens.map(({ index, name }) => [index, name]));
  const parts: HoldPart[] = [];
  const unknown: OpenOrder[] = [];
  for (const order of orders) {
    const market = coinMarket(order.coin);
    if (market === 'perp') continue;
    const { limitPx, sz } = order;
    if (market === 'outcome' && isDecimalString(limitPx) && isDecimalString(sz)) {
      const { coin } = order;
      const held =
        order.side === 'B'
          ? { token: USDC, tokenName: names.get(USDC) ?? 'USDC', amount: multiply(limitPx, sz) }
          : { token: undefined, tokenName: `+${coin.slice(1)}`, amount: sz };
      parts.push({ order, pair: coin, ...held });
      continue;
    }
    const [base, quote] = pairs.get(order.coin) ?? [];
    if (base === undefined || quote === undefined || !isDecimalString(limitPx) || !isDecimalString(sz)) {
      unknown.push(order);
      continue;
    }
    const nameOf = (token: number) => names.get(token) ?? `token ${token}`;
    const token = order.side === 'B' ? quote : base;
    parts.push({
      order,
      pair: `${nameOf(base)}/${nameOf(quote)}`,
      token,
      tokenName: nameOf(token),
      amount: order.side === 'B' ? multiply(limitPx, sz) : sz,
    });
  }
  return { parts, unknown };
}

/** Outcome markets are quoted in USDC, token 0. */
const USDC = 0;

/** Whether balances also hold the margin of perps, as `userAbstraction` says (D75). */
export function holdsMargin(abstraction: string | undefined): boolean {
  return abstraction === 'unifiedAccount' || abstraction === 'portfolioMargin';
}

/** Whether a wallet holds more of a token than its open orders account for. */
export function holdsMore(amounts: Iterable<TokenAmounts>, { parts }: HoldParts): boolean {
  return [...amounts].some((of) => of.hold !== undefined && compare(of.hold, heldBy(parts, of)) > 0);
}

/** The amount of one token that the open orders hold. */
export function heldBy(parts: readonly HoldPart[], { token, coin }: TokenId): DecimalString {
  const own = parts.filter((part) => part.token === token && (coin === undefined || part.tokenName === coin));
  return sum(own.map(({ amount }) => amount));
}
