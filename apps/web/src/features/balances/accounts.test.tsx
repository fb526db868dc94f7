import type { Address } from '@l4desk/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { usePreferences } from '../../state/preferences.ts';
import type { FakeService, InfoBody } from '../../test-support/fake-service.ts';
import { must } from '../../test-support/must.ts';
import { openApp, signIn } from '../../test-support/open-app.tsx';
import { act, button, click, only, unmountAll } from '../../test-support/render.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { useWalletBook } from '../../wallets/wallet-book.ts';

const W: Address = '0x00000000000000000000000000000000000000a1';
const W2: Address = '0x00000000000000000000000000000000000000b2';

let service: FakeService;
const asked = (type: string) =>
  service.calls.filter(({ body }) => typeof body === 'object' && body !== null && 'type' in body && body.type === type);
const text = () => document.body.textContent;

beforeEach(() => {
  service = signIn({ demo: false });
  usePreferences.setState({ autoLoadCredits: 100 });
});

afterEach(() => void vi.useRealTimers());

const responses =
  (more: Readonly<Record<string, unknown>>) =>
  ({ type, users = [] }: InfoBody): unknown =>
    type in more
      ? more[type]
      : type === 'batchSpotClearinghouseState'
        ? users.map((user) => ({ user, balances: [] }))
        : [];

describe('[WEB-185] an address for which every response is empty', () => {
  it.each(['/balances', '/orders', '/'])('is an agent: %s names its wallet and leads to it', async (path) => {
    service.info = responses({ userRole: { role: 'agent', data: { user: W } } });
    await openApp(`${path}?w=${W2}`);
    await expect.poll(text).toMatch(/reports nothing: it is an agent of .*0000…00a1/);
    expect(asked('userRole')).toHaveLength(1);
    await click(button('Look at that wallet'));
    await expect.poll(() => location.search).toContain(W);
    expect(location.search).not.toContain(W2);
  });

  it.each([
    [{ role: 'subAccount', data: { master: W } }, /it is a sub-account of .*0000…00a1/],
    [{ role: 'vault' }, /it is a vault\./],
    [{ role: 'missing' }, /The exchange does not know 1 address: .*0000…00b2/],
    [{ role: 'agent' }, /it is an agent\./],
  ])('is %j', async (role, expected) => {
    service.info = responses({ userRole: role });
    await openApp(`/orders?w=${W2}`);
    await expect.poll(text).toMatch(expected);
  });

  it.each([
    ['/', 'Overview'],
    ['/balances', 'Balances'],
    ['/orders', 'Orders'],
  ])('is notified of below what %s shows, which does not move', async (path, title) => {
    service.info = responses({ userRole: { role: 'missing' } });
    await openApp(`${path}?w=${W2}`);
    await expect.poll(text).toContain('The exchange does not know');
    const content = only(document.body, `main section[aria-label=${title}]`);
    const notice = must(
      [...document.querySelectorAll('main output')].find(({ textContent }) => textContent.includes('does not know')),
      'the notice',
    );
    expect(content.contains(notice)).toBe(false);
    expect(content.compareDocumentPosition(notice)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('is no more notified of once that was dismissed, until it is looked at by itself or another one is unknown', async () => {
    const notice = /The exchange does not know/;
    useWalletBook.setState({ wallets: [plainWallet(W2)], hasExamples: true });
    service.info = responses({ userRole: { role: 'missing' } });
    await openApp('/balances');
    await expect.poll(text).toMatch(notice);
    await click(button('Dismiss these addresses'));
    expect(text()).not.toMatch(notice);
    await act(async () => useWalletBook.setState({ wallets: [plainWallet(W), plainWallet(W2)] }));
    await expect.poll(text).toMatch(notice);
    await click(button('Dismiss these addresses'));
    await unmountAll();
    await openApp(`/orders?w=${W2}`);
    await expect.poll(text).toMatch(notice);
  });

  it('is looked up above the limit only by a press, with its price', async () => {
    usePreferences.setState({ autoLoadCredits: 1 });
    service.info = responses({ userRole: { role: 'vault' } });
    await openApp(`/orders?w=${W2}`);
    await expect.poll(text).toContain('1 wallet reports nothing.');
    expect(asked('userRole')).toEqual([]);
    expect(button('Load its role').textContent).toContain('1 credit');
    await click(button('Load its role'));
    await expect.poll(text).toContain('it is a vault.');
  });
});

it('roles that failed to load are loaded again by a press, with its price', async () => {
  service.info = responses({ userRole: undefined });
  await openApp(`/balances?w=${W}&group=master`);
  await expect.poll(text).toContain('The roles of 1 wallet could not be loaded');
  expect(button('Load their roles').textContent).toContain('1 credit');
  service.info = responses({ userRole: { role: 'vault' } });
  await click(button('Load their roles'));
  await expect.poll(text).not.toContain('The roles of');
  await expect.poll(() => asked('userRole')).toHaveLength(2);
});

it('a reload of the page does not pay again for the role of a wallet and the mode of its account within the hour', async () => {
  const usdc = { coin: 'USDC', token: 0, total: '1000.0', hold: '612.4', entryNtl: '0.0' };
  const state = { balances: [usdc], tokenToAvailableAfterMaintenance: [[0, '387.6']] };
  service.info = responses({
    batchSpotClearinghouseState: [
      { user: W, ...state },
      { user: W2, balances: [] },
    ],
    userRole: { role: 'vault' },
    userAbstraction: 'unifiedAccount',
  });
  for (const visit of ['first', 'second']) {
    await openApp(`/balances?w=${W},${W2}&view=value`);
    await expect.poll(text, { message: visit }).toContain('it is a vault.');
    await expect
      .poll(() => asked('batchClearinghouseState').length, { message: visit })
      .toBe(visit === 'first' ? 1 : 2);
    dispatchEvent(new Event('pagehide'));
    await unmountAll();
  }
  expect(asked('userRole')).toHaveLength(1);
  expect(asked('userAbstraction')).toHaveLength(1);
  // An account may have changed its mode.
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
  await openApp(`/balances?w=${W},${W2}&view=value`);
  await expect.poll(() => asked('userRole').length).toBe(2);
  await expect.poll(() => asked('userAbstraction').length).toBe(2);
});

it.each([
  ['unifiedAccount', /Of the hold, 612\.4 is margin of perps/, /≠/],
  ['disabled', /≠ Hold is 612\.4 more than the open orders account for/, /margin of perps:/],
])('[WEB-186] a hold without orders in an account that is %s', async (abstraction, expected, never) => {
  const usdc = { coin: 'USDC', token: 0, total: '1000.0', hold: '612.4', entryNtl: '0.0' };
  service.info = responses({
    batchSpotClearinghouseState: [{ user: W, balances: [usdc] }],
    spotMeta: { tokens: [], universe: [] },
    userAbstraction: abstraction,
  });
  await openApp(`/balances?w=${W}&open=${W}`);
  await expect.poll(text).toContain('Load open orders');
  await click(button('Load open orders'));
  await expect.poll(text).toMatch(expected);
  expect(text()).not.toMatch(never);
});
