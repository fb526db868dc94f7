import { expect, it } from 'vitest';
import { render } from '../test-support/render.ts';
import { numberWidth, useLargest } from './number-width.ts';

function Largest({ of, value }: { readonly of: number | undefined; readonly value: number }) {
  return <span>{useLargest(of, value)}</span>;
}

it('keeps the largest number while it belongs to the same book, and starts again with another one', async () => {
  const { container, rerender } = await render(<Largest of={1} value={8} />);
  const seen = [container.textContent];
  for (const [of, value] of [
    [1, 12],
    [1, 7],
    [undefined, 0],
    [2, 7],
    [2, 9],
    [2, 5],
  ] as const) {
    await rerender(<Largest of={of} value={value} />);
    seen.push(container.textContent);
  }
  expect(seen).toEqual(['8', '12', '12', '0', '7', '9', '9']);
});

it('has room for every digit and the padding, and the least width', () => {
  expect(numberWidth(12, 72)).toBe(103);
  expect(numberWidth(2, 72)).toBe(72);
  expect(numberWidth(12, 0, 8)).toBe(95);
});
