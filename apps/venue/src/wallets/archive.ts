import {
  type KnownOrderStatus,
  type KnownOrderType,
  type KnownTif,
  ORDER_STATUSES,
  ORDER_TYPES,
  TIFS,
} from '@l4desk/protocol';
import type { CoinEngine } from '../engine/coin-engine.ts';
import { type HistoryEntry, Order, type OrderFields, type Trigger } from '../engine/order.ts';
import type { Random } from '../engine/random.ts';
import { PERP_DECIMALS } from '../engine/scale.ts';
import { drawCloid, drawLots, drawSide, otherSide } from './floor.ts';
import type { Wallet } from './wallet.ts';

/** Number of past orders. With their earlier statuses, they make more entries than the exchange returns at once. */
const ORDERS = 1_900;

const PAST_MS = 60 * 24 * 3_600_000;

/** Statuses of orders that were never open. */
const isRefusal = (status: KnownOrderStatus) => status === 'rejected' || status.endsWith('Rejected');

/** Past orders have oids from here on, lower than any order of the market. */
const FIRST_OID = 398_000_000_000;

/** Distance of the legs' triggers from the price, in millionths. */
const AWAY = 20_000;

/**
 * Gives a wallet an order history from before the start: orders of every type and status that the exchange knows, on
 * every coin, perp and spot, some with legs, many with more than one status.
 */
export function fillArchive(wallet: Wallet, engines: readonly CoinEngine[], random: Random, now: number): void {
  let oid = FIRST_OID;
  const nextOid = () => {
    oid += 1 + random.int(500_000);
    return oid;
  };
  const endings = ORDER_STATUSES.filter((status) => status !== 'open' && status !== 'triggered');
  const entries: HistoryEntry[] = [];
  for (let i = 0; i < ORDERS; i += 1) {
    const timestamp = now - Math.floor((PAST_MS / ORDERS) * (ORDERS - i));
    const status = endings[i % endings.length] as KnownOrderStatus;
    const order = drawOrder(wallet, engines[i % engines.length] as CoinEngine, i, random, nextOid, timestamp);
    entries.push(...lifeOf(order, status, random));
  }
  for (const entry of entries.sort((a, b) => a.time - b.time)) wallet.history.add(entry);
}

function drawOrder(
  account: Wallet,
  market: CoinEngine,
  index: number,
  random: Random,
  nextOid: () => number,
  timestamp: number,
): Order {
  const orderType = ORDER_TYPES[Math.floor(index / 3) % ORDER_TYPES.length] as KnownOrderType;
  const side = drawSide(random);
  const px = market.scale.snap(Math.floor((market.mark * random.between(960, 1_040)) / 1_000), 'down');
  const isTrigger = /^(?:Stop|Take Profit) /.test(orderType);
  const fields: OrderFields = {
    market,
    oid: nextOid(),
    account,
    side,
    px,
    lots: drawLots(random, px, 9) * 10 ** (market.scale.decimals - PERP_DECIMALS),
    timestamp,
    tif: isTrigger ? null : tifOf(orderType, random),
    orderType,
    reduceOnly: isTrigger || random.chance(1, 10),
    isPositionTpsl: isTrigger && random.chance(1, 4),
    cloid: random.chance(1, 2) ? drawCloid(random) : null,
    trigger: isTrigger ? { px, when: random.chance(1, 2) ? 'above' : 'below' } : null,
    fired: false,
    priority: false,
  };
  const order = new Order(fields);
  order.state = 'gone';
  if (orderType === 'Limit' && random.chance(1, 3)) order.children = drawLegs(fields, nextOid);
  return order;
}

function tifOf(orderType: KnownOrderType, random: Random): KnownTif {
  if (orderType === 'Market') return random.chance(1, 6) ? 'LiquidationMarket' : 'FrontendMarket';
  return orderType === 'Limit' ? random.pick(TIFS.slice(0, 3)) : 'Ioc';
}

/** A take-profit and a stop-loss, as legs of `parent`. */
function drawLegs(parent: OrderFields, nextOid: () => number): readonly Order[] {
  const side = otherSide(parent.side);
  const { scale } = parent.market;
  const distance = Math.max(1, Math.floor((parent.px * AWAY) / 1_000_000));
  const leg = (orderType: KnownOrderType, when: Trigger['when']) => {
    const px =
      when === 'above' ? scale.snap(parent.px + distance, 'up') : scale.snap(Math.max(parent.px - distance, 1), 'down');
    return new Order({
      ...parent,
      oid: nextOid(),
      side,
      px,
      tif: null,
      orderType,
      reduceOnly: true,
      cloid: null,
      trigger: { px, when },
    });
  };
  const upward = side === 'A';
  return [leg('Take Profit Market', upward ? 'above' : 'below'), leg('Stop Market', upward ? 'below' : 'above')];
}

/**
 * The statuses of an order, all within an hour: `open` first (unless it is left out), `triggered` if it fired, and its
 * final status.
 */
function lifeOf(order: Order, ending: KnownOrderStatus, random: Random): readonly HistoryEntry[] {
  const { origLots, timestamp } = order;
  const lots = ending === 'filled' ? 0 : origLots;
  if (isRefusal(ending)) return [{ status: ending, order, lots, time: timestamp }];
  const end = timestamp + random.int(1_800_000);
  const entries: HistoryEntry[] = [];
  if (random.chance(2, 3)) entries.push({ status: 'open', order, lots: origLots, time: timestamp });
  if (order.trigger !== null && ending === 'filled')
    entries.push({ status: 'triggered', order, lots: origLots, time: end });
  entries.push({ status: ending, order, lots, time: end });
  return entries;
}
