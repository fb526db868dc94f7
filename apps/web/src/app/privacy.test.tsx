import type { Address } from '@l4desk/protocol';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { usePreferences } from '../state/preferences.ts';
import { openApp, signIn } from '../test-support/open-app.tsx';
import { act, click, only, render, type } from '../test-support/render.ts';
import { plainWallet, type Wallet } from '../wallets/wallet.ts';
import { useWalletBook } from '../wallets/wallet-book.ts';
import { WalletPicker } from '../wallets/wallet-picker.tsx';
import { WalletsDialog } from '../wallets/wallets-dialog.tsx';

const A: Address = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
const B: Address = '0x31ca8395cf837de08b24da3f660e77761dfb974b';
const secret = (address: Address): Wallet => ({
  ...plainWallet(address),
  label: `secret ${address.slice(2, 6)}`,
  group: 'secret desk',
  tags: ['secret tag'],
});

/** Whether a text names a wallet: by its label, group, tag or address. */
const NAMES = /secret|0x[0-9a-f]{4}/;

/** The texts in the document that name a wallet and are not blurred by the privacy preference, the selected option aside. */
function readable(): readonly string[] {
  const found: string[] = [];
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('.private, [aria-selected=true]') !== null) continue;
    for (const { nodeType, textContent } of element.childNodes) {
      if (nodeType === Node.TEXT_NODE && NAMES.test(textContent ?? '')) found.push(textContent ?? '');
    }
  }
  for (const field of document.querySelectorAll('input')) {
    if (field.closest('.private') === null && NAMES.test(field.value)) found.push(field.value);
  }
  return found;
}

beforeEach(() => {
  signIn();
  usePreferences.setState({ privacy: true });
  useWalletBook.setState({ ...useWalletBook.getInitialState(), wallets: [secret(A), secret(B)], hasExamples: true });
});

afterAll(() => {
  usePreferences.setState(usePreferences.getInitialState(), true);
  useWalletBook.setState(useWalletBook.getInitialState(), true);
});

describe('names of wallets and their groups are blurred', () => {
  it('in the palette, except for what is selected', async () => {
    await openApp('/limits');
    await expect.poll(() => document.body.textContent).toContain('L4 Desk');
    await act(async () => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
    });
    await expect.poll(() => document.querySelector('dialog[open] [role=combobox]')).not.toBeNull();
    await type(only(document.body, 'dialog[open] [role=combobox]') as HTMLInputElement, 's');
    const options = () => [...document.querySelectorAll('dialog[open] [role=option]')];
    await expect.poll(() => options().filter(({ textContent }) => NAMES.test(textContent)).length).toBeGreaterThan(4);
    expect(readable()).toEqual([]);
  });

  it('by leaving them out of the title of the window', async () => {
    await openApp(`/orders?w=${A}`);
    await expect.poll(() => document.title).toBe('Orders · L4 Desk');
    await act(async () => usePreferences.getState().set({ privacy: false }));
    await expect.poll(() => document.title).toBe('secret 5eaa · Orders · L4 Desk');
  });
});

it('the address book and the picker of wallets name none readably', async () => {
  await render(
    <>
      <WalletsDialog onClose={() => {}} />
      <WalletPicker choice={undefined} onChange={() => {}} />
    </>,
  );
  await click(only(document.body, `[data-key="${A}"]`));
  expect(document.querySelectorAll('input').length).toBeGreaterThan(3);
  await click(only(document.body, '[aria-haspopup=dialog]'));
  expect(document.querySelectorAll('[aria-label=Wallets] [role=option]').length).toBeGreaterThan(2);
  expect(readable()).toEqual([]);
  await click(only(document.body, '[aria-label="Remove this wallet"]'));
  expect(only(document.body, 'dialog output').textContent).toContain('1 wallet removed');
  expect(readable()).toEqual([]);
});
