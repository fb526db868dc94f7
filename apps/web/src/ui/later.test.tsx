import { expect, it, vi } from 'vitest';
import { act, render } from '../test-support/render.ts';
import { Toasts } from '../ui/toast.tsx';
import { later } from './later.tsx';

const page = () => document.body.textContent ?? '';

it('offers to reload the page if the service responds, but no longer has the part', async () => {
  const { Part } = later<{ readonly onClose: () => void }>(async () => Promise.reject(new TypeError('404')));
  vi.stubGlobal('fetch', async () => Response.json({}));
  const onClose = vi.fn<() => void>();
  const { rerender } = await render(<Part onClose={onClose} />);
  await rerender(<Toasts />);
  await expect.poll(page).toContain('no longer has this part of the page');
  expect(onClose).toHaveBeenCalledOnce();
  expect(page()).toContain('Reload');
});

it('closes a part that fails to load, with a message, and loads it when it is opened again', async () => {
  let isThere = false;
  const load = vi.fn<() => Promise<() => string>>(async () => {
    if (!isThere) throw new TypeError('Failed to fetch dynamically imported module');
    return () => 'the part';
  });
  const onClose = vi.fn<() => void>();
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  const { Part, ahead } = later<{ readonly onClose: () => void }>(load);
  ahead();
  await expect.poll(() => load.mock.results[0]?.type).toBe('return');
  const { rerender } = await render(<Part onClose={onClose} />);
  expect(onClose).toHaveBeenCalledOnce();
  await rerender(<Toasts />);
  await expect.poll(page).toContain('the service is not responding');

  isThere = true;
  await rerender(<Part onClose={onClose} />);
  await expect.poll(page).toContain('the part');
  await act(async () => rerender(<Part key="again" onClose={onClose} />));
  expect(load).toHaveBeenCalledTimes(3);
  expect(onClose).toHaveBeenCalledOnce();
});
