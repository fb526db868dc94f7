import { expect, it } from 'vitest';
import { render } from '../../test-support/render.ts';
import { StatisticsPanel } from './statistics-panel.tsx';
import { entry, rowsOf } from './test-support/orders.ts';

/** The panel for this many filled orders. */
function panelOf(count: number) {
  const rows = rowsOf(Array.from({ length: count }, (_, oid) => entry('filled', { oid, sz: '0.0' })));
  return <StatisticsPanel rows={rows} noneText="None." coinText={String} />;
}

it('counts the orders in view, and again when others are in view', async () => {
  const { container, rerender } = await render(panelOf(0));
  expect(container.textContent).toBe('None.');
  await rerender(panelOf(3));
  expect(container.querySelector('p')?.textContent).toMatch(/^3 orders/);
  await rerender(panelOf(5));
  expect(container.querySelector('p')?.textContent).toMatch(/^5 orders/);
  expect(container.querySelector('[aria-busy=true]')).toBeNull();
});
