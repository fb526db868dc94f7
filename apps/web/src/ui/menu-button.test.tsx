import { Columns3 } from 'lucide-react';
import { expect, it } from 'vitest';
import { act, click, only, press, render } from '../test-support/render.ts';
import { MenuButton } from './menu-button.tsx';

it('opens its panel under its own name, closes it with Escape and gets the focus back', async () => {
  const { container } = await render(
    <MenuButton icon={Columns3} name="Saved views" text="Views">
      <button type="button">one</button>
    </MenuButton>,
  );
  const button = only(container, 'button[aria-label="Saved views"]');
  expect(button.textContent).toBe('Views');
  button.focus();
  await click(button);
  const panel = only(document.body, '[role=dialog][aria-label="Saved views"]');
  expect(panel.contains(document.activeElement)).toBe(true);
  await press(panel, 'Escape');
  await expect.poll(() => document.querySelector('[role=dialog]')).toBeNull();
  await expect.poll(() => document.activeElement).toBe(button);
  await click(button);
  await act(async () => dispatchEvent(new PopStateEvent('popstate')));
  await expect.poll(() => document.querySelector('[role=dialog]')).toBeNull();
});
