import { Hyperliquid } from 'hyperliquid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Served } from './support/served.ts';
import { traderOf } from './support/wallets.ts';

let served: Served;
let user: string;
const connected: Hyperliquid[] = [];

/** The axios instance of a part of the SDK. */
interface AxiosHolder {
  readonly httpApi: {
    readonly client: { readonly defaults: { baseURL: string; headers: { common: Record<string, string> } } };
  };
}

/** The SDK has no option for an address or a header, so both are set on its axios instances. */
function sdkWith(key: string): Hyperliquid {
  const sdk = new Hyperliquid({ enableWs: false, disableAssetMapRefresh: true });
  connected.push(sdk);
  for (const part of [sdk.info, sdk.symbolConversion] as unknown as readonly AxiosHolder[]) {
    part.httpApi.client.defaults.baseURL = served.stack.url;
    part.httpApi.client.defaults.headers.common.Authorization = `Bearer ${key}`;
  }
  return sdk;
}

/** Declares the tests. Call it inside a describe block; `opened` returns the service once it is started. */
export function hyperliquidSuite(opened: () => Served): void {
  beforeAll(async () => {
    served = opened();
    user = await traderOf(served.stack.venue);
  });
  afterAll(() => {
    for (const sdk of connected) sdk.disconnect();
  });

  describe('hyperliquid (npm), unmodified', () => {
    it('[INFO-3, INFO-24, OPEN-3, HIST-6, FUND-8, BATCH-10] sends the queries it sends to the public exchange, and finds what it expects', async () => {
      const { info } = sdkWith(served.apiKey);
      const open = await info.getUserOpenOrders(user);
      expect(open.length).toBeGreaterThan(0);
      expect(open[0]).toMatchObject({ coin: expect.stringMatching(/-(?:PERP|SPOT)$/), limitPx: expect.any(Number) });
      const history = await info.getHistoricalOrders(user);
      expect(history.length).toBeGreaterThan(0);
      const since = Date.now() - 40 * 86_400_000;
      const funding = await info.perpetuals.getFundingHistory('BTC-PERP', since);
      expect(funding.length).toBeGreaterThan(100);
      const { balances } = await info.spot.getSpotClearinghouseState(user);
      expect(balances).toBeInstanceOf(Array);
      const { universe } = await info.perpetuals.getMeta();
      expect(universe.map(({ name }) => name)).toContain('BTC-PERP');
    });

    it('[INFO-3, INFO-4, AUTH-4, FUND-10] throws an error of its own for an unknown key and an unknown coin', async () => {
      await expect(sdkWith('l4k_nobody').info.getAllMids(true)).rejects.toMatchObject({
        code: 401,
        message: 'The key is unknown.',
      });
      const coin = sdkWith(served.apiKey).info.perpetuals.getFundingHistory('NOPE-PERP', 0);
      await expect(coin).rejects.toMatchObject({ code: 400, message: expect.stringContaining('The exchange has no') });
    });
  });
}
