import { HttpRequestError, HttpTransport, InfoClient, WebSocketTransport } from '@nktkas/hyperliquid';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Served } from './support/served.ts';
import { traderOf } from './support/wallets.ts';

// As in the guide of the SDKs.
Object.assign(globalThis, { WebSocket });

let served: Served;
let user: `0x${string}`;

/** The SDK's own client, with the key in the header that its options allow. */
function client(key: string): InfoClient {
  const fetchOptions = { headers: { Authorization: `Bearer ${key}` } };
  // The test has its own time limits.
  return new InfoClient({ transport: new HttpTransport({ apiUrl: served.stack.url, fetchOptions, timeout: null }) });
}

/** Declares the tests. Call it inside a describe block; `opened` returns the service once it is started. */
export function nktkasSuite(opened: () => Served): void {
  beforeAll(async () => {
    served = opened();
    user = await traderOf(served.stack.venue);
  });

  describe('@nktkas/hyperliquid over HTTP, unmodified', () => {
    it('[INFO-3, INFO-24, OPEN-3, HIST-6, FUND-8, NTL-2, BATCH-10] sends the queries it sends to the public exchange, and finds what it expects', async () => {
      const info = client(served.apiKey);
      const open = await info.openOrders({ user });
      expect(open.length).toBeGreaterThan(0);
      expect(open[0]).toMatchObject({
        oid: expect.any(Number),
        limitPx: expect.any(String),
        origSz: expect.any(String),
      });
      const history = await info.historicalOrders({ user });
      expect(history[0]).toMatchObject({
        status: expect.any(String),
        order: { oid: expect.any(Number), children: expect.any(Array) },
      });
      const funding = await info.fundingHistory({ coin: 'BTC', startTime: Date.now() - 40 * 86_400_000 });
      expect(funding.length).toBeGreaterThan(100);
      expect((await info.spotClearinghouseState({ user })).balances).toBeInstanceOf(Array);
      const [largest] = await info.maxMarketOrderNtls();
      expect(largest).toEqual([expect.any(Number), expect.any(String)]);
      expect((await info.meta()).universe.map(({ name }) => name)).toContain('BTC');
    });

    it('[INFO-3, AUTH-4, FUND-10] reports an unknown key and an unknown coin as its own errors, with the status', async () => {
      const refused = [
        [401, () => client('l4k_nobody').meta()],
        [400, () => client(served.apiKey).fundingHistory({ coin: 'NOPE', startTime: 0 })],
      ] as const;
      for (const [status, call] of refused) {
        const error: unknown = await call().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(HttpRequestError);
        expect(error).toMatchObject({ response: { status } });
      }
    });
  });

  describe('@nktkas/hyperliquid over WebSocket, unmodified', () => {
    it('[INFO-3, AUTH-4] opens no connection with an unknown key, and its requests fail', async () => {
      const transport = new WebSocketTransport({
        url: `${served.streamUrl}?key=l4k_nobody`,
        reconnect: { maxRetries: 0 },
      });
      await expect(transport.ready()).rejects.toThrow();
      await transport.close().catch(() => {});
    });
  });
}
