// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useWalletBook } from '../wallets/wallet-book.ts';
import { accountStorage, changeAccount, currentAccount } from './account.ts';
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

describe('[WEB-20] what belongs to an account', () => {
  it('is gone when another one signs in, and there again for the first', () => {
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

  it('is gone when nobody is signed in, and nothing is kept then', () => {
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

  it('that was kept for all of them goes to the first one that signs in', () => {
    const state = { wallets: [{ ...WALLET, label: 'from before' }], hasExamples: true };
    localStorage.setItem('l4desk.wallets', JSON.stringify({ version: 1, state }));
    changeAccount('acc_a');
    expect(wallets()).toEqual(['from before']);
    changeAccount('acc_b');
    expect(wallets()).toEqual([]);
  });
});
