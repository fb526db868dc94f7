import { expect, it, vi } from 'vitest';
import { only, press, render, type } from '../test-support/render.ts';
import { SearchField } from './text-field.tsx';

it('a search field reports what is typed once typing pauses or at Enter, once, and follows the address', async () => {
  const onChange = vi.fn<(text: string) => void>();
  const field = (value: string) => <SearchField name="Search" value={value} onChange={onChange} />;
  const { container, rerender } = await render(field(''));
  const input = only(container, 'input') as HTMLInputElement;
  await type(input, '41');
  await type(input, '412');
  expect(onChange).not.toHaveBeenCalled();
  await expect.poll(() => onChange.mock.calls).toEqual([['412']]);
  await press(input, 'Enter');
  await type(input, '4123');
  await press(input, 'Enter');
  expect(onChange.mock.calls).toEqual([['412'], ['4123']]);
  await rerender(field('99'));
  expect(input.value).toBe('99');
});
