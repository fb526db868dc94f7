import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { Live } from '../../../book-worker/live.ts';
import { LiveProvider } from '../../../book-worker/live-context.tsx';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { render } from '../../../test-support/render.ts';
import type { LadderChoices } from '../search.ts';
import { useTimeTravel } from './use-time-travel.ts';

const HELD = { frozen: true, height: 3 } as PanesFrame;
const CURRENT = { frozen: false, height: 9 } as PanesFrame;

function Travel({ change }: { readonly change: (next: LadderChoices) => void }) {
  useTimeTravel({ a: 1, b: 5, loop: '1' }, change, () => {});
  return null;
}

it.each([
  ['the live book', [CURRENT, HELD, CURRENT], 1],
  ['a recording, after which nothing is shown for a moment', [HELD, undefined, CURRENT], 1],
  ['a book that was never held', [undefined, CURRENT], 0],
] as const)('[WEB-61] a loop ends with the return to live from %s', async (_, frames, ends) => {
  const live = new Live(() => {
    throw new Error('no worker is needed');
  }, 'simulated');
  const change = vi.fn<(next: LadderChoices) => void>();
  await render(
    <LiveProvider value={live}>
      <Travel change={change} />
    </LiveProvider>,
  );
  for (const frame of frames) {
    expect(change).not.toHaveBeenCalled();
    await act(async () => live.showPanes(frame));
  }
  expect(change.mock.calls).toEqual(Array.from({ length: ends }, () => [{ loop: undefined }]));
});
