import type { BookViewQuery } from '@l4desk/protocol';
import { beforeAll, expect, test } from 'vitest';
import { sharedInfoRig } from './test-support/info-rig.ts';

const OF_EXCHANGE = { coin: 'BTC', time: 1, levels: [[], []] };

const rig = sharedInfoRig();

beforeAll(() => rig.respond('l2Book', { json: OF_EXCHANGE }));

const ask = async (fields: object = {}) => rig.ask({ type: 'l2Book', coin: 'BTC', ...fields });

const VIEW: BookViewQuery = { channel: 'l2Book', coin: 'BTC', nSigFigs: 2, mantissa: null, levels: 20 };

test('returns the exchange’s response if the book is not live', async () => {
  expect((await ask()).json()).toEqual(OF_EXCHANGE);
  expect(rig.asked('l2Book')).toEqual([{ type: 'l2Book', coin: 'BTC' }]);
});

test('returns a live book byte for byte as the channel sends it, for the same credit', async () => {
  const { feed } = rig.service;
  feed.makeLive('BTC');
  const shown = (sz: string) => ({ coin: 'BTC', time: 7, levels: [[{ px: '81000.0', sz, n: 3 }], []] });
  feed.show(VIEW, shown('2.5'));
  expect((await ask({ nSigFigs: 2, mantissa: null })).text).toBe(JSON.stringify(shown('2.5')));
  expect(rig.meter.last).toEqual({ operation: 'l2Book', credits: 1, outcome: 'charged' });
  feed.show(VIEW, shown('3.5'));
  expect((await ask({ nSigFigs: 2 })).text).toBe(JSON.stringify(shown('3.5')));
  expect(rig.asked('l2Book')).toEqual([]);
  feed.live.delete('BTC');
  expect((await ask({ nSigFigs: 2 })).json()).toEqual(OF_EXCHANGE);
});

test('queries the exchange for parameters that the channel does not support, or if there is no view of it', async () => {
  rig.service.feed.makeLive('BTC');
  for (const fields of [{ nSigFigs: 9 }, { nSigFigs: 3, mantissa: 2 }]) await ask(fields);
  expect((await ask()).json()).toEqual(OF_EXCHANGE);
  expect(rig.asked('l2Book')).toHaveLength(3);
});
