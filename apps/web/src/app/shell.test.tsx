import type { Readiness, SessionState } from '@l4desk/protocol';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FakeWorker } from '../book-worker/test-support/fake-worker.ts';
import { changeAccount } from '../state/account.ts';
import { useAccountCopy } from '../state/account-copy.ts';
import { notePaid } from '../state/burn.ts';
import { keep } from '../state/kept-values.ts';
import { useKeyLabels } from '../state/key-labels.ts';
import { usePreferences } from '../state/preferences.ts';
import { ticker } from '../state/ticker.ts';
import { FakeService } from '../test-support/fake-service.ts';
import { type OpenApp, openApp } from '../test-support/open-app.tsx';
import { act, click, only, press, type } from '../test-support/render.ts';
import { plainWallet } from '../wallets/wallet.ts';
import { useWalletBook } from '../wallets/wallet-book.ts';
import { EMPTY_DOCUMENT } from './keep-on-account.ts';
import { applySettings, readSettings, settingsText } from './settings-file.ts';

const WALLET = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
let service: FakeService;

beforeEach(() => {
  service = new FakeService();
  service.signedIn = true;
  vi.stubGlobal('Worker', FakeWorker);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
  localStorage.clear();
  usePreferences.setState(usePreferences.getInitialState(), true);
  useWalletBook.setState(useWalletBook.getInitialState(), true);
});

const page = () => document.body.textContent ?? '';

/** Opens a page without live drawing of its own. */
async function open(path = '/limits'): Promise<OpenApp> {
  const app = await openApp(path);
  await expect.poll(page).toContain('L4 Desk');
  return app;
}

async function openPalette(): Promise<HTMLInputElement> {
  await act(async () => {
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }),
    );
  });
  await expect.poll(() => document.querySelector('dialog[open] [role=combobox]')).not.toBeNull();
  return only(document.body, 'dialog[open] [role=combobox]') as HTMLInputElement;
}

const offered = () =>
  [...document.querySelectorAll('dialog[open] [role=option]')].map(({ textContent }) => textContent);

describe('the command palette', () => {
  it('finds the wallet of a pasted link to an explorer', async () => {
    await open();
    const known = '0x53d661aa00000000000000000000000000000000';
    useWalletBook.getState().put([{ ...plainWallet(known), label: 'desk' }]);
    const field = await openPalette();
    await type(field, `https://app.hyperliquid.xyz/explorer/address/${WALLET.toUpperCase().replace('0X', '0x')}`);
    expect(offered()).toContainEqual(expect.stringMatching(/^Watch 0x5eaa…4bd5/));
    await type(field, `https://scan.example/address/${known}?tab=spot`);
    expect(offered()).toEqual([expect.stringMatching(/^Balances of desk/), expect.stringMatching(/^Orders of desk/)]);
  });

  it('names the pair of a loaded spot order as last known while its names are not loaded', async () => {
    const account = { ...service.session.account, id: crypto.randomUUID() };
    service.session = { ...service.session, account };
    vi.stubGlobal('indexedDB', new IDBFactory());
    changeAccount(account.id);
    await keep('spot names', { at: 1, value: { '@107': 'HYPE/USDC' } });
    const { cache } = await open();
    const resting = { coin: '@107', side: 'B', limitPx: '10.5', sz: '1', oid: 77, timestamp: 0, cloid: null };
    cache().setQueryData(['info', 'frontendOpenOrders', WALLET, ''], [resting]);
    await type(await openPalette(), '77');
    await expect.poll(offered).toContainEqual(expect.stringMatching(/^Order 77: HYPE\/USDC @107 bid at 10\.5, open/));
    expect(JSON.stringify(service.calls)).not.toContain('spotMeta');
  });

  it('turns shortcuts of a single character off and on: the sheet says so, and no such key is named beside a command', async () => {
    await open();
    const run = async (typed: string, command: string) => {
      const field = await openPalette();
      await type(field, typed);
      expect(offered()).toEqual([command]);
      await press(field, 'Enter');
    };
    await run('single character', 'Turn off shortcuts of a single character');
    expect(usePreferences.getState().characterKeys).toBe(false);
    await press(document.body, '?');
    expect(document.querySelector('dialog[open]')).toBeNull();
    await run('keyboard', 'Show keyboard shortcuts');
    await expect.poll(() => document.querySelector('dialog[open]')?.textContent).toContain('character are off');
    await act(async () => usePreferences.getState().set({ characterKeys: true }));
    expect(document.querySelector('dialog[open]')?.textContent).not.toContain('are off');
  });
});

it('a replay of a recorded exchange shows when it was recorded', async () => {
  const from = Date.UTC(2026, 4, 5, 17, 39, 12);
  service.session = { ...service.session, source: { kind: 'recorded', from, to: from + 3_000 } };
  await open();
  expect(page()).toContain('Recorded 2026-05-05');
  expect(page()).not.toContain('Simulated data');
});

