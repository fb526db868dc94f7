import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeWorker } from '../book-worker/test-support/fake-worker.ts';
import { FakeService } from '../test-support/fake-service.ts';
import { openApp } from '../test-support/open-app.tsx';
import { unmountAll } from '../test-support/render.ts';
import { plainWallet } from '../wallets/wallet.ts';
import { useWalletBook } from '../wallets/wallet-book.ts';
import { accountStorage, changeAccount } from './account.ts';
import { useUnstored } from './browser-storage.ts';
import { usePreferences } from './preferences.ts';

const deny = () => {
  throw new DOMException('denied', 'SecurityError');
};

/** A storage that refuses every write, or every access. */
const STORAGES = {
  full: { getItem: () => null, setItem: deny, removeItem: () => undefined },
  closed: { getItem: deny, setItem: deny, removeItem: deny },
};

beforeEach(() => {
  vi.stubGlobal('Worker', FakeWorker);
  const service = new FakeService();
  service.signedIn = true;
});

afterEach(async () => {
  // The page goes first: with the real `fetch`, it would call a service that is not there.
  await unmountAll();
  vi.unstubAllGlobals();
  useUnstored.setState({ isUnstored: false });
  usePreferences.setState(usePreferences.getInitialState(), true);
});

it.each(Object.keys(STORAGES) as (keyof typeof STORAGES)[])(
  'with a storage that is %s, the page works as long as it is open, and says that it stores nothing',
  async (kind) => {
    for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, { ...STORAGES[kind], clear: () => {} });
    await openApp('/limits');
    await expect.poll(() => document.querySelector('h1')?.textContent).toBe('Limits');
    usePreferences.getState().set({ density: 'comfortable' });
    useWalletBook.getState().put([plainWallet('0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')]);
    expect(usePreferences.getState().density).toBe('comfortable');
    expect(useWalletBook.getState().wallets).toHaveLength(1);
    await expect.poll(() => document.body.textContent).toContain('changes last until this page is closed');
  },
);

it('what an older version stored stays where it is while the storage is full, and is of no account', () => {
  const stored = new Map([['l4desk.wallets', 'old']]);
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: deny,
    removeItem: (name: string) => stored.delete(name),
    clear: () => {},
  });
  changeAccount('acc_a');
  expect(accountStorage.getItem('l4desk.wallets')).toBeNull();
  expect([...stored]).toEqual([['l4desk.wallets', 'old']]);
});
