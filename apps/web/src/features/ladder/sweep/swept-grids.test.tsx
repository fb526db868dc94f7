import type { DecimalString } from '@l4desk/protocol';
import { expect, it, vi } from 'vitest';
import type { SweptOrder } from '../../../book-worker/panes/sweep.ts';
import { render } from '../../../test-support/render.ts';
import { SweptOrders } from './swept-grids.tsx';

const order = (oid: number, px: DecimalString): SweptOrder => ({ oid, user: null, px, sz: '1', taken: '1' });

it('aligns the prices of the orders on their decimal points, without a digit more than printed', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
  const orders = [order(1, '100'), order(2, '100.5'), order(3, '102.25')];
  await render(<SweptOrders orders={orders} sizeDecimals={0} />);
  const prices = [...document.querySelectorAll('[data-row] [data-column=px]')].map(({ textContent }) => textContent);
  expect(prices).toEqual(['100\u00A0\u00A0\u00A0', '100.5\u00A0', '102.25']);
});
