import { afterAll, beforeAll, expect, it } from 'vitest';
import { type InfoRig, startInfoRig } from './test-support/info-rig.ts';

let desk: InfoRig;

beforeAll(async () => {
  desk = await startInfoRig();
});

afterAll(() => desk[Symbol.asyncDispose]());

const ask = () => desk.ask({ type: 'maxMarketOrderNtls' });

it('[NTL-1, NTL-2, NTL-3, INFO-24] buckets in their order keep the exchange’s bytes', async () => {
  const text = '[[50,"15000000.0"], [25,"3000000.00"],[5,"250000"]]';
  desk.respond('maxMarketOrderNtls', { status: 200, text });
  expect((await ask()).text).toBe(text);
  expect(desk.asked('maxMarketOrderNtls')).toEqual([{ type: 'maxMarketOrderNtls' }]);
  expect(desk.meter.last).toEqual({ operation: 'maxMarketOrderNtls', credits: 1, outcome: 'charged' });
});

it('[NTL-3] buckets in another order are put in it, their texts untouched', async () => {
  desk.respond('maxMarketOrderNtls', { status: 200, text: '[[5,"250000.00"],[50,"1.0"],[25,"2"]]' });
  expect((await ask()).text).toBe('[[50,"1.0"],[25,"2"],[5,"250000.00"]]');
});

it.each([[[[5, 250_000]]], [[['5', '1.0']]], [[[5]]], [{}]])('[NTL-2, UP-1] %j is upstream_error', async (json) => {
  desk.respond('maxMarketOrderNtls', { json });
  expect(desk.errorOf(await ask()).error).toBe('upstream_error');
});
