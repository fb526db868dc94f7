import { useEffect } from 'react';
import { expect, it, vi } from 'vitest';
import { Live } from '../../../book-worker/live.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { LiveProvider } from '../../../book-worker/use-book.ts';
import { act, render } from '../../../test-support/render.ts';
import type { LadderChoices } from '../search.ts';
import { type TimeTravel, useTimeTravel } from './use-time-travel.ts';

const HELD = { frozen: true, height: 3 } as PanesFrame;
const CURRENT = { frozen: false, height: 9 } as PanesFrame;

interface TravelProps {
  readonly loop: '1' | undefined;
  readonly change: (next: LadderChoices) => void;
  readonly onTravel: (travel: TimeTravel) => void;
}

function Travel({ loop, change, onTravel }: TravelProps) {
  const travel = useTimeTravel({ a: 1, b: 5, loop }, change, () => {});
  useEffect(() => onTravel(travel), [travel, onTravel]);
  return null;
}

async function open(loop?: '1') {
  const live = new Live(
    () => {
      throw new Error('no worker is needed');
    },
    'simulated',
    0,
  );
  const change = vi.fn<(next: LadderChoices) => void>();
  const onTravel = vi.fn<(travel: TimeTravel) => void>();
  await render(
    <LiveProvider value={live}>
      <Travel loop={loop} change={change} onTravel={onTravel} />
    </LiveProvider>,
  );
  return { live, change, onLoop: () => act(async () => onTravel.mock.lastCall?.[0].onLoop()) };
}

it.each([
  ['the live book', [CURRENT, HELD, CURRENT], 1],
  ['a recording, after which nothing is shown for a moment', [HELD, undefined, CURRENT], 1],
  ['a book that was never held', [undefined, CURRENT], 0],
] as const)('a loop ends with the return to live from %s', async (_, frames, ends) => {
  const { live, change } = await open('1');
  for (const frame of frames) {
    expect(change).not.toHaveBeenCalled();
    await act(async () => live.showPanes(frame));
  }
  expect(change.mock.calls).toEqual(Array.from({ length: ends }, () => [{ loop: undefined }]));
});

it('a return to live changes nothing in the address without a loop', async () => {
  const { live, change } = await open();
  for (const frame of [HELD, CURRENT]) await act(async () => live.showPanes(frame));
  expect(change).not.toHaveBeenCalled();
});

it('a loop begins at A, and its end leaves the shown block where it is', async () => {
  const { live, change, onLoop } = await open();
  const sent = vi.spyOn(live, 'travel').mockImplementation(() => {});
  await onLoop();
  expect(change).toHaveBeenLastCalledWith({ loop: '1' });
  expect(sent.mock.calls).toEqual([[{ kind: 'height', height: 1 }]]);
  const looping = await open('1');
  const moved = vi.spyOn(looping.live, 'travel').mockImplementation(() => {});
  await looping.onLoop();
  expect(looping.change).toHaveBeenLastCalledWith({ loop: undefined });
  expect(moved).not.toHaveBeenCalled();
});
