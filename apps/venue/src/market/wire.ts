import type { BookDiff, L4Order, OrderStatus, RawBookDiff } from '@l4desk/protocol';
import { type EngineBlock, type EngineDiff, type EngineFill, tidOf } from '../engine/events.ts';
import type { Order } from '../engine/order.ts';
import type { CoinScale } from '../engine/scale.ts';
import type { CoinBlock, WireFill } from '../feed/source.ts';

/** An order as the exchange prints it, with `lots` lots left. */
export function toL4Order(order: Order, lots: number, withUser: boolean): L4Order {
  const { name, scale } = order.market;
  const { trigger } = order;
  return {
    user: withUser ? order.account.address : null,
    coin: name,
    side: order.side,
    limitPx: scale.price(order.px),
    sz: scale.size(lots),
    oid: order.oid,
    timestamp: order.timestamp,
    triggerCondition: trigger === null ? idleCondition(order) : `Price ${trigger.when} ${scale.plainPrice(trigger.px)}`,
    isTrigger: trigger !== null,
    triggerPx: trigger === null ? '0.0' : scale.price(trigger.px),
    isPositionTpsl: order.isPositionTpsl,
    reduceOnly: order.reduceOnly,
    orderType: order.orderType,
    tif: order.tif,
    cloid: cloidText(order.cloid),
  };
}

/** A client order id as the exchange prints it: 32 hexadecimal digits. */
export function cloidText(cloid: number | null): string | null {
  return cloid === null ? null : `0x${cloid.toString(16).padStart(32, '0')}`;
}

function idleCondition(order: Order): string {
  return order.fired ? 'Triggered' : 'N/A';
}

/** An engine block as the exchange prints it. `time` is the block's time with nanoseconds, `ms` the same in ms. */
export function toCoinBlock(block: EngineBlock, time: string, ms: number): CoinBlock {
  return {
    statuses: block.statuses.map(
      ({ status, order, lots }): OrderStatus => ({
        time,
        user: order.account.address,
        status,
        order: toL4Order(order, lots, false),
      }),
    ),
    diffs: block.diffs.map(toBookDiff),
    fills: block.fills.map((fill, index) => toWireFill(fill, index, ms)),
  };
}

function toWireFill({ maker, taker, px, lots }: EngineFill, index: number, time: number): WireFill {
  const { name, scale } = maker.market;
  const side = ({ account, oid, side: of }: Order) => ({ user: account.address, oid, side: of });
  const tid = tidOf(taker, index);
  return { coin: name, px: scale.price(px), sz: scale.size(lots), time, tid, taker: side(taker), maker: side(maker) };
}

function toBookDiff(diff: EngineDiff): BookDiff {
  const { order } = diff;
  const { name, scale } = order.market;
  return {
    user: order.account.address,
    oid: order.oid,
    side: order.side,
    px: scale.price(order.px),
    coin: name,
    raw_book_diff: toRawDiff(scale, diff),
  };
}

function toRawDiff(scale: CoinScale, diff: EngineDiff): RawBookDiff {
  switch (diff.kind) {
    case 'insert': {
      const sz = scale.size(diff.lots);
      return { new: diff.insertBefore === null ? { sz } : { sz, insertBefore: diff.insertBefore } };
    }
    case 'resize':
      return { update: { origSz: scale.size(diff.fromLots), newSz: scale.size(diff.toLots) } };
    case 'remove':
      return 'remove';
  }
}

/** A block's time as a node prints it: ISO-8601 in UTC without a zone, with nanoseconds derived from the height. */
export function nanoTime(time: number, height: number): string {
  const nanos = String((height * 7_919) % 1_000_000).padStart(6, '0');
  return `${new Date(time).toISOString().slice(0, -1)}${nanos}`;
}
