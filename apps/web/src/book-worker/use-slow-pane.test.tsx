import { expect, it, vi } from 'vitest';
import { act, render } from '../test-support/render.ts';
import { Live } from './live.ts';
import type { PanesFrame } from './panes.ts';
import { LiveProvider } from './use-book.ts';
import { useSlowQueues } from './use-slow-pane.ts';

const ASK = { limit: 10 } as const;
const OTHER = { limit: 20 } as const;

it('with another chosen order a pane keeps its request and what it shows; another request starts anew', async () => {
  const live = new Live(() => {
    throw new Error('no worker is needed');
  }, 'simulated');
  const wanted = vi.spyOn(live, 'wantPane');
  const response = { height: 7, queues: { serial: 1 } } as PanesFrame;
  const none = live.book();
  const book = vi.spyOn(live, 'book').mockReturnValue(none);
  function Pane({ ask, chosen }: { readonly ask: typeof ASK | typeof OTHER; readonly chosen: number | null }) {
    return useSlowQueues(ask, chosen)?.height;
  }
  const show = (ask: typeof ASK | typeof OTHER, chosen: number | null) => (
    <LiveProvider value={live}>
      <Pane ask={ask} chosen={chosen} />
    </LiveProvider>
  );
  const { container, rerender } = await render(show(ASK, null));
  expect(wanted.mock.calls).toEqual([['queues', { limit: 10, chosen: null, serial: 1 }]]);
  expect(container.textContent).toBe('');
  book.mockReturnValue({ ...none, slow: { queues: response } });
  await act(async () => rerender(show(ASK, null)));
  expect(container.textContent).toBe('7');

  wanted.mockClear();
  await act(async () => rerender(show(ASK, 5)));
  expect(wanted.mock.calls).toEqual([['queues', { limit: 10, chosen: 5, serial: 1 }]]);
  expect(container.textContent).toBe('7');

  wanted.mockClear();
  await act(async () => rerender(show(OTHER, 5)));
  expect(wanted.mock.calls).toEqual([
    ['queues', undefined],
    ['queues', { limit: 20, chosen: 5, serial: 2 }],
  ]);

  wanted.mockClear();
  await act(async () => rerender(<LiveProvider value={live}>{null}</LiveProvider>));
  expect(wanted.mock.calls).toEqual([['queues', undefined]]);
});
