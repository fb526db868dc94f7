import { expect, it } from 'vitest';
import type { WatchedPlace } from '../../../book-worker/panes/queues.ts';
import { type PaneResults, paneRequest } from '../../../book-worker/panes.ts';
import { statusLive } from '../../../book-worker/test-support/status-live.ts';
import { onBookPage } from '../../../test-support/book-page.tsx';
import { click, only, render } from '../../../test-support/render.ts';
import { plainWallet } from '../../../wallets/wallet.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { QueuesPane } from './queues-pane.tsx';

const USER = '0x0000000000000000000000000000000000000001';
const BLOCK = { generation: 1, height: 7, frozen: false, sizeDecimals: 2 };
const place = (oid: number): WatchedPlace => ({
  oid,
  user: USER,
  side: 'B',
  limitPx: '100',
  sz: '1',
  ordersAhead: oid,
  szAhead: '1',
  levelOrders: 99,
  levelSz: '9',
});

it('shows the place of a chosen order from the list until there is a result for it, also after another one', async () => {
  useWalletBook.setState({ wallets: [plainWallet(USER)] });
  const { live, sendMessage } = statusLive();
  const send = (panes: PaneResults) => sendMessage({ kind: 'book', generation: 1, panes });
  const { container } = await render(onBookPage(live, <QueuesPane />));
  const orders = [place(11), place(12)];
  await send({ [paneRequest('queues', { limit: 100 })]: { ...BLOCK, orders, total: 2, unfollowed: 0 } });
  const choose = (oid: number) => click(only(container, `[data-row][data-oid="${oid}"]`));
  const panel = () => only(container, '[data-part=queue-life]');
  await choose(11);
  expect(panel().textContent).toBe('1112 of 99');
  expect(panel().dataset.gone).toBe('false');
  await send({ [paneRequest('queue', { oid: 11 })]: { ...BLOCK, order: { ...place(11), life: null }, left: null } });
  expect(panel().textContent).toContain('is known of the live book');
  await choose(12);
  expect(panel().textContent).toBe('1213 of 99');
});
