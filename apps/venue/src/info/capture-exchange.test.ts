import { historicalOrders } from '@l4desk/protocol';
import { clearinghouseState, l2Book, meta, metaAndAssetCtxs, upstreamOpenOrders } from '@l4desk/protocol/upstream';
import { StreamProbe, until } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenue, type Venue } from '../server.ts';
import { askInfo, infoJson } from '../test-support/info-client.ts';
import { type CaptureDirectory, generateCapture, writeCapture } from '../test-support/write-capture.ts';

const made = generateCapture({ coins: ['XRP', 'kPEPE'], blocks: 5 });

let directory: CaptureDirectory;
let venue: Venue;

beforeAll(async () => {
  directory = await writeCapture(made.files);
  venue = await startVenue({ capture: directory.path, pace: 0 });
  await venue.step(5);
});

afterAll(async () => {
  await venue[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

it('the stream of a capture refuses executions, which it does not have', async () => {
  await using client = await StreamProbe.open(venue.channelsUrl);
  client.say({ method: 'subscribe', subscription: { type: 'trades', coin: 'XRP' } });
  await until('it is refused', () => client.heard.length > 0);
  expect(client.heard.map(({ data }) => data)).toEqual(['Invalid subscription {"type":"trades","coin":"XRP"}']);
});

describe('the info API of a capture', () => {
  it('open orders of all owners together equal the books', async () => {
    const oids: number[] = [];
    for (const { address: user, openOrders } of venue.wallets()) {
      const orders = upstreamOpenOrders.parse(await infoJson(venue, { type: 'openOrders', user }));
      expect(orders.length).toBe(openOrders);
      oids.push(...orders.map(({ oid }) => oid));
    }
    const books = [...made.books.values()].flat(2);
    expect(oids.length).toBe(books.length);
    expect(new Set(oids)).toEqual(new Set(books.map(({ oid }) => oid)));
    const [first] = books;
    expect(await infoJson(venue, { type: 'orderStatus', user: first?.user, oid: first?.oid })).toMatchObject({
      status: 'order',
      order: { order: { limitPx: first?.limitPx, sz: first?.sz }, status: 'open' },
    });
  });

  it('lists the coins of the snapshot and sums their levels', async () => {
    const { universe } = meta.parse(await infoJson(venue, { type: 'meta' }));
    expect(universe.map(({ name }) => name)).toEqual(made.coins);
    const [, contexts] = metaAndAssetCtxs.parse(await infoJson(venue, { type: 'metaAndAssetCtxs' }));
    const mids = (await infoJson(venue, { type: 'allMids' })) as Record<string, string>;
    expect(contexts.map(({ midPx }) => midPx)).toEqual(made.coins.map((coin) => mids[coin]));
    const book = l2Book.parse(await infoJson(venue, { type: 'l2Book', coin: 'XRP' }));
    const [bids = []] = made.books.get('XRP') ?? [];
    const best = bids.filter(({ limitPx }) => limitPx === bids[0]?.limitPx);
    expect(book?.levels[0][0]).toMatchObject({ px: bids[0]?.limitPx, n: best.length });
  });

  it('is an empty exchange otherwise', async () => {
    const user = venue.wallets()[0]?.address;
    expect(historicalOrders.parse(await infoJson(venue, { type: 'historicalOrders', user }))).toEqual([]);
    expect(await infoJson(venue, { type: 'spotClearinghouseState', user })).toEqual({ balances: [] });
    expect(await infoJson(venue, { type: 'userFunding', user })).toEqual([]);
    expect(await infoJson(venue, { type: 'spotMeta' })).toEqual({ universe: [], tokens: [] });
    const account = clearinghouseState.parse(await infoJson(venue, { type: 'clearinghouseState', user }));
    expect(account.assetPositions).toEqual([]);
    expect(await infoJson(venue, { type: 'fundingHistory', coin: 'XRP', startTime: 0 })).toEqual([]);
    expect(await askInfo(venue, { type: 'fundingHistory', coin: 'BTC', startTime: 0 })).toMatchObject({ status: 500 });
  });
});
