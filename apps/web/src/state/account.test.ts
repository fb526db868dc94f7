// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { useWalletBook } from '../wallets/wallet-book.ts';
import { accountStorage, changeAccount, currentAccount, followOtherWindows } from './account.ts';
import { notePaid, spentLately } from './burn.ts';
import { useLayouts } from './layouts.ts';

const WALLET = {
  address: '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5',
  label: 'of A',
  group: '',
  colour: 'grey',
  tags: [],
} as const;

beforeEach(() => {
  localStorage.clear();
});

afterEach(() => changeAccount(undefined));

const wallets = () => useWalletBook.getState().wallets.map(({ label }) => label);

it('what another window stores for the account is taken over, not written over', () => {
  onTestFinished(followOtherWindows());
  changeAccount('acc_a');
  useWalletBook.getState().put([{ ...WALLET, tags: [] }]);
  const key = 'l4desk.wallets.acc_a';
  const other = localStorage.getItem(key)?.replace('bd5', 'bd6').replace('of A', 'of the other window') ?? '';
  const store = (name: string) => {
    localStorage.setItem(name, other);
    dispatchEvent(Object.assign(new Event('storage'), { key: name }));
  };
  store('l4desk.wallets.acc_b');
  expect(wallets()).toEqual(['of A']);
  store(key);
  expect(wallets()).toEqual(['of the other window']);
  useWalletBook.getState().put([{ ...WALLET, tags: [] }]);
  expect(wallets()).toEqual(['of the other window', 'of A']);
});

describe('the data of an account', () => {
  it('is cleared when another account signs in, and restored when the first one returns', () => {
    changeAccount('acc_a');
    useWalletBook.getState().put([{ ...WALLET, tags: [] }]);
    useLayouts.getState().saveView('orders', { name: 'of A', search: { w: WALLET.address } });
    notePaid(25);
    changeAccount('acc_b');
    expect(wallets()).toEqual([]);
    expect(useLayouts.getState().views).toEqual({});
    expect(spentLately(Date.now())).toBe(0);
    useWalletBook.getState().put([{ ...WALLET, label: 'of B', tags: [] }]);
    changeAccount('acc_a');
    expect(wallets()).toEqual(['of A']);
    expect(useLayouts.getState().views.orders).toHaveLength(1);
  });

  it('is cleared when nobody is signed in, and nothing is stored until somebody is', () => {
    changeAccount('acc_a');
    useWalletBook.getState().put([{ ...WALLET, tags: [] }]);
    changeAccount(undefined);
    expect(currentAccount()).toBeUndefined();
    expect(wallets()).toEqual([]);
    useWalletBook.getState().put([{ ...WALLET, label: 'of nobody', tags: [] }]);
    accountStorage.setItem('l4desk.wallets', 'of nobody');
    changeAccount('acc_a');
    expect(wallets()).toEqual(['of A']);
  });

  it('goes to the first account that signs in, if it was stored before entries had accounts', () => {
    const state = { wallets: [{ ...WALLET, label: 'from before' }], hasExamples: true };
    localStorage.setItem('l4desk.wallets', JSON.stringify({ version: 1, state }));
    changeAccount('acc_a');
    expect(wallets()).toEqual(['from before']);
    changeAccount('acc_b');
    expect(wallets()).toEqual([]);
  });
});
