import { expect, it } from 'vitest';
import { kindUses } from './uses-panels.tsx';

it('sums the kinds of all keys, or of one, highest first', () => {
  const uses = [
    { apikey: 'l4k_…bot1', kind: 'openOrders', credits: 40 },
    { apikey: 'l4k_…page', kind: 'l4BookUpdates', credits: 30 },
    { apikey: 'l4k_…bot1', kind: 'l4BookUpdates', credits: 20 },
  ];
  expect(kindUses(uses, undefined)).toEqual([
    { kind: 'l4BookUpdates', credits: 50 },
    { kind: 'openOrders', credits: 40 },
  ]);
  expect(kindUses(uses, 'l4k_…bot1')).toEqual([
    { kind: 'openOrders', credits: 40 },
    { kind: 'l4BookUpdates', credits: 20 },
  ]);
  expect(kindUses(uses, 'l4k_…gone')).toEqual([]);
});
