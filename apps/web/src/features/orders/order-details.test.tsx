import { expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { render } from '../../test-support/render.ts';
import { OrderDetails } from './order-details.tsx';
import type { OrderRow } from './order-rows.ts';
import { OrderTable } from './order-table.ts';
import { exportColumns } from './orders-controls.tsx';
import { reportedOrder } from './reported-order.ts';
import { entry, order, rowsOf } from './test-support/orders.ts';

// A spot order, which has no book to link to.
const leg = order({ coin: '@107', oid: 412_036_241_777 });
const told = [entry('open', { coin: '@107', children: [leg] }), entry('filled', { coin: '@107', sz: '0.0' }, 2_000)];
const table = new OrderTable(rowsOf(told));

const textOf = async (row: OrderRow) => {
  const details = <OrderDetails row={row} table={table} coinText={String} onOpen={() => {}} />;
  const { container } = await render(details);
  return container.textContent;
};

it('shows values that cannot be read as they were received', async () => {
  const sent = { ...order(), limitPx: 'NaN', origSz: null, timestamp: null, twapId: 5 };
  const row = must(rowsOf([{ order: reportedOrder(sent) }], 'frontendOpenOrders')[0], 'order');
  const text = await textOf(row);
  for (const shown of ['limitPxNaN', 'origSznull', 'timestampnull', 'twapId5']) expect(text).toContain(shown);
  const other = exportColumns(String, () => '').find(({ name }) => name === 'other_fields');
  expect(other && 'text' in other ? other.text(row) : undefined).toBe(
    JSON.stringify({ limitPx: 'NaN', origSz: null, timestamp: null, twapId: 5 }),
  );
});
