import type { Address, DecimalString } from '@l4desk/protocol';
import { describe, expectTypeOf, it } from 'vitest';
import type { InfoResponse } from '../index.ts';
import type { InfoParameters } from './parameters.ts';

describe('the parameters of a query', () => {
  it('are its request without the type', () => {
    expectTypeOf<InfoParameters<'openOrders'>>().not.toHaveProperty('type');
    expectTypeOf<{ user: Address }>().toExtend<InfoParameters<'openOrders'>>();
    expectTypeOf<{ user: Address; dex: null }>().toExtend<InfoParameters<'openOrders'>>();
    expectTypeOf<{ user: string }>().not.toExtend<InfoParameters<'openOrders'>>();
    expectTypeOf<{ dex: string }>().not.toExtend<InfoParameters<'openOrders'>>();
  });

  it('keep their names if a kind takes other fields as well', () => {
    expectTypeOf<InfoParameters<'l2Book'>['coin']>().toEqualTypeOf<string>();
    expectTypeOf<{ coin: string; nSigFigs: number }>().toExtend<InfoParameters<'l2Book'>>();
    expectTypeOf<{ nSigFigs: number }>().not.toExtend<InfoParameters<'l2Book'>>();
  });
});

it('[DEC-2] amounts in responses are decimal strings', () => {
  expectTypeOf<InfoResponse<'fundingHistory'>[number]['fundingRate']>().toEqualTypeOf<DecimalString>();
  expectTypeOf<InfoResponse<'maxMarketOrderNtls'>[number]>().toEqualTypeOf<[number, DecimalString]>();
});
