import type { Address } from '@l4desk/protocol';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaneResult } from '../../../book-worker/panes.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { statusLive } from '../../../book-worker/test-support/status-live.ts';
import { changeAccount } from '../../../state/account.ts';
import { useWatchRules } from '../../../state/watch-rules.ts';
import { BOOK_PAGE, onBookPage } from '../../../test-support/book-page.tsx';
import { must } from '../../../test-support/must.ts';
import { act, button, click } from '../../../test-support/render.ts';
import { renderRoute } from '../../../test-support/render-route.tsx';
import { Toasts } from '../../../ui/toast.tsx';
import { plainWallet } from '../../../wallets/wallet.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { type BookPage } from '../book-page.ts';
import { OrderPane } from '../order/order-pane.tsx';
import { QueuesPane } from '../queues/queues-pane.tsx';
import { TapePane } from '../tape/tape-pane.tsx';
import { FLOW_KINDS } from '../tape/texts.ts';
import { useTargetActions } from './action-menu.tsx';
import { openMenu, targetOf, useMenuTarget } from './menu-target.ts';
import { TargetMenu } from './target-menu.tsx';

const USER: Address = `0x${'a'.repeat(40)}`;
const LEVEL = { side: 'A', px: '101', tick: '1' } as const;

afterEach(() => {
  useWalletBook.setState(useWalletBook.getInitialState(), true);
});

/** Renders part of the book page; `answer` is the worker's result for every pane that it requests. */
async function open(part: ReactNode, page: Partial<BookPage> = {}, answer?: object) {
  const { live, posted, sendMessage } = statusLive();
  const Component = () => onBookPage(live, part, page);
  const rendered = await renderRoute(Component, '/?tape=events');
  const result = { generation: 1, height: 7, frozen: false, sizeDecimals: 1, ...answer } as unknown as PaneResult;
  const requests = posted.flatMap((message) => (message.kind === 'pane' ? [[message.request, result] as const] : []));
  await sendMessage({ kind: 'book', generation: 1, panes: Object.fromEntries(requests) });
  return rendered;
}

/** The orders that the menu would be about on each line of a list. */
const orders = (container: HTMLElement, lines: string) =>
  [...container.querySelectorAll(lines)].map((line) => targetOf(line)?.oid);

it('on a line of an order’s life the menu is about the order of the line, elsewhere about the order itself', async () => {
  const flow = Object.fromEntries(FLOW_KINDS.map((kind) => [kind, { count: 0, sz: '0' }]));
  const ahead = { atBirth: [{ oid: 2, user: USER, sz: '1' }], flow };
  const chain = [3, 5].map((oid) => ({ px: '101', sz: '1', left: null, kind: null, inferred: false, oid }));
  const unknown = { user: null, order: null, birth: null, end: null, lifetimeBlocks: null, events: [], gaps: [] };
  const life = { oid: 5, side: 'A', px: '101', cloid: '0x1', ahead, chain, ...unknown };
  const { container } = await open(<OrderPane />, { order: 5 }, { oid: 5, life, now: null, first: undefined });
  expect(orders(container, 'li')).toEqual([2, 3, 5]);
  expect(orders(container, 'h2')).toEqual([5]);
});

it('in the queues the menu is about the order and the wallet of the row', async () => {
  useWalletBook.setState({ wallets: [plainWallet(USER)] });
  const row = { oid: 8, user: USER, side: 'B', limitPx: '100', sz: '1', place: 0, orders: 3, szAhead: '0' };
  const { container } = await open(<QueuesPane />, {}, { orders: [row], total: 1, unfollowed: 0 });
  expect(targetOf(container.querySelector('tbody td') ?? container)).toEqual({ oid: 8, user: USER });
});

