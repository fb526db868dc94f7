import { expect, it } from 'vitest';
import { sharedInfoRig } from './test-support/info-rig.ts';

const rig = sharedInfoRig();

const ask = () => rig.ask({ type: 'maxMarketOrderNtls' });

it('[NTL-1, NTL-2, NTL-3, INFO-24] keeps the exchange’s bytes if the buckets are in order', async () => {
  const text = '[[50,"15000000.0"], [25,"3000000.00"],[5,"250000"]]';
  rig.respond('maxMarketOrderNtls', { status: 200, text });
  expect((await ask()).text).toBe(text);
  expect(rig.asked('maxMarketOrderNtls')).toEqual([{ type: 'maxMarketOrderNtls' }]);
  expect(rig.meter.last).toEqual({ operation: 'maxMarketOrderNtls', credits: 1, outcome: 'charged' });
});

it('[NTL-3] sorts buckets that are out of order, and keeps their text', async () => {
  rig.respond('maxMarketOrderNtls', { status: 200, text: '[[5,"250000.00"],[50,"1.0"],[25,"2"]]' });
  expect((await ask()).text).toBe('[[50,"1.0"],[25,"2"],[5,"250000.00"]]');
});

it.each([[[['5', '1.0']]], [[5]], [{}]])('[NTL-2, UP-1] is upstream_error for %j', async (json) => {
  rig.respond('maxMarketOrderNtls', { json });
  expect(rig.errorOf(await ask()).error).toBe('upstream_error');
});
