import { expect, it, vi } from 'vitest';
import { Live } from '../../../book-worker/live.ts';
import { LiveProvider } from '../../../book-worker/live-context.tsx';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { render } from '../../../test-support/render.ts';
import { useExtraLives } from './use-extra-lives.ts';

it('[WEB-101] the other books of a page share its turns: a block of any of them fills a frame', async () => {
  vi.stubGlobal('Worker', FakeWorker);
  const own = new Live(() => new FakeWorker(), 'simulated');
  let lives: ReadonlyMap<string, Live> = new Map();
  function Books() {
    lives = useExtraLives(['ETH', 'SOL']);
    return null;
  }
  await render(
    <LiveProvider value={own}>
      <Books />
    </LiveProvider>,
  );
  expect([...lives].map(([coin, { turns }]) => [coin, turns === own.turns])).toEqual([
    ['ETH', true],
    ['SOL', true],
  ]);
});
