import { expect, it } from 'vitest';
import { render } from '../test-support/render.ts';
import { AgeText } from './page/states.tsx';

it.each([
  [1_000, '1 s', '1'],
  [61_000, '1 m', '1'],
  [3_660_000, '1 h 01 m', '1'],
  [100 * 86_400_000, '100 d 00 h', '100'],
])('shows an age of %d ms as %s and reserves space only before its first number', async (ms, text, padded) => {
  const { container } = await render(<AgeText ms={ms} />);
  expect(container.textContent).toBe(text);
  expect(container.querySelector('.text-right')?.textContent).toBe(padded);
});
