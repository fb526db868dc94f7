import type { InfoResponse } from '@l4desk/client';
import { multiply, sum } from '@l4desk/decimal';
import { coinMarket, type DecimalString, isDecimalString, type OpenOrder } from '@l4desk/protocol';
import type { TokenId } from '../../wallets/balances/balance-store.ts';

/** An open spot order, with the token and amount that it holds. */
export interface HoldPart {
  readonly order: OpenOrder;
  /** `HYPE/USDC`. */
  readonly pair: string;
  readonly token: number;
  readonly tokenName: string;
  /** A bid holds limitPx × sz of the quote token, an ask sz of the base token. Exact. */
  readonly amount: DecimalString;
}

export interface HoldParts {
  readonly parts: readonly HoldPart[];
  /** Spot orders whose pair is not in the exchange's list, or without a price or size: what they hold is unknown. */
  readonly unknown: readonly OpenOrder[];
}

/** What each open spot order holds, if its pair and tokens are known; perp orders hold no token. */
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
    if (coinMarket(order.coin) !== 'spot') continue;
    const { limitPx, sz } = order;
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

/** The amount of one token that the open orders hold. */
export function heldBy(parts: readonly HoldPart[], { token, coin }: TokenId): DecimalString {
  const own = parts.filter((part) => part.token === token && (coin === undefined || part.tokenName === coin));
  return sum(own.map(({ amount }) => amount));
}
