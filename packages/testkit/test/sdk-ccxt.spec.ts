import { Agent } from 'node:http';
import { ExchangeError, hyperliquid } from 'ccxt';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Served } from './support/served.ts';
import { traderOf } from './support/wallets.ts';

let served: Served;
let user: string;
/** With the markets that it loaded once. */
let ours: hyperliquid;

/** The exchange class, with the address and the key in its documented options. */
function exchange(key: string): hyperliquid {
  const { url } = served.stack;
  return new hyperliquid({
    urls: { api: { public: url, private: url } },
    headers: { Authorization: `Bearer ${key}` },
    walletAddress: user,
    // The test has its own time limits.
    timeout: 300_000,
    // Its own agent only supports TLS. Behind an https proxy this line is not needed.
    agent: new Agent(),
  });
}

/** Declares the tests. Call it inside a describe block; `opened` returns the service once it is started. */
export function ccxtSuite(opened: () => Served): void {
  beforeAll(async () => {
    served = opened();
    user = await traderOf(served.stack.venue);
    ours = exchange(served.apiKey);
  });

  describe('ccxt, unmodified', () => {
    it('[INFO-3, INFO-24, INFO-25] loads the markets of the exchange', async () => {
      const markets = await ours.loadMarkets();
      expect(markets).toMatchObject({ 'BTC/USDC:USDC': { swap: true }, 'PURR/USDC': { spot: true } });
    });

    it('[INFO-3, OPEN-3, HIST-6] reads open orders and the history of orders', async () => {
      const open = await ours.fetchOpenOrders();
      expect(open.length).toBeGreaterThan(0);
      expect(open[0]).toMatchObject({
        status: 'open',
        side: expect.stringMatching(/buy|sell/),
        price: expect.any(Number),
        amount: expect.any(Number),
        timestamp: expect.any(Number),
        id: expect.stringMatching(/^\d+$/),
      });
      const plain = await ours.fetchOpenOrders(undefined, undefined, undefined, { method: 'openOrders' });
      expect(plain.length).toBeGreaterThan(0);
      const history = await ours.fetchOrders();
      expect(history.length).toBeGreaterThanOrEqual(open.length);
      expect(history[0]).toMatchObject({ id: expect.any(String), symbol: expect.any(String) });
    });

    it('[INFO-3, FUND-8] reads the history of funding', async () => {
      const since = Date.now() - 40 * 86_400_000;
      const funding = await ours.fetchFundingRateHistory('BTC/USDC:USDC', since);
      expect(funding.length).toBeGreaterThan(0);
      expect(funding[0]).toMatchObject({ symbol: 'BTC/USDC:USDC', fundingRate: expect.any(Number) });
    });

    it('[INFO-3, BATCH-10] reads spot balances', async () => {
      const balance = await ours.fetchBalance({ type: 'spot' });
      expect(balance).toMatchObject({ info: { balances: expect.any(Array) } });
    });

    it('[INFO-3, NTL-2] queries kinds it has no method for', async () => {
      const buckets = await ours.publicPostInfo({ type: 'maxMarketOrderNtls' });
      expect(buckets[0]).toEqual([expect.anything(), expect.any(String)]);
    });

    it('[INFO-3, INFO-4, AUTH-4, FUND-10] throws an error of its own for an unknown key and an unknown coin', async () => {
      const nobody = exchange('l4k_nobody').fetchOpenOrders();
      await expect(nobody).rejects.toThrow(ExchangeError);
      await expect(nobody).rejects.toThrow(/unauthorized/);
      const coin = ours.publicPostInfo({ type: 'fundingHistory', coin: 'NOPE', startTime: 0 });
      await expect(coin).rejects.toThrow(/unknown_coin/);
    });
  });
}
