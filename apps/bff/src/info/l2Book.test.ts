import type { FakeFeed } from '@l4desk/testkit/service';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InfoRig, startInfoRig } from './test-support/info-rig.ts';

const OF_EXCHANGE = { coin: 'BTC', time: 1, levels: [[], []] };

let feed: FakeFeed;
let rig: InfoRig;

beforeEach(async () => {
  rig = await startInfoRig();
  ({ feed } = rig.service);
  rig.respond('l2Book', { json: OF_EXCHANGE });
});

afterEach(() => rig[Symbol.asyncDispose]());

const ask = async (fields: object = {}) => rig.ask({ type: 'l2Book', coin: 'BTC', ...fields });

const keyOf = (fields: object = {}) =>
  JSON.stringify({ channel: 'l2Book', coin: 'BTC', nSigFigs: null, mantissa: null, levels: 20, ...fields });

test('[CHAN-9] returns the exchange’s response if the book is not live', async () => {
  expect((await ask()).json()).toEqual(OF_EXCHANGE);
  expect(rig.asked('l2Book')).toEqual([{ type: 'l2Book', coin: 'BTC' }]);
  expect(feed.views.size).toBe(0);
});

test('[CHAN-9] returns a live book byte for byte as the channel sends it, for the same credit', async () => {
  feed.makeLive('BTC');
  const text = '{"coin":"BTC","time":7,"levels":[[{"px":"81000.0","sz":"2.5","n":3}],[]]}';
  const first = ask({ nSigFigs: 2, mantissa: null });
  await expect.poll(() => feed.views.has(keyOf({ nSigFigs: 2 }))).toBe(true);
  feed.show(keyOf({ nSigFigs: 2 }), text);
  expect((await first).text).toBe(text);
  expect(rig.meter.last).toEqual({ operation: 'l2Book', credits: 1, outcome: 'charged' });
  const later = text.replace('2.5', '3.5');
  feed.show(keyOf({ nSigFigs: 2 }), later);
  expect((await ask({ nSigFigs: 2 })).text).toBe(later);
  expect(rig.asked('l2Book')).toEqual([]);
  feed.live.delete('BTC');
  expect((await ask({ nSigFigs: 2 })).json()).toEqual(OF_EXCHANGE);
});

test('[CHAN-9] queries the exchange for parameters that the channel does not support, or if no view arrives', async () => {
  feed.makeLive('BTC');
  for (const fields of [{ nSigFigs: 9 }, { nSigFigs: 3, mantissa: 2 }]) await ask(fields);
  expect(feed.views.size).toBe(0);
  expect((await ask()).json()).toEqual(OF_EXCHANGE);
  expect(rig.asked('l2Book')).toHaveLength(3);
});
