import { expect, it, vi } from 'vitest';
import { act, render } from '../test-support/render.ts';
import { NARROW, useMedia, WIDE } from './use-media.ts';

it('asks the browser once for a query, however often the component renders, and follows its changes', async () => {
  const media = new Map<string, EventTarget & { matches: boolean }>();
  const asked = vi.fn<(query: string) => object>((query) => {
    const list = Object.assign(new EventTarget(), { matches: false });
    media.set(query, list);
    return list;
  });
  vi.stubGlobal('matchMedia', asked);
  function Sample({ query }: { readonly query: string }) {
    return String(useMedia(query));
  }
  const { container, rerender } = await render(<Sample query={NARROW} />);
  await rerender(<Sample query={NARROW} />);
  expect(container.textContent).toBe('false');
  await act(async () => {
    const list = media.get(NARROW);
    if (list !== undefined) list.matches = true;
    list?.dispatchEvent(new Event('change'));
  });
  expect(container.textContent).toBe('true');
  expect(asked.mock.calls).toEqual([[NARROW]]);
  await rerender(<Sample query={WIDE} />);
  expect(container.textContent).toBe('false');
  expect(asked.mock.calls).toEqual([[NARROW], [WIDE]]);
});
