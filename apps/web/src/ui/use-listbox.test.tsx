import { expect, it, onTestFinished, vi } from 'vitest';
import { must } from '../test-support/must.ts';
import { only, press, render } from '../test-support/render.ts';
import { useListbox } from './use-listbox.ts';

const OPTIONS = Array.from({ length: 25 }, (_, at) => `option ${at}`);

interface SampleProps {
  readonly options: readonly string[];
}

function Sample({ options }: SampleProps) {
  const listbox = useListbox({ options, keyOf: String, onPress: () => {} });
  return (
    <>
      <input {...listbox.input} aria-label="Search" />
      <ul {...listbox.list}>
        {options.map((text, at) => (
          <li key={text} {...listbox.option(at)}>
            {text}
          </li>
        ))}
      </ul>
    </>
  );
}

async function open(props: SampleProps) {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  onTestFinished(() => scroll.mockRestore());
  const { container, rerender } = await render(<Sample {...props} />);
  const input = only(container, 'input');
  const active = () => document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent;
  return {
    active,
    key: async (name: string) => {
      await press(input, name);
      return active();
    },
    scrolledTo: () => must(scroll.mock.contexts.at(-1) as Element | undefined, 'scrolled').textContent,
    show: (options: readonly string[]) => rerender(<Sample {...props} options={options} />),
  };
}

it('the keys move through the options, by ten for a page, and keep the active one in sight', async () => {
  const { active, key, scrolledTo } = await open({ options: OPTIONS });
  expect(active()).toBe('option 0');
  expect(await key('ArrowUp')).toBe('option 0');
  expect(await key('PageDown')).toBe('option 10');
  expect(scrolledTo()).toBe('option 10');
  expect(await key('ArrowDown')).toBe('option 11');
  expect(scrolledTo()).toBe('option 11');
  expect(await key('PageUp')).toBe('option 1');
  await key('PageDown');
  await key('PageDown');
  expect(await key('PageDown')).toBe('option 24');
  expect(await key('ArrowDown')).toBe('option 24');
});

it('the active option stays active while others come and go, and the first one follows it', async () => {
  const { active, key, show } = await open({ options: ['a', 'b', 'c'] });
  await key('ArrowDown');
  await show(['x', 'a', 'b']);
  expect(active()).toBe('b');
  await show(['x', 'a']);
  expect(active()).toBe('x');
  await show([]);
  expect(active()).toBeUndefined();
  expect(await key('ArrowDown')).toBeUndefined();
});
