import { act } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { changeAccount } from '../../../state/account.ts';
import { useWatchRules } from '../../../state/watch-rules.ts';
import { click, only, render } from '../../../test-support/render.ts';
import { plainWallet } from '../../../wallets/wallet.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { RuleForm } from './rule-form.tsx';

const MAKER = { ...plainWallet('0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5'), label: 'Maker 7' };
const NAMESAKE = { ...plainWallet('0x5eaac7c475b1fad85701f02c4e9e796a53f94bd6'), label: 'Maker 7' };
const PLAIN = plainWallet('0x5eaac7c475b1fad85701f02c4e9e796a53f94bd7');

beforeEach(() => {
  localStorage.clear();
  changeAccount('acc_1');
  useWalletBook.setState({ ...useWalletBook.getInitialState(), wallets: [MAKER, NAMESAKE, PLAIN] }, true);
  useWatchRules.setState(useWatchRules.getInitialState(), true);
});

async function open() {
  const { container } = await render(<RuleForm coin="BTC" />);
  const input = only(container, 'input[aria-label=Wallet]') as HTMLInputElement;
  const type = (text: string) =>
    act(async () => {
      // React overrides the setter of the element itself.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
  const add = () => click(only(container, 'button[type=submit]'));
  return { container, input, type, add };
}

const watched = () => useWatchRules.getState().rules.map(({ rule }) => ('user' in rule ? rule.user : rule.kind));

it('[WEB-43] the form names a wallet by its label, and an address that has none by itself', async () => {
  const { container, input, type, add } = await open();
  expect(input.value).toBe('Maker 7');
  expect([...container.querySelectorAll('option[value]')].map((option) => option.getAttribute('value'))).toEqual(
    expect.arrayContaining(['Maker 7', NAMESAKE.address, PLAIN.address]),
  );
  await add();
  await type(NAMESAKE.address.toUpperCase().replace('0X', '0x'));
  await add();
  await type(` ${MAKER.label} `);
  await add();
  expect(watched()).toEqual([MAKER.address, NAMESAKE.address, MAKER.address]);
});

it('[WEB-43] the form says what a wallet is while it is neither a label nor an address', async () => {
  const { container, type, add } = await open();
  await type('Maker');
  expect(only(container, 'output').textContent).toBe(
    'A wallet is 0x and 40 hex digits, or a label of the address book.',
  );
  await add();
  expect(watched()).toEqual([]);
});
