import { parseUnits } from '@l4desk/decimal';
import type { Address, FullOrder, L4Order, Side } from '@l4desk/protocol';
import type { CaptureSource } from '../capture/capture-source.ts';
import { CoinScale } from '../engine/scale.ts';
import type { ListedCoin } from '../feed/source.ts';
import { HOUR_MS } from '../market/funding.ts';
import { NO_PERP_ACCOUNT } from '../wallets/perp-accounts.ts';
import type { DepthLevel, Exchange, FundingHours, MarketView } from './exchange.ts';
import { countOrders, type WalletEntry } from './wallet-list.ts';

/** The exchange as a capture's books show it: coins, prices and the open orders of their owners. Everything else is empty. */
export class CaptureExchange implements Exchange {
  readonly delisted = [];
  readonly spotPairs = [];
  readonly spotTokens = [];
  readonly #source: CaptureSource;

  constructor(source: CaptureSource) {
    this.#source = source;
  }

  get time(): number {
    return this.#source.time;
  }

  get coins(): readonly ListedCoin[] {
    return this.#source.coins;
  }

  market(name: string): MarketView | null {
    const listed = this.coins.find((coin) => coin.name === name);
    if (listed === undefined) return null;
    const scale = new CoinScale(listed.szDecimals);
    const depth = (side: Side) => this.#depth(name, side, scale);
    const [bid] = depth('B');
    const [ask] = depth('A');
    const mark = bid === undefined || ask === undefined ? ((bid ?? ask)?.px ?? 0) : Math.floor((bid.px + ask.px) / 2);
    return { name, scale, mark, prevDayPx: mark, volume: { lots: 0, notional: 0 }, openInterest: 0, depth };
  }

  openOrders(user: Address): readonly FullOrder[] {
    return this.#source
      .ordersOf(user)
      .map(toFullOrder)
      .sort((a, b) => (b.timestamp ?? 0) - (a.timestamp ?? 0) || b.oid - a.oid);
  }

  history() {
    return [];
  }

  fills() {
    return [];
  }

  findOrder(user: Address, id: number | string) {
    const order = this.openOrders(user).find(({ oid, cloid }) => (typeof id === 'number' ? oid === id : cloid === id));
    return order === undefined ? null : { order, status: 'open', statusTimestamp: order.timestamp };
  }

  spotBalances() {
    return [];
  }

  masterOf() {
    return null;
  }

  availableAfterMaintenance() {
    return null;
  }

  perpAccount() {
    return NO_PERP_ACCOUNT;
  }

  /** A capture contains no funding, so every listed coin has no funding hours. */
  funding(coin: string): FundingHours | null {
    return this.coins.some(({ name }) => name === coin) ? NO_FUNDING : null;
  }

  userFunding() {
    return [];
  }

  /** The owners of resting orders. */
  wallets(): readonly WalletEntry[] {
    const owned = new Map<Address, number>();
    for (const { name } of this.coins) {
      for (const side of this.#source.book(name) ?? []) {
        for (const { user } of side) if (user !== null) owned.set(user, (owned.get(user) ?? 0) + 1);
      }
    }
    return Array.from(owned, ([address, openOrders], index) => ({
      address,
      name: `owner-${index + 1}`,
      role: 'owner',
      ...countOrders([]),
      openOrders,
      history: 0,
    }));
  }

  *#depth(coin: string, side: Side, scale: CoinScale): Generator<DepthLevel> {
    for (const queue of this.#source.queues(coin, side)) {
      let lots = 0;
      for (const { sz } of queue) lots += parseUnits(sz, scale.szDecimals) ?? 0;
      const px = parseUnits(queue[0]?.limitPx ?? '', scale.pxDecimals);
      if (px !== undefined) yield { px, lots, count: queue.length };
    }
  }
}

const NO_FUNDING: FundingHours = { between: () => [], at: (hour) => ({ rate: 0, premium: 0, time: hour * HOUR_MS }) };

/** A capture contains neither the original size of an order nor its legs. */
function toFullOrder({ user: _user, isPositionTpsl, reduceOnly, orderType, tif, cloid, ...head }: L4Order): FullOrder {
  return { ...head, children: [], isPositionTpsl, reduceOnly, orderType, origSz: head.sz, tif, cloid };
}