it('on the tape the menu is about the order of a change or a print, but of no order of a print of several', async () => {
  const at = { place: 1, height: 7, time: 0, side: 'B', px: '100', sz: '1' };
  const change = { ...at, kind: 'added', inferred: false, user: null, reason: '', refill: 0 };
  const print = { side: 'A', px: '101', from: '101', to: '101', levels: 1, orders: 2, sz: '1', taker: null };
  const rows = [
    { ...change, id: 'a', oid: 11 },
    { ...change, id: 'b', oid: 12, print },
    { ...change, id: 'c', oid: 13, print: { ...print, orders: 1 } },
  ];
  const answer = { rows, end: 1, back: { height: 1, time: 0, place: 0 }, isCut: false };
  const { container } = await open(<TapePane />, {}, answer);
  expect(orders(container, 'tbody tr')).toEqual([11, undefined, 13]);
});

it('a page that is left closes its menu', async () => {
  const { rerender } = await open(<TargetMenu />);
  await act(async () => openMenu({ x: 1, y: 1, oid: 5 }));
  expect(useMenuTarget.getState().target).toBeDefined();
  await rerender(null);
  expect(useMenuTarget.getState().target).toBeUndefined();
});

it('in a ladder’s own window the menu has nothing that opens a pane', async () => {
  function Labels() {
    const groups = useTargetActions({ x: 0, y: 0, level: LEVEL, oid: 5, measure: () => {} });
    return groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join();
  }
  const all = await open(<Labels />);
  expect(all.container.textContent).toBe('copy px,level,alert,sweep to,measure,copy oid,life');
  const alone = await open(<Labels />, { hasPanes: false });
  expect(alone.container.textContent).toBe('copy px,alert,measure,copy oid');
});

describe('the alert of a row', () => {
  const ROW = { side: 'A', px: '81310', tick: '10' } as const;

  beforeEach(() => {
    localStorage.clear();
    changeAccount('one');
    // With the account go its rules and the toasts.
    return () => act(async () => changeAccount(undefined));
  });

  function AlertItem({ level }: { readonly level: LevelRef }) {
    const groups = useTargetActions({ x: 0, y: 0, level });
    const { label, run } = must(groups.flatMap(({ actions }) => actions).find(({ id }) => id === 'alert'));
    return (
      <>
        <button type="button" onClick={run}>
          {label}
        </button>
        <Toasts />
      </>
    );
  }

  const { add, turn } = useWatchRules.getState();
  const rules = () => useWatchRules.getState().rules;
  const prices = () => rules().map(({ rule }) => ('px' in rule ? rule.px : rule.kind));

  it('is removed by the menu, with an Undo that puts the rule back at its place', async () => {
    for (const px of ['81000', '81307', '82000'] as const) add({ kind: 'price', reaches: 'above', px }, BOOK_PAGE.coin);
    await open(<AlertItem level={{ ...ROW, px: '81307', tick: '1' }} />);
    await click(button(/^Remove its alert$/));
    expect(prices()).toEqual(['81000', '82000']);
    await click(button(/^Undo$/));
    expect(prices()).toEqual(['81000', '81307', '82000']);
  });

  it.each(['A', 'B'] as const)('is any that the grouped row is marked for, on either side: %s', async (side) => {
    add({ kind: 'price', reaches: 'below', px: '81307' }, BOOK_PAGE.coin);
    add({ kind: 'price', reaches: 'above', px: '81307' }, BOOK_PAGE.coin);
    await open(<AlertItem level={{ ...ROW, side }} />);
    await click(button(/^Remove its alert$/));
    expect(rules().map(({ rule }) => rule)).toEqual([{ kind: 'price', reaches: 'below', px: '81307' }]);
    expect(button(/^Alert when/)).toBeDefined();
  });

  it('is none while its rule is turned off, which the menu turns on instead of adding another', async () => {
    add({ kind: 'price', reaches: 'above', px: '81310' }, BOOK_PAGE.coin);
    turn(must(rules()[0]).id, false);
    await open(<AlertItem level={ROW} />);
    await click(button(/^Alert when the mid rises to it$/));
    expect(rules().map(({ isOn }) => isOn)).toEqual([true]);
    expect(button(/^Remove its alert$/)).toBeDefined();
  });
});
