import { expect, it } from 'vitest';
import { click, only, render } from '../../test-support/render.ts';
import { Page } from './page.tsx';

it('folds its controls behind a button that shows their choice', async () => {
  const { container, rerender } = await render(
    <Page title="Funding" view="BTC, ETH" controls={<button type="button">7 d</button>}>
      chart
    </Page>,
  );
  const fold = only(container, '[aria-controls]');
  const controls = document.getElementById(fold.getAttribute('aria-controls') ?? '');
  expect(fold.textContent).toBe('View: BTC, ETH');
  expect(controls?.textContent).toBe('7 d');
  expect([fold.getAttribute('aria-expanded'), controls?.classList.contains('max-fold:hidden')]).toEqual([
    'false',
    true,
  ]);
  await click(fold);
  expect([fold.getAttribute('aria-expanded'), controls?.classList.contains('max-fold:hidden')]).toEqual([
    'true',
    false,
  ]);
  await rerender(
    <Page title="Limits" controls="the largest order">
      table
    </Page>,
  );
  expect(container.querySelector('[aria-controls]')).toBeNull();
});
