import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changeAccount } from '../state/account.ts';
import { act, button, click, only, render, type, unmountAll } from '../test-support/render.ts';
import { useWalletsDialog } from './use-wallets-dialog.ts';
import { plainWallet } from './wallet.ts';
import { useWalletBook } from './wallet-book.ts';
import { WalletPicker } from './wallet-picker.tsx';
import { WalletsDialog } from './wallets-dialog.tsx';

const WALLET = plainWallet('0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5');

beforeEach(() => {
  localStorage.clear();
  changeAccount('acc_1');
  useWalletBook.setState(useWalletBook.getInitialState(), true);
  useWalletsDialog.setState(useWalletsDialog.getInitialState(), true);
});

const tab = () => only(document.body, '[role=tab][aria-selected=true]').textContent;
const text = () => document.body.textContent ?? '';

/** Replaces the text of the import. */
function paste(typed: string): Promise<void> {
  return act(async () => {
    const field = only(document.body, 'textarea');
    const value = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value');
    value?.set?.call(field, typed);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

it('says in the dialog itself what it did, and shows each label apart from its address', async () => {
  await render(<WalletsDialog onClose={() => {}} />);
  const field = only(document.body, 'textarea') as HTMLTextAreaElement;
  expect(document.activeElement, 'the next thing is to paste').toBe(field);
  await paste(`${WALLET.address}, \u202edesk`);
  expect(only(document.body, '[aria-label=Preview]').textContent).toContain('\u2068desk\u2069 · 0x5eaa…4bd5');
  await click(button('Import 1'));
  // Everything outside of a modal dialog is inert, and read out by no screen reader.
  expect(only(document.body, 'dialog output').textContent).toBe('1 wallet importedUndo');
  expect(only(document.body, 'dialog').contains(document.activeElement), 'the keyboard continues in it').toBe(true);
  expect(useWalletBook.getState().wallets).toHaveLength(1);
  await click(button('Undo'));
  expect(useWalletBook.getState().wallets).toEqual([]);
});

it('reads a dropped file, for which the browser would leave the page, and leaves dropped text to the field', async () => {
  await render(<WalletsDialog onClose={() => {}} />);
  const drop = async (type: string, dataTransfer: object) => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    Object.assign(event, { dataTransfer });
    await act(async () => only(document.body, 'textarea').dispatchEvent(event));
    return event.defaultPrevented;
  };
  const file = { types: ['Files'], files: [new File([`${WALLET.address};desk`], 'wallets.csv')] };
  expect([await drop('dragover', file), await drop('drop', file)]).toEqual([true, true]);
  await expect.poll(text).toContain('1 new');
  expect(await drop('drop', { types: ['text/plain'], files: [] })).toBe(false);
});

it('restores what an import replaced when it is undone, and removes only what was new', async () => {
  const before = { ...WALLET, label: 'desk', group: 'makers' };
  useWalletBook.getState().put([before]);
  useWalletsDialog.getState().openImport();
  await render(<WalletsDialog onClose={() => {}} />);
  await paste(`${WALLET.address}, other\n0x${'1'.repeat(40)}, new`);
  await click(button('Import 2'));
  expect(useWalletBook.getState().wallets.map(({ label }) => label)).toEqual(['other', 'new']);
  await click(button('Undo'));
  expect(useWalletBook.getState().wallets).toEqual([before]);
});

it('opens at the import if that was asked for, although it has wallets', async () => {
  useWalletBook.getState().put([WALLET]);
  useWalletsDialog.getState().openImport();
  await render(<WalletsDialog onClose={() => {}} />);
  expect(tab()).toBe('Add or import');
  await unmountAll();
  useWalletsDialog.getState().open();
  await render(<WalletsDialog onClose={() => {}} />);
  expect(tab()).toBe('1 wallet');
});

it.each([254, 255])('says how many of %i wallets the book marks', async (count) => {
  useWalletBook
    .getState()
    .put(Array.from({ length: count }, (_, at) => plainWallet(`0x${String(at).padStart(40, '0')}`)));
  await render(<WalletsDialog onClose={() => {}} />);
  expect(text().includes('The book marks and watches the first 254 wallets only.')).toBe(count > 254);
});

it.each([
  ['a known wallet', [WALLET], 'Ddesk0x5eaa…4bd5'],
  ['a new one', [], '50x5eaa…4bd5new address'],
])('finds %s by a pasted link to an explorer when wallets are chosen', async (_, book, offered) => {
  useWalletBook.getState().put(book.map((wallet) => ({ ...wallet, label: 'desk' })));
  await render(<WalletPicker choice={undefined} onChange={() => {}} />);
  await click(only(document.body, 'button'));
  await type(
    only(document.body, '[role=combobox]') as HTMLInputElement,
    `https://app.hyperliquid.xyz/explorer/address/${WALLET.address}`,
  );
  expect([...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)).toEqual([offered]);
});

it.each([
  ['on a line each', '\n'],
  ['with commas', ', '],
  ['in one piece, as a field of one line leaves them', ''],
])('chooses all wallets of a pasted list %s', async (_, between) => {
  const [one, two] = [`0x${'1'.repeat(40)}`, `0x${'Ab'.repeat(20)}`];
  const onChange = vi.fn<(choice: readonly string[] | undefined) => void>();
  await render(<WalletPicker choice={[WALLET.address]} onChange={onChange} />);
  await click(only(document.body, 'button'));
  const field = only(document.body, '[role=combobox]') as HTMLInputElement;
  await type(field, [one, two, one, WALLET.address].join(between));
  await click(only(document.body, '[role=option]'));
  expect(onChange).toHaveBeenCalledWith([one, two.toLowerCase(), WALLET.address]);
  // The hash of a transaction contains no address.
  await type(field, `0x${'1'.repeat(64)} 0x${'2'.repeat(64)}`);
  expect(document.querySelectorAll('[role=option]')).toHaveLength(0);
});

describe('of a pasted list', () => {
  const pastes = async (count: number) => {
    const pasted = Array.from({ length: count }, (_, at) => `0x${String(at).padStart(40, '0')}`);
    const onChange = vi.fn<(choice: readonly string[] | undefined) => void>();
    await render(<WalletPicker choice={undefined} onChange={onChange} />);
    await click(only(document.body, 'button'));
    await type(only(document.body, '[role=combobox]') as HTMLInputElement, pasted.join(' '));
    const says = text();
    await click(only(document.body, '[role=option]'));
    return { pasted, onChange, says };
  };
  const TOO_LONG = 'do not fit into the link of a page';

  it('150 wallets are chosen', async () => {
    const { pasted, onChange, says } = await pastes(150);
    expect(says).not.toContain(TOO_LONG);
    expect(onChange).toHaveBeenCalledWith(pasted);
  });

  it('151 wallets are imported as a group', async () => {
    const { pasted, onChange, says } = await pastes(151);
    expect(says).toContain(TOO_LONG);
    expect(onChange).not.toHaveBeenCalled();
    await render(<WalletsDialog onClose={() => {}} />);
    await click(button('Import 151'));
    expect(useWalletBook.getState().wallets.map(({ address, group }) => [address, group])).toEqual(
      pasted.map((address) => [address, 'pasted']),
    );
  });
});

describe('an address book that waits for the example wallets', () => {
  it('says that they are being loaded, not that there are none; then shows them', async () => {
    useWalletBook.getState().awaitWallets(true);
    await render(
      <>
        <WalletPicker choice={undefined} onChange={() => {}} />
        <WalletsDialog onClose={() => {}} />
      </>,
    );
    expect(tab()).toBe('Wallets …');
    expect(text()).toContain('Loading the address book…');
    expect(text()).not.toMatch(/\b0 wallets/);
    await act(async () => useWalletBook.getState().addExamples([WALLET]));
    expect(tab()).toBe('1 wallet');
    expect(text()).not.toContain('Loading');
  });

  it('opens the tab to add wallets when none came', async () => {
    useWalletBook.getState().awaitWallets(true);
    await render(<WalletsDialog onClose={() => {}} />);
    await act(async () => useWalletBook.getState().awaitWallets(false));
    expect(tab()).toBe('Add or import');
    expect(useWalletBook.getState().hasExamples).toBe(false);
  });

  it('does not store that it is waiting', () => {
    useWalletBook.getState().awaitWallets(true);
    expect(localStorage.getItem('l4desk.wallets.acc_1')).not.toContain('awaits');
  });
});

it('keeps the focus in the list after a wallet was removed, and puts it back in its place', async () => {
  const others = [plainWallet(`0x${'1'.repeat(40)}`), plainWallet(`0x${'2'.repeat(40)}`)];
  useWalletBook.getState().put([WALLET, ...others]);
  await render(<WalletsDialog onClose={() => {}} />);
  await click(only(document.body, `[role=grid] [role=row][data-key="${WALLET.address}"]`));
  const removes = only(document.body, '[aria-label="Remove this wallet"]');
  removes.focus();
  await click(removes);
  expect(useWalletBook.getState().wallets).toEqual(others);
  expect(document.activeElement).toBe(only(document.body, '[role=grid]'));
  await click(button('Undo'));
  expect(useWalletBook.getState().wallets).toEqual([WALLET, ...others]);
});
