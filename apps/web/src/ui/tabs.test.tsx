import { expect, it, vi } from 'vitest';
import { only, press, render } from '../test-support/render.ts';
import { Tabs } from './tabs.tsx';

const OPTIONS = ['one', 'two', 'three', 'four'].map((value) => ({ value, text: value }));

const tabs = (value: string, onChange: (value: string) => void) => (
  <Tabs name="Numbers" value={value} options={OPTIONS} onChange={onChange}>
    <p>panel</p>
  </Tabs>
);

it('[WEB-14] arrow keys that come before the page has followed each move one tab further', async () => {
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

it('[WEB-14] where the list itself has the focus, an arrow key goes on from the open tab', async () => {
  const onChange = vi.fn<(value: string) => void>();
  const { container } = await render(tabs('three', onChange));
  await press(only(container, '[role=tablist]'), 'ArrowLeft');
  expect(onChange).toHaveBeenLastCalledWith('two');
});

it('[WEB-14] the open tab is whole in its list, which alone is scrolled', async () => {
  const left: Readonly<Record<string, number>> = { one: 0, two: 60, three: 120, four: 180 };
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const tab = this.getAttribute('data-tab');
    return tab === null ? new DOMRect(0, 0, 150, 24) : new DOMRect(left[tab], 0, 60, 24);
  });
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  const { container } = await render(tabs('three', () => {}));
  // Its right edge, and the room of the sign that there are more.
  expect(only(container, '[role=tablist]').scrollLeft).toBe(180 + 24 - 150);
  expect(scrolled).not.toHaveBeenCalled();
});
