import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { changeAccount } from '../state/account.ts';
import { useAccountCopy } from '../state/account-copy.ts';
import { useUnstored } from '../state/browser-storage.ts';
import { FakeService } from '../test-support/fake-service.ts';
import { act, render } from '../test-support/render.ts';
import { Toasts } from '../ui/toast.tsx';
import { plainWallet } from '../wallets/wallet.ts';
import { useWalletBook } from '../wallets/wallet-book.ts';
import { EMPTY_DOCUMENT, keepOnAccount } from './keep-on-account.ts';

const A = `0x${'a'.repeat(40)}` as const;
const B = `0x${'b'.repeat(40)}` as const;

let service: FakeService;
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  localStorage.clear();
  service = new FakeService();
  service.signedIn = true;
});

afterEach(() => {
  stop();
  changeAccount(undefined);
  useUnstored.setState({ isUnstored: false });
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Signs in from a browser in which nothing, or what `storage` says, is stored. */
async function openBrowser(storage: Readonly<Record<string, string>> = {}) {
  stop();
  changeAccount(undefined);
  localStorage.clear();
  for (const [name, text] of Object.entries(storage)) localStorage.setItem(name, text);
  changeAccount('acc_1');
  stop = keepOnAccount('acc_1');
  await pass(10);
}

const stored = (): Readonly<Record<string, string>> => Object.fromEntries(Object.entries(localStorage));
const label = (address: typeof A, text: string) =>
  useWalletBook.getState().put([{ ...plainWallet(address), label: text }]);
const labels = () => useWalletBook.getState().wallets.map((wallet) => wallet.label);
const state = () => useAccountCopy.getState().state;
const writes = () => service.calls.filter(({ method }) => method === 'PUT').length;

it('what one browser has is written a second after the last change, and the next browser has it', async () => {
  await openBrowser();
  expect(state()).toBe('kept');
  label(A, 'mak');
  await pass(500);
  label(A, 'maker');
  expect([state(), writes()]).toEqual(['writing', 0]);
  await pass(1_100);
  expect([state(), writes()]).toEqual(['kept', 1]);
  await openBrowser();
  expect([labels(), state(), writes()]).toEqual([['maker'], 'kept', 1]);
});

it('a change while the service does not respond stays in the browser and is written later, also after a reload', async () => {
  await openBrowser();
  service.reachable = false;
  label(A, 'offline');
  await pass(1_100);
  expect(state()).toBe('waiting');
  const left = stored();
  await openBrowser(left);
  expect([labels(), state()]).toEqual([['offline'], 'waiting']);
  service.reachable = true;
  await pass(30_100);
  expect([state(), service.kept.document?.wallets]).toEqual(['kept', [{ ...plainWallet(A), label: 'offline' }]]);
});

it('changes of two browsers are merged, and a label of the other one that is lost is told', async () => {
  await render(<Toasts />);
  const told = () => document.querySelector('output')?.textContent ?? '';
  const written = (...texts: readonly string[]) => {
    const wallets = texts.map((text, at) => ({ ...plainWallet([A, B][at] ?? A), label: text }));
    const { version, document } = service.kept;
    if (document === null) throw new Error('nothing is kept yet');
    service.kept = { version: version + 1, document: { ...document, wallets } };
  };
  await openBrowser();
  label(A, 'mine');
  await pass(1_100);
  written('mine', 'of the other browser');
  label(A, 'mine, newer');
  await act(() => pass(2_200));
  expect([labels(), state(), told()]).toEqual([['mine, newer', 'of the other browser'], 'kept', '']);
  expect(service.kept.document?.wallets.map((wallet) => wallet.label)).toEqual(labels());
  written('theirs');
  label(A, 'mine, newest');
  await act(() => pass(2_200));
  expect([labels(), state()]).toEqual([['mine, newest'], 'kept']);
  expect(told()).toBe('Another browser had changed 1 entry too: those of this browser are kept');
});

it('what the account kept before a restored backup is united with what the browser has', async () => {
  await openBrowser();
  label(A, 'before');
  await pass(1_100);
  const backup = service.kept;
  label(B, 'after');
  await pass(1_100);
  service.kept = backup;
  await openBrowser(stored());
  await pass(2_200);
  expect([labels(), state(), service.kept.document?.wallets.length]).toEqual([['before', 'after'], 'kept', 2]);
});

it('a document that the service does not accept stays in the browser, which says so', async () => {
  await openBrowser();
  service.documentRefusal = 'body_too_large';
  label(A, 'too large');
  await pass(1_100);
  await pass(60_000);
  expect([labels(), state(), writes()]).toEqual([['too large'], 'refused', 1]);
});

it.each([
  ['invalid_request', 'waiting'],
  ['unauthorized', 'signed-out'],
] as const)('a change refused with %s is written half a minute later', async (code, meanwhile) => {
  await openBrowser();
  service.documentRefusal = code;
  label(A, 'refused');
  await pass(1_100);
  expect([state(), writes()]).toEqual([meanwhile, 1]);
  service.documentRefusal = undefined;
  await pass(30_100);
  expect([state(), service.kept.document?.wallets.length]).toEqual(['kept', 1]);
});

it('a wallet that a full storage did not take is not removed from the account at the next visit', async () => {
  service.kept = { version: 1, document: { ...EMPTY_DOCUMENT, wallets: [{ ...plainWallet(A), label: 'theirs' }] } };
  const storage = localStorage;
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => storage.getItem(name),
    setItem: (name: string, text: string) => {
      if (name.startsWith('l4desk.wallets')) throw new DOMException('full', 'QuotaExceededError');
      storage.setItem(name, text);
    },
    removeItem: (name: string) => storage.removeItem(name),
    clear: () => storage.clear(),
  });
  await openBrowser();
  expect([labels(), useUnstored.getState().isUnstored]).toEqual([['theirs'], true]);
  vi.stubGlobal('localStorage', storage);
  const left = stored();
  useUnstored.setState({ isUnstored: false });
  await openBrowser(left);
  await pass(1_100);
  expect([labels(), service.kept.document?.wallets.length]).toEqual([['theirs'], 1]);
});

it('nothing of one account is written to, or read from, another one', async () => {
  await openBrowser();
  label(A, 'of the first');
  // Another tab signs in to another account while the change is still to be written, and this page does not know yet.
  service.session = { ...service.session, account: { id: 'acc_2', name: 'second' } };
  await pass(1_100);
  expect([service.kept.document, labels()]).toEqual([null, ['of the first']]);
  stop();
  changeAccount('acc_2');
  stop = keepOnAccount('acc_2');
  await pass(1_100);
  expect([service.kept.document, labels()]).toEqual([null, []]);
});
