import { type Address, coinDex, coinMarket } from '@l4desk/protocol';
import type { Order } from '../engine/order.ts';

/** A wallet as `GET /wallets` lists it: its identity, and what the info API currently shows of it. */
export interface WalletEntry {
  readonly address: Address;
  readonly name: string;
  readonly role: string;
  /** Resting orders of all coins; then how many of them are on spot and on each builder dex. */
  readonly openOrders: number;
  readonly spotOrders: number;
  readonly dexOrders: Readonly<Record<string, number>>;
  /** Waiting triggers, including legs of other orders. */
  readonly triggers: number;
  /** Open orders that have legs. */
  readonly withChildren: number;
  /** Entries of its order history. */
  readonly history: number;
}

/** Counts a wallet's open orders. */
export function countOrders(orders: Iterable<Pick<Order, 'trigger' | 'children' | 'market'>>) {
  let openOrders = 0;
  let spotOrders = 0;
  let triggers = 0;
  let withChildren = 0;
  const dexOrders: Record<string, number> = {};
  for (const { trigger, children, market } of orders) {
    if (trigger !== null) {
      triggers += 1;
      continue;
    }
    openOrders += 1;
    if (children.length > 0) withChildren += 1;
    const dex = coinDex(market.name);
    if (dex !== '') dexOrders[dex] = (dexOrders[dex] ?? 0) + 1;
    else if (coinMarket(market.name) === 'spot') spotOrders += 1;
  }
  return { openOrders, spotOrders, dexOrders, triggers, withChildren };
}
