// @vitest-environment happy-dom
import { wallet } from '@l4desk/testkit';
import { expect, it, vi } from 'vitest';
import { noteJournal, useJournal, withJournal } from '../../../book-worker/journal-store.ts';
import { changeAccount } from '../../../state/account.ts';
import { act, render } from '../../../test-support/render.ts';
import { Toasts } from '../../../ui/toast.tsx';
import { openWindow, popHref, restoreWindows } from './windows.ts';

it('includes the coin, what the window shows and its choices in its URL, and nothing of what is beside it', () => {
  expect(popHref('xyz:GOLD', 'ladder', { tick: '10', view: 'mid', books: 'ETH', pane: 'tape', strip: '0' })).toBe(
    '/book/xyz%3AGOLD?pop=ladder&tick=10&view=mid',
  );
  expect(popHref('BTC', 'owners', { within: '25', level: 'B81307' })).toBe(
    '/book/BTC?pop=owners&within=25&level=B81307',
  );
  const owner = wallet(3);
  expect(popHref('BTC', 'tape', { tape: 'events', side: 'B', wallet: owner, least: '0.5' })).toBe(
    `/book/BTC?pop=tape&tape=events&side=B&wallet=${owner}&least=0.5`,
  );
  expect(
    popHref('BTC', 'level', {
      sort: '-sz',
      group: 'owner',
      min: '2',
      flow: '0',
      bars: 'log',
      large: '5',
      cum: '0',
    }),
  ).toBe('/book/BTC?pop=level&sort=-sz&group=owner&min=2&flow=0&bars=log&large=5&cum=0');
});

it('gives a window the journal so far, which then goes on by itself', async () => {
  changeAccount('a');
  const entry = { kind: 'recovered', at: 1, coin: 'BTC', afterMs: 900 } as const;
  noteJournal(entry);
  // A new window has a copy of the session's storage as it was when it opened.
  let copy: Record<string, string> = {};
  withJournal(() => {
    copy = Object.fromEntries(Object.entries(sessionStorage));
  });
  expect(sessionStorage).toHaveLength(0);
  const openedBy = (account: string) => {
    changeAccount(undefined);
    for (const [name, text] of Object.entries(copy)) sessionStorage.setItem(name, text);
    changeAccount(account);
    return useJournal.getState().entries;
  };
  expect(openedBy('b')).toEqual([]);
  expect(openedBy('a')).toEqual([{ ...entry, serial: 1 }]);
  noteJournal({ ...entry, at: 2 });
  expect(useJournal.getState().entries.map(({ serial }) => serial)).toEqual([1, 2]);
  changeAccount(undefined);
});

it('opens the windows of a workspace, and offers those that the browser blocks', async () => {
  const { container } = await render(<Toasts />);
  const place = { left: 10, top: 20, width: 500, height: 600 };
  const windows = ['tape', 'owners', 'ladder'].map((pop) => ({ href: `/book/BTC?pop=${pop}`, ...place }));
  const open = vi.fn<(href: string, at: object) => boolean>();
  open.mockReturnValueOnce(true).mockReturnValueOnce(false).mockReturnValueOnce(false).mockReturnValue(true);
  await act(async () => restoreWindows(windows, open));
  const offer = [...container.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Open its 2 windows',
  );
  await act(async () => offer?.click());
  expect(open.mock.calls.map(([href]) => href.slice(14))).toEqual(['tape', 'owners', 'ladder', 'owners', 'ladder']);
  expect(open.mock.calls[0]?.[1]).toMatchObject(place);
  expect(container.textContent).not.toContain('blocked');
});

it('reports a window blocked by the browser, with a retry', async () => {
  const { container } = await render(<Toasts />);
  const open = vi.fn<(href: string) => boolean>();
  open.mockReturnValueOnce(false).mockReturnValue(true);
  await act(async () => openWindow('/book/BTC?pop=ladder', open));
  expect(container.textContent).toContain('The browser blocked the window');
  const again = [...container.querySelectorAll('button')].find(({ textContent }) => textContent === 'Try again');
  await act(async () => again?.click());
  expect(open.mock.calls.map(([href]) => href)).toEqual(['/book/BTC?pop=ladder', '/book/BTC?pop=ladder']);
  expect(container.textContent).not.toContain('blocked');
});
