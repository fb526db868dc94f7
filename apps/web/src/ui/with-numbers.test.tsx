import { expect, it } from 'vitest';
import { render } from '../test-support/render.ts';
import { WithNumbers } from './with-numbers.tsx';

it.each([
  ['3,850 orders resting, 10 triggers waiting · 2 of 43 wallets', ['3,850', '10', '2', '43']],
  ['1 h interval, about 8,760 a year; no gaps', ['1', '8,760']],
  ['partly filled, then canceled (> 99.9 %)', ['99.9 %']],
  ['on 2026-11-30, up to 2026-11-24 02:00:00 UTC.', ['2026-11-30', '2026-11-24', '02:00:00']],
  ['±100 bps', ['100']],
  ['@107, l4Book, 2x, 0x5e and 2.x: names', []],
])('%s: sets these in the number font: %j', async (text, numbers) => {
  const { container } = await render(<WithNumbers text={text} />);
  expect(container.textContent).toBe(text);
  expect([...container.querySelectorAll('.num')].map((number) => number.textContent)).toEqual(numbers);
});
