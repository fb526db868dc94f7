import { expect, it, vi } from 'vitest';
import { only, press, render } from '../test-support/render.ts';
import { Tabs } from './tabs.tsx';

const OPTIONS = ['one', 'two', 'three', 'four'].map((value) => ({ value, text: value }));

const tabs = (value: string, onChange: (value: string) => void) => (
  <Tabs name="Numbers" value={value} options={OPTIONS} onChange={onChange}>
    <p>panel</p>
  </Tabs>
);

it('moves one tab further per arrow key, also when keys are faster than the page', async () => {
  const onChange = vi.fn<(value: string) => void>();
  const { container, rerender } = await render(tabs('one', onChange));
  only(container, '[data-tab=one]').focus();
  const pressFocused = async (key: string) => press(document.activeElement ?? container, key);
  await pressFocused('ArrowRight');
  await pressFocused('ArrowRight');
  expect(onChange.mock.calls).toEqual([['two'], ['three']]);
  expect(document.activeElement).toBe(only(container, '[data-tab=three]'));
  await rerender(tabs('two', onChange));
  await pressFocused('ArrowRight');
  await pressFocused('ArrowRight');
  await pressFocused('ArrowLeft');
  expect(onChange.mock.calls.slice(2)).toEqual([['four'], ['one'], ['four']]);
});

it('moves on from the open tab when the list itself has the focus', async () => {
  const onChange = vi.fn<(value: string) => void>();
  const { container } = await render(tabs('three', onChange));
  await press(only(container, '[role=tablist]'), 'ArrowLeft');
  expect(onChange).toHaveBeenLastCalledWith('two');
});
