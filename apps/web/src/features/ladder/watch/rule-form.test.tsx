import { beforeEach, expect, it } from 'vitest';
import { liveStatus } from '../../../book-worker/test-support/live-status.ts';
import { statusLive } from '../../../book-worker/test-support/status-live.ts';
import { LiveProvider } from '../../../book-worker/use-book.ts';
import { changeAccount } from '../../../state/account.ts';
import { useWatchRules } from '../../../state/watch-rules.ts';
import { act, click, only, render, type } from '../../../test-support/render.ts';
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
  const { live, send } = statusLive();
  const form = (coin: string) => (
    <LiveProvider value={live}>
      <RuleForm coin={coin} />
    </LiveProvider>
  );
  const { container, rerender } = await render(form('BTC'));
  const follow = (coin: string) => rerender(form(coin));
  const input = only(container, 'input[aria-label=Wallet]') as HTMLInputElement;
  const typeWallet = (text: string) => type(input, text);
  const add = () => click(only(container, 'button[type=submit]'));
  return { container, input, typeWallet, add, send, follow };
}

const watched = () => useWatchRules.getState().rules.map(({ rule }) => ('user' in rule ? rule.user : rule.kind));

it('the form names a wallet by its label, and an address that has none by itself', async () => {
  const { container, input, typeWallet, add } = await open();
  expect(input.value).toBe('Maker 7');
  expect([...container.querySelectorAll('option[value]')].map((option) => option.getAttribute('value'))).toEqual(
    expect.arrayContaining(['Maker 7', NAMESAKE.address, PLAIN.address]),
  );
  await add();
  await typeWallet(NAMESAKE.address.toUpperCase().replace('0X', '0x'));
  await add();
  expect(watched()).toEqual([MAKER.address, NAMESAKE.address]);
  await act(async () => useWatchRules.setState({ rules: [] }));
  await typeWallet(` ${MAKER.label} `);
  await add();
  await typeWallet(`https://app.hyperliquid.xyz/explorer/address/${PLAIN.address}`);
  await add();
  expect(watched()).toEqual([MAKER.address, PLAIN.address]);
});

async function select(container: HTMLElement, name: string, value: string) {
  const field = only(container, `select[aria-label=${name}]`) as HTMLSelectElement;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

/** Chooses a kind of rule, and types into its fields. */
async function choose(container: HTMLElement, kind: string, values: Readonly<Record<string, string>>) {
  await select(container, 'Rule', kind);
  for (const [name, text] of Object.entries(values))
    await type(only(container, `input[aria-label^="${name}"]`) as HTMLInputElement, text);
}

it('numbers are typed with or without commas between thousands, and stored without', async () => {
  const { container, add } = await open();
  await choose(container, 'place', { Place: '1,000' });
  await add();
  await choose(container, 'wall', { Size: '12,500', Within: '.5' });
  await add();
  expect(useWatchRules.getState().rules.map(({ rule }) => rule)).toEqual([
    { kind: 'place', user: MAKER.address, place: 1_000 },
    { kind: 'wall', minSz: '12500', withinBps: '0.5' },
  ]);
});

it('a price is of this coin only, and begins where the mid is not yet', async () => {
  const { container, add, send, follow } = await open();
  const price = () => (only(container, 'input[aria-label=Price]') as HTMLInputElement).value;
  await select(container, 'For', 'every');
  await choose(container, 'above', {});
  expect(price(), 'before there is a book').toBe('');
  await add();
  expect(watched()).toEqual([]);
  await send(liveStatus(0, { best: { bid: '81306', ask: '81307' } }));
  await choose(container, 'below', {});
  expect(price()).toBe('81306');
  await choose(container, 'above', {});
  expect(price()).toBe('81307');
  expect(only(container, 'select[aria-label=For]').textContent).toBe('BTC');
  await add();
  const rule = { kind: 'price', reaches: 'above', px: '81307' };
  expect(useWatchRules.getState().rules).toMatchObject([{ rule, coin: 'BTC' }]);
  await follow('ETH');
  expect(price(), 'no price of another coin').toBe('');
});

it.each(['1e3', '0x10', '1,5', '1.5', '0'])('%s is no place: its field is marked as invalid', async (text) => {
  const { container, add } = await open();
  await choose(container, 'place', { Place: text });
  const wrong = only(container, '[aria-invalid=true]');
  expect(wrong.getAttribute('aria-label')).toBe('Place at most');
  expect(document.getElementById(wrong.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(/^A place is/);
  await add();
  expect(watched()).toEqual([]);
});

it('the field of the wallet can be emptied, to type or pick another one', async () => {
  const { input, typeWallet } = await open();
  await typeWallet('');
  expect(input.value).toBe('');
});

it('a rule that is in the list is not added again', async () => {
  const { container, add } = await open();
  await choose(container, 'epoch', {});
  await add();
  expect(only(container, 'output').textContent).toBe('Added to the list.');
  await add();
  expect(watched()).toEqual(['epoch']);
  await choose(container, 'suspect', {});
  await choose(container, 'epoch', {});
  expect(only(container, 'output').textContent).toBe('Added to the list.');
});

it('the form says what a wallet is while it is neither a label nor an address', async () => {
  const { container, typeWallet, add } = await open();
  await typeWallet('Maker');
  expect(only(container, 'output').textContent).toBe(
    'A wallet is 0x and 40 hex digits, or a label of the address book.',
  );
  await add();
  expect(watched()).toEqual([]);
});
