import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { liveStatus } from '../../book-worker/test-support/live-status.ts';
import { statusLive } from '../../book-worker/test-support/status-live.ts';
import { LiveProvider } from '../../book-worker/use-book.ts';
import { useActionKeys } from '../../hooks/actions.ts';
import { changeAccount } from '../../state/account.ts';
import { ticker } from '../../state/ticker.ts';
import { BOOK_PAGE } from '../../test-support/book-page.tsx';
import { must } from '../../test-support/must.ts';
import { press, render } from '../../test-support/render.ts';
import { Toasts } from '../../ui/toast.tsx';
import { usePoppedPaneActions } from './ladder-actions.ts';
import { PANES } from './panes.tsx';

const NOW = Date.UTC(2026, 10, 22, 13);
const HOLD = { text: 'Pause', title: '', isHeld: false, run: () => {} } as const;
const PANE = must(PANES.find(({ key }) => key === 'tape'));

// Toasts of other tests disappear with their account.
beforeEach(() => {
  changeAccount('acc_toasts');
  changeAccount(undefined);
});

function Keys() {
  useActionKeys();
  usePoppedPaneActions(PANE, BOOK_PAGE, HOLD);
  return null;
}

it('V verifies the live book, and says why it does not while a recording is shown', async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  // The time of the page's clock, which stands still as long as nobody reads it.
  onTestFinished(ticker.subscribe(() => {}));
  const { live, posted, send } = statusLive();
  const { container } = await render(
    <LiveProvider value={live}>
      <Keys />
      <Toasts />
    </LiveProvider>,
  );
  const asked = () => posted.filter(({ kind }) => kind === 'verify').length;
  await send(liveStatus(NOW));
  await press(document.body, 'v');
  expect(asked()).toBe(1);
  expect(container.textContent).toBe('');
  const at = { height: 7, time: NOW };
  const recorded = { name: 'BTC.l4rec', coin: 'BTC', source: 'a page', from: at, to: at, gaps: [], isCut: false };
  await send(liveStatus(NOW, { recorded }));
  await press(document.body, 'v');
  await press(document.body, 'v');
  expect(asked()).toBe(1);
  expect(container.textContent).toBe('Not verified: a recording is shown; the live book is not followed meanwhile.');
});
