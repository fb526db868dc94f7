import { act, useEffect } from 'react';
import { expect, it, vi } from 'vitest';
import { must } from '../test-support/must.ts';
import { render } from '../test-support/render.ts';
import { Live } from './live.ts';
import { LiveProvider } from './live-context.tsx';
import type { PanesFrame } from './panes.ts';
import { type SlowFrames, useSlowList } from './use-slow-pane.ts';

const ASK = { withinBps: '10' } as const;
const OTHER = { withinBps: '25' } as const;

it('[WEB-146] with another limit a slow pane keeps its request and what it shows; another request starts anew', async () => {
  const live = new Live(() => {
    throw new Error('no worker is needed');
  }, 'simulated');
  const wanted = vi.spyOn(live, 'wantPane');
  const response = { owners: { serial: 1 } } as PanesFrame;
  const slowPanes = vi.spyOn(live, 'slowPanes').mockReturnValue({});
  const opened: SlowFrames[] = [];
  function Pane({ ask, limit }: { readonly ask: typeof ASK | typeof OTHER; readonly limit: number }) {
    const frames = useSlowList('owners', ask, limit);
    useEffect(() => {
      opened.push(frames);
    }, [frames]);
    return null;
  }
  const show = (ask: typeof ASK | typeof OTHER, limit: number) => (
    <LiveProvider value={live}>
      <Pane ask={ask} limit={limit} />
    </LiveProvider>
  );
  const shown = () => must(opened.at(-1), 'frames').read();
  const { rerender } = await render(show(ASK, 16));
  expect(wanted.mock.calls).toEqual([['owners', { withinBps: '10', limit: 16, serial: 1 }]]);
  expect(shown()).toBeUndefined();
  slowPanes.mockReturnValue({ owners: response });
  expect(shown()).toBe(response);

  wanted.mockClear();
  await act(async () => rerender(show(ASK, 100)));
  expect(wanted.mock.calls).toEqual([['owners', { withinBps: '10', limit: 100, serial: 1 }]]);
  expect(shown()).toBe(response);

  wanted.mockClear();
  await act(async () => rerender(show(OTHER, 100)));
  expect(wanted.mock.calls).toEqual([
    ['owners', undefined],
    ['owners', { withinBps: '25', limit: 100, serial: 2 }],
  ]);
  expect(shown()).toBeUndefined();

  wanted.mockClear();
  await act(async () => rerender(<LiveProvider value={live}>{null}</LiveProvider>));
  expect(wanted.mock.calls).toEqual([['owners', undefined]]);
});