describe('what the account keeps', () => {
  const copy = () => useAccountCopy.getState().state;

  beforeEach(() => {
    service.session = { ...service.session, account: { ...service.session.account, id: crypto.randomUUID() } };
  });

  it('is read before example wallets are added: removed ones do not come back after a failed first read', async () => {
    service.examples = [{ address: WALLET, name: 'maker-1', role: 'maker' }];
    service.kept = { version: 3, document: { ...EMPTY_DOCUMENT, hasExamples: true } };
    service.documentRefusal = 'internal_error';
    await open();
    await expect.poll(copy).toBe('waiting');
    await act(async () => useKeyLabels.getState().setLabel('l4k_…DEFG', 'label'));
    expect(useWalletBook.getState().awaitsWallets).toBe(true);
    await expect.poll(copy).toBe('waiting');
    service.documentRefusal = undefined;
    await act(async () => useKeyLabels.getState().setLabel('l4k_…DEFG', 'another label'));
    await expect.poll(copy).toBe('kept');
    expect(useWalletBook.getState()).toMatchObject({ wallets: [], hasExamples: true, awaitsWallets: false });
    expect(service.calls.filter(({ path }) => path === '/session/wallets')).toEqual([]);
  });

  it('asks who is signed in when the service refuses it for want of a session', async () => {
    await open();
    await expect.poll(copy).toBe('kept');
    service.signedIn = false;
    await act(async () => useKeyLabels.getState().setLabel('l4k_…DEFG', 'label'));
    await expect.poll(page).toContain('Your session ended');
  });
});

describe('the connection in the header', () => {
  const shown = () => document.querySelector('button[aria-label^="Connection: "]')?.getAttribute('aria-label');

  it('says on a page without a book how each link is, and of the service’s books how many are exact', async () => {
    const { cache } = await open('/limits');
    await expect.poll(shown).toBe('Connection: Upstream connected');
    const usual = service.readiness;
    const blocks = { ageMs: 1_400, usualMs: 70, suspectAfterMs: 1_000 };
    const states: Readonly<Record<string, Partial<Readiness>>> = {
      'Upstream feed disconnected': {
        upstreamL4: { status: 'failed', problem: 'closed with 1006', ageMs: 8_000, blocks: null },
      },
      'Upstream suspect': { upstreamL4: { status: 'ok', ageMs: 40, blocks } },
      'Upstream queries failing': { upstreamInfo: { status: 'failed', problem: 'timeout' } },
      'Service degraded': { ledger: { status: 'failed', problem: 'charges cannot be written' } },
      'Service shutting down': { status: 'shutting_down' },
    };
    const report = async (change: Partial<Readiness>) => {
      service.readiness = { ...usual, ...change };
      await act(() => cache().refetchQueries({ queryKey: ['readiness'] }));
    };
    for (const [text, change] of Object.entries(states)) {
      await report(change);
      await expect.poll(shown).toBe(`Connection: ${text}`);
    }
    await click(only(document.body, 'button[aria-label^="Connection: "]'));
    const books = {
      ETH: { coin: 'ETH', state: 'live', since: 0, reason: null, height: 1, epoch: 'e', seq: 1 },
    } as const;
    for (const [text, ageMs] of [
      ['1 of 1 book exact', 70],
      ['1 of 1 book suspect', 1_400],
    ] as const) {
      await report({ upstreamL4: { status: 'ok', ageMs, blocks: { ...blocks, ageMs } }, books });
      await expect.poll(page).toContain(`Service’s books${text}`);
    }
  });

  it('reports that the service does not respond, and shows every link when clicked', async () => {
    const { cache } = await open('/limits');
    await expect.poll(shown).toBe('Connection: Upstream connected');
    service.reachable = false;
    await act(() => cache().refetchQueries({ queryKey: ['readiness'] }));
    await expect.poll(shown).toBe('Connection: Service not responding');
    await click(only(document.body, 'button[aria-label^="Connection: "]'));
    await expect.poll(page).toContain('Stream to this pageNot open');
    expect(page()).toContain('Last message');
    expect(page(), 'what it said is old').toContain('Service’s booksnot known');
  });

  it('reports a slow service while its responses are late, with the age of the last one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    onTestFinished(passTimeWithTicks());
    const { cache } = await open('/limits');
    await expect.poll(shown).toBe('Connection: Upstream connected');
    const hold = () => {
      let respond = () => {};
      service.readyResponded = new Promise((resolve) => {
        respond = resolve;
      });
      return () => respond();
    };
    const respond = hold();
    await act(async () => void cache().refetchQueries({ queryKey: ['readiness'] }));
    await expect.poll(shown).toMatch(/^Connection: Service slow, last response (?:[6-9]|\d\d+) s ago$/);
    // The worse problem is shown first.
    const { readiness } = service;
    service.readiness = {
      ...readiness,
      upstreamL4: { status: 'failed', problem: 'closed with 1006', ageMs: 8_000, blocks: null },
    };
    const respondAgain = hold();
    respond();
    await expect.poll(shown).toBe('Connection: Upstream feed disconnected');
    await click(only(document.body, 'button[aria-label^="Connection: "]'));
    await expect.poll(page).toMatch(/ServiceService slow, last response [0-5] s ago/);
    service.readiness = readiness;
    service.readyResponded = Promise.resolve();
    respondAgain();
    await expect.poll(shown).toBe('Connection: Upstream connected');
  });

  it('reports a service that never responded as slow, then as not responding, also while it is called again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let fail: (cause: Error) => void = () => {};
    const hold = () => {
      service.readyResponded = new Promise((_, reject) => {
        fail = reject;
      });
    };
    hold();
    onTestFinished(passTimeWithTicks());
    const { cache } = await open('/limits');
    await expect.poll(shown).toBe('Connection: Service slow, no response yet');
    fail(new Error('away'));
    await expect.poll(shown).toBe('Connection: Service not responding');
    hold();
    await act(async () => void cache().refetchQueries({ queryKey: ['readiness'] }));
    expect(cache().isFetching({ queryKey: ['readiness'] })).toBe(1);
    // The page is notified in the next task.
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(shown()).toBe('Connection: Service not responding');
    fail(new Error('away'));
  });
});

