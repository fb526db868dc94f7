import { afterAll, beforeAll, describe } from 'vitest';
import { ccxtSuite } from './sdk-ccxt.spec.ts';
import { hyperliquidSuite } from './sdk-hyperliquid.spec.ts';
import { nktkasSuite } from './sdk-nktkas.spec.ts';
import { streamSuite } from './sdk-stream.spec.ts';
import { Served } from './support/served.ts';

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served[Symbol.asyncDispose]());

// One service for all suites, because none depends on what another one does.
describe.each([
  ['queries with ccxt', ccxtSuite],
  ['queries with hyperliquid', hyperliquidSuite],
  ['queries with @nktkas/hyperliquid', nktkasSuite],
  ['the stream', streamSuite],
] as const)('%s', (_name, declare) => {
  declare(() => served);
});
