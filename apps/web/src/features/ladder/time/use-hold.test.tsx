import { expect, it, vi } from 'vitest';
import type { LiveStatus } from '../../../book-worker/messages.ts';
import { liveStatus } from '../../../book-worker/test-support/live-status.ts';
import { statusLive } from '../../../book-worker/test-support/status-live.ts';
import { LiveProvider } from '../../../book-worker/use-book.ts';
import { act, only, render } from '../../../test-support/render.ts';
import { HoldButton, useHold } from './hold-button.tsx';

const NOW = Date.UTC(2026, 4, 5, 17, 39, 12);
const END = { height: 7, time: NOW };
const RECORDED: Partial<LiveStatus> = {
  recorded: { name: 'btc.l4rec', coin: 'BTC', source: 'a test', from: END, to: END, gaps: [], isCut: false },
};

interface Shown {
  readonly paused: boolean;
  readonly playing: boolean;
}

function Held({ shown, onPlay }: { readonly shown: Shown; readonly onPlay: () => void }) {
  return <HoldButton hold={useHold(shown, onPlay)} />;
}

const LIVE = {};

it.each([
  ['a live book is paused', LIVE, { paused: false, playing: false }, ['Pause', undefined], { paused: true }],
  ['a held one resumes', LIVE, { paused: true, playing: false }, ['Resume', 'true'], { paused: false }],
  ['kept blocks that are played stop', LIVE, { paused: true, playing: true }, ['Pause', undefined], 'plays or stops'],
  ['a recording is played', RECORDED, { paused: true, playing: false }, ['Play', 'true'], 'plays or stops'],
  ['and stops', RECORDED, { paused: true, playing: true }, ['Pause', undefined], 'plays or stops'],
] as const)('with P %s', async (_, status, shown, [text, on], does) => {
  const { live, posted, send } = statusLive();
  const onPlay = vi.fn<() => void>();
  const { container } = await render(
    <LiveProvider value={live}>
      <Held shown={shown} onPlay={onPlay} />
    </LiveProvider>,
  );
  await send(liveStatus(NOW, status));
  const button = only(container, 'button');
  // Its name says what it does next: as a pressed button it would say the opposite.
  expect([button.textContent, button.dataset.on, button.getAttribute('aria-pressed')]).toEqual([text, on, null]);
  posted.length = 0;
  await act(async () => button.click());
  expect(posted).toEqual(does === 'plays or stops' ? [] : [{ kind: 'pause', ...does }]);
  expect(onPlay.mock.calls.length).toBe(does === 'plays or stops' ? 1 : 0);
});
