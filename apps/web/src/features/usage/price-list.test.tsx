import { INFO_KINDS } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { render } from '../../test-support/render.ts';
import { PriceList } from './usage-page.tsx';

it('[WEB-17] lists every operation, and says that a batch is charged even if every wallet in it failed', async () => {
  const { container } = await render(<PriceList />);
  const named = [...container.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(named.toSorted()).toEqual([...Object.keys(INFO_KINDS), 'l4BookUpdates'].toSorted());
  expect(container.textContent).toContain('A completed batch is charged even if every wallet in it failed.');
  expect(container.textContent).not.toContain('Failed and refused calls');
});
