import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLayouts } from './layouts.ts';

const good = { name: 'mine', search: { coin: 'BTC' } };

it('an entry that cannot be read takes no other saved view or layout with it', () => {
  const grid = { order: ['a'], hidden: [] };
  const kept = {
    grids: { orders: grid, balances: { order: 5 } },
    views: { orders: [good, { name: '' }, 7], balances: 'x', funding: [good] },
  };
  expect(readLayouts(kept)).toEqual({
    grids: { orders: grid },
    views: { orders: [good], balances: [], funding: [good] },
  });
});

it('whatever lies in the storage is read', () => {
  fc.assert(
    fc.property(fc.anything(), (kept) => {
      expect(readLayouts(kept)).toMatchObject({ grids: expect.any(Object), views: expect.any(Object) });
    }),
  );
});
