import { once } from 'node:events';
import { InfoClient, WebSocketRequestError, WebSocketTransport } from '@nktkas/hyperliquid';
import { Hyperliquid } from 'hyperliquid';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Served } from './support/served.ts';
import { traderOf } from './support/wallets.ts';

// As in the guide of the SDKs.
Object.assign(globalThis, { WebSocket });

let served: Served;
let transport: WebSocketTransport;

interface Batch {
  readonly Updates: { readonly block_height: number; readonly book_diffs: readonly { readonly coin: string }[] };
}

/** The socket of the SDK `hyperliquid`. */
interface SdkSocket {
  connect(): Promise<void>;
}

/**
 * Collects batches, and steps the market until each coin has had an entry. A coin's first entry comes some blocks after the
 * acknowledgement, once its book is ready.
 */
function collector() {
  const batches: Batch[] = [];
  const listener = (event: CustomEvent<Batch>) => {
    batches.push(event.detail);
  };
  const coins = async (...wanted: readonly string[]) => {
    const seen = () => new Set(batches.flatMap(({ Updates }) => Updates.book_diffs.map(({ coin }) => coin)));
    while (!wanted.every((coin) => seen().has(coin))) await served.stack.venue.step(1);
    return [...seen()].toSorted();
  };
  return { batches, listener, coins };
}

/** Declares the tests. Call it inside a describe block; `opened` returns the service once it is started. */
export function streamSuite(opened: () => Served): void {
  beforeAll(() => {
    served = opened();
  });
  beforeEach(async () => {
    transport = new WebSocketTransport({
      url: `${served.streamUrl}?key=${served.apiKey}`,
      // The test has its own time limits.
      timeout: null,
    });
    await transport.ready();
  });
  afterEach(() => transport.close());

  describe('queries on the socket', () => {
    it('[WS-50, WS-51, INFO-3] of @nktkas/hyperliquid, unmodified, are served, many at a time and beside a subscription', async () => {
      const user = await traderOf(served.stack.venue);
      const info = new InfoClient({ transport });
      const { coins, listener } = collector();
      await transport.subscribe('l4BookUpdates', { type: 'l4BookUpdates', coin: 'BTC' }, listener);
      const all = await Promise.all([
        info.openOrders({ user }),
        info.historicalOrders({ user }),
        info.spotClearinghouseState({ user }),
        ...Array.from({ length: 17 }, () => info.meta()),
      ]);
      expect(all[0]).toEqual(expect.arrayContaining([expect.objectContaining({ oid: expect.any(Number) })]));
      expect(all.slice(3).every((meta) => 'universe' in meta)).toBe(true);
      const refused = await info.fundingHistory({ coin: 'NOPE', startTime: 0 }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(WebSocketRequestError);
      expect(await coins('BTC')).toEqual(['BTC']);
    });

    it('[WS-50, INFO-3] of hyperliquid (npm), unmodified, are served, and an action is its own error', async () => {
      const sdk = new Hyperliquid({ enableWs: true, disableAssetMapRefresh: true });
      // The SDK has no option for an address.
      const client = (sdk as unknown as { readonly ws: SdkSocket }).ws;
      Object.assign(client, {
        url: `${served.streamUrl}?key=${served.apiKey}`,
        WebSocketImpl: WebSocket,
        maxReconnectAttempts: 0,
      });
      try {
        await client.connect();
        const { subscriptions } = sdk;
        expect(await subscriptions.postRequest('info', { type: 'meta' })).toMatchObject({
          type: 'meta',
          data: { universe: expect.any(Array) },
        });
        await expect(subscriptions.postRequest('action', { action: {} })).rejects.toThrow('serves queries only');
        await expect(subscriptions.postRequest('info', { type: 'openOrders', user: 'x' })).rejects.toThrow('user');
      } finally {
        sdk.disconnect();
      }
    });
  });

  describe('the public TypeScript SDK, unmodified', () => {
    it('[WS-28, INFO-3, WS-7, L4-9] subscribes to one coin, receives its blocks, and unsubscribes', async () => {
      const { batches, listener, coins } = collector();
      const subscription = await transport.subscribe('l4BookUpdates', { type: 'l4BookUpdates', coin: 'BTC' }, listener);
      expect(await coins('BTC')).toEqual(['BTC']);
      const height = await served.stack.venue.step(1);
      await subscription.unsubscribe();
      const heard = batches.length;
      await served.stack.venue.step(5);
      // The response to a second subscription comes after everything that was in flight.
      const other = await transport.subscribe('l4BookUpdates', { type: 'l4BookUpdates', coin: 'ETH' }, () => {});
      await other.unsubscribe();
      expect(batches.slice(heard).every(({ Updates }) => Updates.block_height <= height)).toBe(true);
      expect(subscription.failureSignal.aborted).toBe(false);
    });

    it('[WS-30, INFO-3] subscribes again to 250 channels at once after it lost its connection', async () => {
      const subscriptions = async () => {
        const metrics = await (await fetch(`${served.stack.url}/metrics`)).text();
        return /^l4desk_stream_subscriptions (\d+)$/m.exec(metrics)?.[1];
      };
      await Promise.all(
        Array.from({ length: 250 }, (_, n) =>
          transport.subscribe(`l2Book ${n}`, { type: 'l2Book', coin: 'BTC', nLevels: n + 1 }, () => {}),
        ),
      );
      const lost = once(transport.socket, 'close');
      transport.socket.close(1000, 'lost', false);
      await lost;
      await transport.ready();
      await expect.poll(subscriptions).toBe('250');
    });

    it.each([
      ['an unknown coin', { type: 'l4BookUpdates', coin: 'NOPE' }, /^Invalid subscription .*NOPE/],
      ['a spot coin', { type: 'l4BookUpdates', coin: '@107' }, /^Invalid subscription .*@107/],
      ['an empty array', { type: 'l4BookUpdates', coin: [] }, /^Invalid subscription/],
    ])('[WS-15, WS-17] rejects its call for %s, because it finds the error by the body', async (_, body, message) => {
      const call = transport.subscribe('l4BookUpdates', body, () => {});
      await expect(call).rejects.toThrow(WebSocketRequestError);
      await expect(call).rejects.toThrow(message);
    });
  });
}
