import type { Address } from '@l4desk/protocol';
import type { Order } from './order.ts';
import { OrderHistory } from './order-history.ts';

export interface AccountFields {
  readonly address: Address;
  readonly buyingPower: number;
  /** Entries of its order history that are kept. */
  readonly historyMax?: number;
}

/** What the exchange gives of a wallet's history at most, and so the most that is worth keeping. */
export const HISTORY_MAX = 2_000;

/** Who places orders. The engine knows an account by its address, holds it to its limits, and keeps what it has open and had. */
export class Account {
  readonly address: Address;
  /** The largest notional of one perp order that is not reduce-only, in millionths of a dollar. */
  readonly buyingPower: number;
  /** Orders resting or waiting for a trigger, over all coins, in order of entry. */
  readonly open = new Set<Order>();
  readonly history: OrderHistory;

  constructor({ address, buyingPower, historyMax = HISTORY_MAX }: AccountFields) {
    this.address = address;
    this.buyingPower = buyingPower;
    this.history = new OrderHistory(historyMax);
  }
}
