import { expect, it, vi } from 'vitest';
import { click, only, render } from '../../test-support/render.ts';
import { takesFocus } from '../pass-focus.ts';
import { Inspector, Page } from './page.tsx';

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

it.each([
  ['takes the focus from what it covers', true],
  ['does not take the focus if nothing has it', false],
])('on a narrow screen, an inspector %s', async (_, hasFocus) => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }));
  const page = (isOpen: boolean) => (
    <>
      <button type="button">Row</button>
      {isOpen && (
        <Inspector title="Row" onClose={() => {}}>
          content
        </Inspector>
      )}
    </>
  );
  const { container, rerender } = await render(page(false));
  if (hasFocus) only(container, 'button').focus();
  await rerender(page(true));
  expect(document.activeElement).toBe(hasFocus ? only(container, 'aside') : document.body);
});

it('an inspector and a notice that close pass the focus on to the page', async () => {
  const page = (isOpen: boolean) => (
    <main {...takesFocus}>
      <Page
        title="Orders"
        search={{ invalid: isOpen ? ['side=C'] : [], clean: () => {} }}
        inspector={
          isOpen && (
            <Inspector title="Row" onClose={() => {}}>
              content
            </Inspector>
          )
        }
      >
        table
      </Page>
    </main>
  );
  const { container, rerender } = await render(page(true));
  for (const name of ['Close the inspector', 'Dismiss']) {
    await rerender(page(true));
    only(container, `[aria-label="${name}"]`).focus();
    await rerender(page(false));
    expect(document.activeElement).toBe(only(container, 'main'));
  }
});

it.each([
  [['side=C'], ['uses the default'], ['selects no wallets']],
  [['w=zzz'], ['selects no wallets'], ['uses the default']],
  [['w=zzz', 'side=C'], ['uses the default', 'selects no wallets'], []],
])('of the invalid parameters %j, it says what the page does instead', async (invalid, said, unsaid) => {
  const { container } = await render(
    <Page title="Orders" search={{ invalid, clean: () => {} }}>
      table
    </Page>,
  );
  for (const text of said) expect(container.textContent).toContain(text);
  for (const text of unsaid) expect(container.textContent).not.toContain(text);
});
