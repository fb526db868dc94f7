import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLayouts } from './layouts.ts';

const good = { name: 'mine', search: { coin: 'BTC' } };

it('drops an unreadable entry without losing other saved views or layouts', () => {
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

it('accepts any stored value', () => {
  fc.assert(
    fc.property(fc.anything(), (kept) => {
      expect(readLayouts(kept)).toMatchObject({ grids: expect.any(Object), views: expect.any(Object) });
    }),
  );
});
