import type { Side } from '@l4desk/protocol';
import type { BookSide } from './book-side.ts';
import type { Market, Order, RejectReason, Tif } from './order.ts';
import type { Positions } from './positions.ts';

/** The exchange's limits, the same for every coin. */
export interface EngineRules {
  /** The minimum notional of an order, in the units of the coin's scale: for perps, millionths of a dollar. */
  readonly minNotional: number;
  /** The maximum number of open orders of an account. */
  readonly maxOpenOrders: number;
  /** How far from the mark a fired market order may trade, in millionths of the mark; what is left rests there. */
  readonly marketBand: number;
  /** Why the account cannot pay for the order with this notional; null if it can. */
  readonly shortOf: (order: Order, notional: number) => RejectReason | null;
}

/** The limits of a perp. */
export const DEFAULT_RULES: EngineRules = {
  minNotional: 10_000_000,
  maxOpenOrders: 5_000,
  marketBand: 300,
  shortOf: ({ reduceOnly, account }, notional) =>
    !reduceOnly && notional > account.buyingPower ? 'perpMarginRejected' : null,
};

/** The market that an order is checked against. */
interface CheckedMarket extends Market {
  readonly positions: Positions;
  /** The mid price in ticks, or 0. */
  readonly mark: number;
  oppositeOf(side: Side): BookSide;
}

/** Why a newly placed order is refused; null if it is accepted. */
export function refusalOf(market: CheckedMarket, rules: EngineRules, order: Order, tif: Tif): RejectReason | null {
  const { px, lots, account, reduceOnly, trigger } = order;
  const { scale } = market;
  if (!scale.isPrice(px) || (trigger !== null && !scale.isPrice(trigger.px))) return 'tickRejected';
  if (lots <= 0 || scale.notional(px, lots) < rules.minNotional) return 'minTradeNtlRejected';
  if (account.open.size >= rules.maxOpenOrders) return 'tooManyOpenOrdersRejected';
  const shortage = rules.shortOf(order, scale.notional(px, lots));
  if (shortage !== null) return shortage;
  if (trigger !== null) return isReached(order, market.mark) ? 'badTriggerPxRejected' : null;
  const opposite = market.oppositeOf(order.side);
  if (tif === 'Alo' && opposite.isCrossedBy(px)) return 'badAloPxRejected';
  if (tif === 'FrontendMarket' && opposite.best() === undefined) return 'marketOrderNoLiquidityRejected';
  if ((tif === 'Ioc' || tif === 'FrontendMarket') && !opposite.isCrossedBy(px)) return 'iocCancelRejected';
  if (reduceOnly && market.positions.reducible(account, order.side) === 0) return 'reduceOnlyRejected';
  return null;
}

/** Why a trigger order is refused when it fires; null if it is accepted. Some checks apply only then. */
export function firedRefusalOf(market: CheckedMarket, rules: EngineRules, order: Order): RejectReason | null {
  const { account, side, reduceOnly } = order;
  if (!reduceOnly) return null;
  const lots = Math.min(order.lots, market.positions.reducible(account, side));
  if (lots === 0) return 'reduceOnlyRejected';
  return market.scale.notional(order.px, lots) < rules.minNotional ? 'minTradeNtlRejected' : null;
}

/** Whether the mark price is at or past an order's trigger. */
export function isReached({ trigger }: Order, mark: number): boolean {
  if (trigger === null || mark === 0) return false;
  return trigger.when === 'above' ? mark >= trigger.px : mark <= trigger.px;
}
