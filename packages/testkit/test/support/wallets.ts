import type { VenueControl } from '@l4desk/testkit/stack';

/** Returns a wallet of the simulated exchange with resting orders and a history, as its control port lists them. */
export async function traderOf(venue: VenueControl): Promise<`0x${string}`> {
  const trader = (await venue.wallets()).find(({ openOrders, history }) => openOrders > 0 && history > 0);
  if (trader === undefined) throw new Error('no wallet of the exchange has open orders and a history');
  return trader.address;
}
