import { formatUnits } from '@l4desk/decimal';
import type { AccountFill } from '../engine/order.ts';
import { SPOT_PAIRS } from '../market/spot-catalogue.ts';

/** Fees of a trade, in hundred-thousandths of what is paid with. */
const TAKER_FEE = 45n;
const MAKER_FEE = 15n;
const FEE_DECIMALS = 5;

/** Simulated trades have no transaction. */
export const NO_HASH = `0x${'0'.repeat(64)}`;

/** One execution of an order, as the exchange prints it. */
export type UserFill = ReturnType<typeof toUserFill>;

export function toUserFill({ order, px, lots, time, tid, crossed, startLots, closedPnl }: AccountFill) {
  const { name, scale } = order.market;
  const { oid, side } = order;
  const endLots = startLots + (side === 'B' ? lots : -lots);
  const pair = SPOT_PAIRS.find((spot) => spot.name === name);
  // The fee of a purchase on a spot pair is taken from what was bought.
  const [feeToken, paid, decimals] =
    pair !== undefined && side === 'B'
      ? [pair.base.name, lots, scale.szDecimals]
      : ['USDC', scale.notional(px, lots), scale.decimals];
  return {
    coin: name,
    px: scale.price(px),
    sz: scale.size(lots),
    side,
    time,
    startPosition: scale.size(startLots),
    dir: pair === undefined ? directionOf(startLots, endLots) : side === 'B' ? 'Buy' : 'Sell',
    closedPnl: scale.money(pair === undefined ? closedPnl : 0),
    hash: NO_HASH,
    oid,
    crossed,
    fee: formatUnits(BigInt(paid) * (crossed ? TAKER_FEE : MAKER_FEE), decimals + FEE_DECIMALS, 1),
    tid,
    feeToken,
    twapId: null,
  };
}

function directionOf(start: number, end: number): string {
  const nameOf = (lots: number) => (lots > 0 ? 'Long' : 'Short');
  if (start * end < 0) return `${nameOf(start)} > ${nameOf(end)}`;
  return Math.abs(end) > Math.abs(start) ? `Open ${nameOf(end)}` : `Close ${nameOf(start)}`;
}
