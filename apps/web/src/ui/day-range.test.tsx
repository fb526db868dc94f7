import { expect, it, vi } from 'vitest';
import { must } from '../test-support/must.ts';
import { click, only, render } from '../test-support/render.ts';
import { DayRangeField } from './day-range.tsx';

it('takes days up to the year 9999, or to the last day there is, and no end before the start', async () => {
  const onChange = vi.fn<() => void>();
  const range = (max?: string) => (
    <DayRangeField
      name="Placed"
      value={{ from: '2026-05-04', to: '2026-05-06' }}
      onChange={onChange}
      {...(max && { max })}
    />
  );
  const { rerender } = await render(range());
  await click(only(document.body, 'button'));
  const bounds = () => [...document.querySelectorAll('input')].map(({ min, max }) => [min, max]);
  expect(bounds()).toEqual([
    ['', '9999-12-31'],
    ['2026-05-04', '9999-12-31'],
  ]);
  await rerender(range('2026-05-07'));
  expect(bounds().map(([, max]) => max)).toEqual(['2026-05-07', '2026-05-07']);
  await click(must([...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Apply')));
  expect(onChange).toHaveBeenCalledWith({ from: '2026-05-04', to: '2026-05-06' });
});