/** Moves the time forward by half a second with each tick of the page's clock, until the returned function is called. */
function passTimeWithTicks(): () => void {
  return ticker.subscribe(() => vi.setSystemTime(Date.now() + 500));
}

describe('the credit meter', () => {
  it('counts successful calls for a minute, and soon refreshes the share', async () => {
    service.session = {
      ...service.session,
      credentials: { api: null, service: { shown: 's', label: 's' } },
    } satisfies SessionState;
    await open();
    await expect.poll(page).toContain('0 cr/min · 41.2 % of plan');
    service.creditsConsumed += 75;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await act(async () => {
      notePaid(50);
      notePaid(25);
      // The page's clock ticks once.
      document.dispatchEvent(new Event('visibilitychange'));
    });
    expect(page()).toContain('0 cr/min+ 75 cr · 41.2 % of plan');
    await act(async () => vi.advanceTimersByTimeAsync(2_000));
    await expect.poll(page).toContain('0 cr/min+ 75 cr · 48.7 % of plan');
    vi.useRealTimers();
    expect(service.calls.filter(({ path }) => path.startsWith('/platform/usage/'))).toHaveLength(2);
    await click(only(document.body, 'button[aria-label^="Credits"]'));
    await expect.poll(page).toContain('Current spending of this windowCalls in the last minute75');
  });
});

it('[WEB-209] shows what a late upstream served as stale, and its lag in the header, until it has caught up', async () => {
  service.info = ({ type }) => (type === 'maxMarketOrderNtls' ? [[3, '1000000.0']] : [{ universe: [] }, []]);
  service.readiness = { ...service.readiness, upstreamInfo: { status: 'ok', lagMs: 1_800_000 } };
  await open('/limits');
  await expect.poll(page).toMatch(/stale · 30 m/);
  expect(page()).toContain('Upstream late');
  service.readiness = { ...service.readiness, upstreamInfo: { status: 'ok', lagMs: 900 } };
  await expect.poll(page).not.toContain('stale');
});

describe('a settings file', () => {
  it('[AUTH-12] contains preferences, wallets and layouts, and nothing else', () => {
    usePreferences.getState().set({ theme: 'light', privacy: true });
    useKeyLabels.getState().setLabel('l4k_…x1Y2', 'bots');
    useWalletBook.getState().put([{ address: WALLET, label: 'mine', group: '', colour: 'blue', tags: [] }]);
    const text = settingsText();
    expect(Object.keys(JSON.parse(text) as object)).toEqual([
      'product',
      'kind',
      'version',
      'preferences',
      'wallets',
      'layouts',
      'keyLabels',
      'workspaces',
    ]);
    usePreferences.setState(usePreferences.getInitialState(), true);
    useWalletBook.setState(useWalletBook.getInitialState(), true);
    useKeyLabels.setState(useKeyLabels.getInitialState(), true);
    useKeyLabels.getState().setLabel('l4k_…9UzO', 'named since');
    const settings = readSettings(text);
    expect(settings).toBeDefined();
    if (settings !== undefined) applySettings(settings);
    expect(usePreferences.getState()).toMatchObject({ theme: 'light', privacy: true });
    expect(useKeyLabels.getState().labels).toEqual({ 'l4k_…x1Y2': 'bots', 'l4k_…9UzO': 'named since' });
    expect(useWalletBook.getState().wallets).toMatchObject([{ label: 'mine' }]);
  });

  it.each(['{', '[]', '{"product":"other"}', '{"product":"L4 Desk","kind":"settings","version":2}'])(
    'rejects %s',
    (text) => {
      expect(readSettings(text)).toBeUndefined();
    },
  );
});
