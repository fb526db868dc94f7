import { Agent } from 'node:http';
import { StreamProbe, until } from '@l4desk/testkit';
import { SubscriptionClient, WebSocketTransport } from '@nktkas/hyperliquid';
import { pro } from 'ccxt';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Served } from './support/served.ts';

let served: Served;

interface Level {
  readonly px: string;
  readonly sz: string;
  readonly n: number;
}

/** The exchange's own book of BTC, with orders summed by price, up to this many levels a side. */
async function truth(levels: number): Promise<readonly Level[][]> {
  const book = await served.stack.venue.book('BTC');
  return book.levels.map((orders) => {
    const sums = new Map<string, { lots: number; n: number }>();
    for (const { limitPx, sz } of orders) {
      const sum = sums.get(limitPx) ?? { lots: 0, n: 0 };
      sums.set(limitPx, { lots: sum.lots + Math.round(Number(sz) * 1e8), n: sum.n + 1 });
    }
    return [...sums].slice(0, levels).map(([px, { lots, n }]) => ({ px, sz: String(lots / 1e8), n }));
  });
}

/** Decimals as numbers, to compare different ways of printing them. */
const values = (sides: readonly (readonly Level[])[]) =>
  sides.map((levels) => levels.map(({ px, sz, n }) => [Number(px), Number(sz), n]));

/** Declares the tests. Call it inside a describe block; `opened` returns the service once it is started. */
export function channelsSuite(opened: () => Served): void {
  beforeAll(() => {
    served = opened();
  });

  describe('@nktkas/hyperliquid, unmodified', () => {
    it('[INFO-3] reads l2Book and bbo, which match the exchange’s orders', async () => {
      const transport = new WebSocketTransport({
        url: `${served.streamUrl}?key=${served.apiKey}`,
        // The test has its own time limits.
        timeout: null,
        reconnect: { WebSocket: WebSocket as unknown as typeof globalThis.WebSocket },
      });
      const client = new SubscriptionClient({ transport });
      let book: { readonly levels: readonly Level[][] } | undefined;
      let best: readonly (Level | null)[] | undefined;
      await client.l2Book({ coin: 'BTC' }, (event) => {
        book = event;
      });
      const subscription = await client.bbo({ coin: 'BTC' }, (event) => {
        best = event.bbo;
      });
      for (let count = 0; count < 10; count += 1) {
        await served.stack.venue.step(1);
        const levels = values(await truth(20));
        await expect.poll(() => book && values(book.levels)).toEqual(levels);
        await expect.poll(() => best?.map((level) => level?.px)).toEqual(book?.levels.map(([level]) => level?.px));
      }
      await subscription.unsubscribe();
      await transport.close();
    });
  });

  describe('a quiet coin', () => {
    it('[CHAN-30, CHAN-31] has its present state sent at subscribe after POST /info, in the shape that POST /info returns', async () => {
      const ask = async (fields: object) => {
        const headers = { Authorization: `Bearer ${served.apiKey}`, 'Content-Type': 'application/json' };
        const body = JSON.stringify({ type: 'l2Book', coin: 'SOL', ...fields });
        return (await (await fetch(served.infoUrl, { method: 'POST', headers, body })).json()) as object;
      };
      const groupings = [{}, { nSigFigs: 4 }, { nSigFigs: 5, mantissa: 5 }];
      // Nobody follows the coin yet, so these are of the exchange.
      const theirs = await Promise.all(groupings.map(ask));
      await using holder = await StreamProbe.open(`${served.streamUrl}?key=${served.apiKey}`);
      holder.say({ method: 'subscribe', subscription: { type: 'bbo', coin: 'SOL' } });
      await holder.next(({ channel }) => channel === 'bbo');
      for (const [place, fields] of groupings.entries()) {
        const posted = await ask(fields);
        await using probe = await StreamProbe.open(`${served.streamUrl}?key=${served.apiKey}`);
        probe.say({ method: 'subscribe', subscription: { type: 'l2Book', coin: 'SOL', ...fields } });
        expect((await probe.next()).channel).toBe('subscriptionResponse');
        expect((await probe.next()).data).toEqual(posted);
        expect(posted).toEqual({ ...theirs[place], time: expect.any(Number) });
      }
    });
  });

  describe('ccxt, unmodified', () => {
    it('[INFO-3] watches an order book', async () => {
      const { url } = served.stack;
      const exchange = new pro.hyperliquid({
        urls: { api: { public: url, private: url, ws: { public: `${served.streamUrl}?key=${served.apiKey}` } } },
        headers: { Authorization: `Bearer ${served.apiKey}` },
        timeout: 300_000,
        agent: new Agent(),
      });
      const watched = { isOver: false };
      const watching = exchange.watchOrderBook('BTC/USDC:USDC').finally(() => {
        watched.isOver = true;
      });
      try {
        await until('the book comes', async () => {
          await served.stack.venue.step(1);
          return watched.isOver;
        });
        const book = await watching;
        expect(book.bids).toHaveLength(20);
        expect(Number(book.bids[0]?.[0])).toBeLessThan(Number(book.asks[0]?.[0]));
      } finally {
        await exchange.close();
      }
    });
  });
}
