import { beforeEach, describe, expect, it, vi } from 'vitest';
import { act, only, press, render } from '../test-support/render.ts';
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

it('keeps the open tab fully visible by scrolling only the list', async () => {
  const left: Readonly<Record<string, number>> = { one: 0, two: 60, three: 120, four: 180 };
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const tab = this.getAttribute('data-tab');
    return tab === null ? new DOMRect(0, 0, 150, 24) : new DOMRect(left[tab], 0, 60, 24);
  });
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  const { container } = await render(tabs('three', () => {}));
  // The tab's right edge, plus the space of the “more” button.
  expect(only(container, '[role=tablist]').scrollLeft).toBe(180 + 24 - 150);
  expect(scrolled).not.toHaveBeenCalled();
});

describe('a tab that changes its width', () => {
  const LIST = 260;
  let widths: Record<string, number>;
  let resize: (name: string, width: number) => Promise<void>;

  const width = (tab: HTMLElement) => widths[tab.dataset.tab ?? ''] ?? 0;
  const left = (tab: HTMLElement) => {
    const before = OPTIONS.slice(
      0,
      OPTIONS.findIndex(({ value }) => value === tab.dataset.tab),
    );
    return before.reduce((sum, { value }) => sum + (widths[value] ?? 0), 0);
  };

  beforeEach(() => {
    widths = { one: 60, two: 60, three: 60, four: 60 };
    const observed = new Set<Element>();
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(callback: (entries: readonly { readonly target: Element }[]) => void) {
          resize = async (name, next) => {
            widths[name] = next;
            const tab = [...observed].find((element) => element.getAttribute('data-tab') === name);
            await act(async () => tab && callback([{ target: tab }]));
          };
        }
        observe(target: Element) {
          observed.add(target);
        }
        disconnect() {
          observed.clear();
        }
      },
    );
    vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (this: HTMLElement) {
      return left(this);
    });
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(function (this: HTMLElement) {
      return width(this);
    });
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(LIST);
    vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(() =>
      Object.values(widths).reduce((sum, each) => sum + each),
    );
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      if (this.dataset.tab === undefined) return new DOMRect(0, 0, LIST, 24);
      return new DOMRect(left(this) - (this.parentElement?.scrollLeft ?? 0), 0, width(this), 24);
    });
  });

  /** The tabs that are not drawn, and the “more” buttons that are. */
  const hidden = (container: ParentNode) => [
    ...[...container.querySelectorAll<HTMLElement>('[data-cut]')].map(({ dataset }) => dataset.tab),
    ...[...container.querySelectorAll<HTMLElement>('[data-more]')].map(({ dataset }) => dataset.more),
  ];

  it('is measured again: tabs that no longer fit are hidden, and shown again once they fit', async () => {
    const { container } = await render(tabs('two', () => {}));
    expect(hidden(container)).toEqual([]);
    await resize('three', 100);
    expect(hidden(container)).toEqual(['four', 'after']);
    await resize('three', 60);
    expect(hidden(container)).toEqual([]);
    await resize('four', 90);
    expect(hidden(container)).toEqual(['four', 'after']);
  });

  it('does not push the open tab out of view, and does not scroll back a user who has scrolled away', async () => {
    const { container } = await render(tabs('four', () => {}));
    const list = only(container, '[role=tablist]');
    await resize('one', 100);
    // The tab's right edge, plus the space of the “more” button.
    expect(list.scrollLeft).toBe(280 + 24 - LIST);
    list.scrollLeft = 0;
    await act(async () => list.dispatchEvent(new Event('scroll')));
    await resize('two', 100);
    expect(list.scrollLeft).toBe(0);
  });
});
