import { add, compare, divide, multiply, subtract, sum } from '@l4desk/decimal';
import { type DecimalString, isDecimalString, type Side } from '@l4desk/protocol';
import type { FrontendOpenOrders, MetaAndAssetCtxs } from '@l4desk/protocol/upstream';
import { perpsOf } from '../../api/perps.ts';
import { groupBy } from '../../ui/group-by.ts';
import { isUnwatched, type Position, type PositionRow } from '../../wallets/value/worth.ts';

/** An order nearer to the mid than a thousandth of it, 10 basis points, is near, or beyond the mid. */
const NEAR = '0.001';

/** How near open orders are to being executed. */
export interface NearMid {
  readonly near: number;
  /** The order that is next to be executed. */
  readonly nearest:
    | {
        readonly coin: string;
        readonly side: Side;
        readonly px: DecimalString;
        /** From the mid, as a fraction of it. */
        readonly distance: DecimalString;
      }
    | undefined;
  /** Resting orders without a known mid, price or side: nothing is said of them. */
  readonly unknown: number;
}

/** The resting orders near the mid of their coin, as far as the mids are known; triggers do not rest. */
export function nearMid(
  responses: readonly FrontendOpenOrders[],
  mids: ReadonlyMap<string, DecimalString | undefined>,
): NearMid {
  const resting = responses.flat().filter(({ isTrigger }) => !isTrigger);
  const sides = groupBy(resting, ({ coin, side }) => `${side} ${coin}`);
  let near = 0;
  let unknown = 0;
  let nearest: NearMid['nearest'];
  for (const orders of sides.values()) {
    const { coin = '', side = '' } = orders[0] ?? {};
    const mid = mids.get(coin);
    const prices = orders.flatMap(({ limitPx }) => (isDecimalString(limitPx) ? limitPx : []));
    if (mid === undefined || (side !== 'B' && side !== 'A')) {
      unknown += orders.length;
      continue;
    }
    unknown += orders.length - prices.length;
    const isBuy = side === 'B';
    const edge = (isBuy ? subtract : add)(mid, multiply(mid, NEAR));
    const isBefore = (a: DecimalString, b: DecimalString) => (isBuy ? compare(a, b) > 0 : compare(a, b) < 0);
    near += prices.filter((px) => !isBefore(edge, px)).length;
    const px = prices.reduce<DecimalString | undefined>(
      (best, one) => (best && !isBefore(one, best) ? best : one),
      undefined,
    );
    const distance = px && divide(subtract(px, mid).replace('-', '') as DecimalString, mid, 6);
    if (px && distance && (nearest === undefined || compare(distance, nearest.distance) < 0)) {
      nearest = { coin, side, px, distance };
    }
  }
  return { near, nearest, unknown };
}

/** Funding of open positions, in USDC: positive if it is paid, negative if it is earned. */
export interface PositionFunding {
  readonly positions: number;
  /** Since the positions were opened, as reported, and of how many positions that is. */
  readonly paid: DecimalString;
  readonly paidOf: number;
  /** In the current interval, at its rates and the oracle prices, and of how many positions that is. */
  readonly due: DecimalString;
  readonly dueOf: number;
}

/** What open positions paid, and what they pay in the current interval; undefined without positions. */
export function positionFunding(
  positions: readonly Pick<Position, 'coin' | 'szi' | 'fundingPaid'>[],
  markets: MetaAndAssetCtxs | undefined,
): PositionFunding | undefined {
  if (positions.length === 0) return undefined;
  const perps = markets === undefined ? [] : perpsOf(markets);
  const payments = new Map(perps.map(({ name, market }) => [name, multiply(market.funding, market.oraclePx)]));
  const paid = positions.flatMap(({ fundingPaid }) => fundingPaid ?? []);
  const due = positions.flatMap(({ coin, szi }) => {
    const payment = payments.get(coin);
    return payment === undefined ? [] : multiply(szi, payment);
  });
  return { positions: positions.length, paid: sum(paid), paidOf: paid.length, due: sum(due), dueOf: due.length };
}

/** The open positions in one coin, over all wallets. */
export interface CoinPositions {
  readonly coin: string;
  readonly count: number;
  /** Long minus short. */
  readonly szi: DecimalString;
  /** Value of the long positions minus that of the short ones, in USDC. */
  readonly net: DecimalString;
  /** Value of all positions, in USDC. */
  readonly gross: DecimalString;
  readonly pnl: DecimalString;
  /** Whether the exchange did not report the value of one of them. */
  readonly isValuePartial: boolean;
  /** Whether it did not report the unrealised profit of one of them. */
  readonly isPnlPartial: boolean;
  /** Of the position nearest to liquidation, as a fraction of the mark. */
  readonly distance: DecimalString | undefined;
  /** Whether the mark of a position with a liquidation price is not known: it may be nearer. */
  readonly isDistancePartial: boolean;
}

/** Open positions by coin as exact sums: coins with an unknown value first, then by value, the largest first. */
export function positionsByCoin(rows: readonly PositionRow[]): readonly CoinPositions[] {
  return [...groupBy(rows, ({ position }) => position.coin)]
    .map(([coin, own]): CoinPositions => {
      const positions = own.map(({ position }) => position);
      const values = positions.flatMap(({ szi, value }) =>
        value === undefined ? [] : { value, signed: szi.startsWith('-') ? subtract('0', value) : value },
      );
      const pnls = positions.flatMap(({ pnl }) => pnl ?? []);
      const distances = own.flatMap(({ distance }) => distance ?? []);
      return {
        coin,
        count: own.length,
        szi: sum(positions.map(({ szi }) => szi)),
        net: sum(values.map(({ signed }) => signed)),
        gross: sum(values.map(({ value }) => value)),
        pnl: sum(pnls),
        isValuePartial: values.length < own.length,
        isPnlPartial: pnls.length < own.length,
        distance: distances.toSorted(compare)[0],
        isDistancePartial: own.some(isUnwatched),
      };
    })
    .sort(
      (a, b) =>
        Number(b.isValuePartial) - Number(a.isValuePartial) ||
        compare(b.gross, a.gross) ||
        a.coin.localeCompare(b.coin),
    );
}
