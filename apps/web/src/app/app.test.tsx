import { ServiceError } from '@l4desk/client';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FakeWorker } from '../book-worker/test-support/fake-worker.ts';
import { usePreferences } from '../state/preferences.ts';
import { stubCanvas } from '../test-support/canvas.ts';
import { FakeService, KEY } from '../test-support/fake-service.ts';
import { must } from '../test-support/must.ts';
import { type OpenApp, openApp } from '../test-support/open-app.tsx';
import { act, click, only, press, type } from '../test-support/render.ts';
import { useWalletBook } from '../wallets/wallet-book.ts';

let service: FakeService;
let workers: FakeWorker[];

beforeEach(() => {
  service = new FakeService();
  workers = [];
  stubCanvas();
  // The page's worker is the real desk, run without a thread.
  vi.stubGlobal(
    'Worker',
    class extends FakeWorker {
      constructor() {
        super();
        workers.push(this);
      }
    },
  );
  Object.defineProperty(document, 'fonts', {
    configurable: true,
    value: { addEventListener() {}, removeEventListener() {}, load: async () => [] },
  });
  localStorage.clear();
  usePreferences.setState(usePreferences.getInitialState(), true);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
});

const address = () => location.pathname + location.search;
const page = () => document.body.textContent ?? '';
/** The worker that follows the book; the others draw. */
const worker = () => must(workers.findLast((one) => one.asked('follow').length > 0) ?? workers.at(-1), 'worker');

/** Delivers the worker's messages and lets the page react to them. */
const settle = () =>
  act(async () => {
    worker().deliver();
    await Promise.resolve();
  });

async function openBook(path = '/book/BTC'): Promise<OpenApp> {
  service.signedIn = true;
  const app = await openApp(path);
  await expect.poll(() => worker().asked('follow')).toHaveLength(1);
  await act(async () => worker().follower.goLive(worker().follower.coins[0] ?? 'BTC'));
  await settle();
  return app;
}

/** Polls until the page shows what it requested with a frame. */
const shown = (read: () => unknown) =>
  expect.poll(async () => {
    await settle();
    return read();
  });

const part = (name: string) => only(document.body, `[data-part=${name}]`);
const button = (name: string) => only(document.body, `button[aria-label="${name}"]`);

describe('signing in', () => {
  it('[AUTH-13] ignores a late response about the previous session', async () => {
    const { sessions } = await openApp('/book/ETH');
    await expect.poll(page).toContain('Sign in to L4 Desk');
    let release = () => {};
    service.sessionResponded = new Promise((resolve) => {
      release = resolve;
    });
    const late = sessions.ask();
    await type(must(document.querySelector('input'), 'field'), KEY);
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(address).toBe('/book/ETH');
    release();
    expect((await late)?.session).toEqual(service.session);
    expect(sessions.known.getState()?.session).toEqual(service.session);
  });

  it('says why the service refuses to say who is signed in, instead of blaming the page', async () => {
    const said = 'A session requires Sec-Fetch-Site: same-origin.';
    service.sessionRefusal = { error: 'forbidden_origin', message: said, code: 403, msg: said };
    await openApp('/balances');
    await expect.poll(page).toContain('The service could not open this page');
    expect(page()).toContain(said);
    expect(page()).not.toContain('in this page');
  });

  it('does not return to an address of another site, and takes a key with invisible characters around it', async () => {
    await openApp('/sign-in?next=//evil.example/x');
    await type(must(document.querySelector('input'), 'field'), `\ufeff ${KEY}\u200b\n`);
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(address).toBe('/');
  });
});

it('a coin is followed, not reported as unlisted, while the service has no list of coins', async () => {
  service.coins = [];
  await openBook('/book/BTC');
  expect(page()).not.toContain('has no perp coin');
  service.coins = ['ETH'];
  await expect.poll(page).toContain('has no perp coin “BTC”');
});

it.each([
  ['btc', 'BTC'],
  ['BTC-PERP', 'BTC'],
  ['kpepe', 'kPEPE'],
  ['1000PEPEUSDT', 'kPEPE'],
  ['XYZ:gold', 'xyz:GOLD'],
])('an address with %s opens the book of %s, with its query', async (written, coin) => {
  service.coins = ['BTC', 'kPEPE', 'xyz:GOLD'];
  service.signedIn = true;
  await openApp(`/book/${written}?pane=owners`);
  await expect.poll(address).toBe(`/book/${coin}?pane=owners`);
  await expect.poll(() => worker().follower.coins).toEqual([coin]);
});

it.each(['PURR/USDC', 'aa', 'BT'])(
  'an address with %s, which names no perp or several, is not replaced',
  async (written) => {
    service.coins = ['BTC', 'PURR', 'AA', 'aA'];
    service.signedIn = true;
    await openApp(`/book/${encodeURIComponent(written)}`);
    await expect.poll(page).toContain(`has no perp coin “${written}”`);
  },
);

it('names a proxy as the likely reason while the service responds, but its stream cannot be opened', async () => {
  await openBook();
  await act(async () => worker().follower.lose({ kind: 'failed', message: '' }));
  await settle();
  await click(only(document.body, 'button[aria-label^="Connection: "]'));
  await shown(page).toContain('a proxy does not allow upgrades on /ws');
  service.reachable = false;
  await shown(page).toContain('Service not responding');
  expect(page()).not.toContain('proxy');
});

describe('a session that ends', () => {
  it("[AUTH-9] redirects once, with the page's address, when several calls are refused at once", async () => {
    const { cache } = await openBook('/book/BTC?tick=5');
    const queryClient = cache();
    service.signedIn = false;
    const refused = new ServiceError(401, { error: 'unauthorized', message: 'no', code: 401, msg: 'no' });
    const refuse = (name: string) =>
      queryClient.fetchQuery({ queryKey: [name], queryFn: () => Promise.reject(refused) }).catch(() => {});
    let release = () => {};
    service.sessionResponded = new Promise((resolve) => {
      release = resolve;
    });
    await act(() => Promise.all([refuse('one'), refuse('another')]));
    release();
    await expect.poll(address).toContain('/sign-in');
    await expect.poll(page).toContain('Your session ended');
    expect(address()).toBe('/sign-in?next=%2Fbook%2FBTC%3Ftick%3D5');
  });

  it('is not assumed when only the connection is lost: the service is asked, and the page stays', async () => {
    await openBook();
    worker().follower.lose({ kind: 'failed', message: '' });
    await settle();
    await expect.poll(() => service.calls.filter(({ path }) => path === '/session')).toHaveLength(2);
    await settle();
    expect(address()).toBe('/book/BTC');
  });
});

describe('another account', () => {
  const ofA = { account: { id: 'acc_a', name: 'a' }, credentials: { api: null, service: { shown: 's', label: 's' } } };
  const ofB = { account: { id: 'acc_b', name: 'b' }, credentials: { api: { shown: 'k', label: 'k' }, service: null } };

  async function openAsA(path: string): Promise<OpenApp> {
    service.signedIn = true;
    service.session = { ...service.session, ...ofA };
    const app = await openApp(path);
    await expect.poll(page).toContain('41.2 % of plan');
    await expect.poll(() => useWalletBook.getState().wallets.length).toBe(1);
    return app;
  }

  beforeEach(() => {
    service.examples = [{ address: '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5', name: 'of A', role: 'maker' }];
  });

  it('takes the page over, with its own worker, when it signs in in another tab', async () => {
    const { cache } = await openAsA('/book/BTC');
    const before = cache();
    const workerBefore = worker();
    service.session = { ...service.session, ...ofB };
    service.examples = [];
    await act(async () => new BroadcastChannel('l4desk.session').postMessage(null));
    await expect.poll(page).not.toContain('of plan');
    expect(address()).toBe('/book/BTC');
    expect(before.getQueryCache().getAll()).toEqual([]);
    expect(workerBefore.terminated).toBe(true);
    expect(worker()).not.toBe(workerBefore);
    expect(useWalletBook.getState().wallets).toEqual([]);
  });

  it('keeps the loaded data when only the session is new', async () => {
    const { cache } = await openAsA('/limits');
    const before = cache();
    service.session = { ...service.session, expiresAt: service.session.expiresAt + 1 };
    await act(async () => new BroadcastChannel('l4desk.session').postMessage(null));
    await expect.poll(() => service.calls.filter(({ path }) => path === '/session').length).toBe(2);
    expect(cache()).toBe(before);
    expect(page()).toContain('41.2 % of plan');
  });

  it.each([
    ['a tab that comes back into sight', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['the end of the session’s time', () => vi.advanceTimersByTime(86_400_000)],
  ])('%s asks the service who is signed in', async (_, happen) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await openAsA('/limits');
    service.signedIn = false;
    await act(async () => happen());
    await expect.poll(page).toContain('Your session ended');
    vi.useRealTimers();
  });
});

describe('the address of a book', () => {
  it('redirects /book to the first coin, and accepts a coin with a colon', async () => {
    service.signedIn = true;
    await openApp('/book');
    await expect.poll(address).toBe('/book/BTC');
    await openBook('/book/xyz:GOLD');
    expect(worker().asked('follow').at(-1)?.coin).toBe('xyz:GOLD');
    expect(address()).toBe('/book/xyz:GOLD');
  });

  it('keeps the query when it redirects /book', async () => {
    service.signedIn = true;
    await openApp('/book?pane=owners&tick=10');
    await expect.poll(address).toBe('/book/BTC?pane=owners&tick=10');
  });

  it('shows “Page not found” for an unknown address', async () => {
    await openApp('/nowhere');
    await expect.poll(page).toContain('Page not found');
  });
});

describe('the book page', () => {
  it('[WEB-15] follows the coin of its address, one at a time', async () => {
    await openBook();
    expect(worker().follower.coins).toEqual(['BTC']);
    await press(document.body, '/');
    await click(only(document.body, '[role=option][data-coin=ETH]'));
    await expect.poll(address).toBe('/book/ETH');
    expect(worker().follower.coins).toEqual(['ETH']);
  });

  it("lists the page's actions before its exports in the palette, each under its own heading", async () => {
    await openBook('/book/BTC?tick=5');
    await click(button('Command palette'));
    const groups = () => [...document.querySelectorAll('dialog[open] [role=group]')];
    await expect.poll(groups).not.toEqual([]);
    expect(
      groups().map((group) => document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent),
    ).toEqual(['This page', 'Time travel', 'Exports', 'Followed book', 'Pages', 'Actions']);
    const [own, , exports] = groups().map((group) =>
      [...group.querySelectorAll('[role=option]')].map(({ textContent }) => textContent),
    );
    expect(own?.slice(0, 2)).toEqual(['Pause the book P', 'Recentre Space']);
    expect(exports).toEqual([
      'Export book BTC 5 as CSV',
      'Export book BTC 5 as JSON',
      'Save the kept minutes as a recording',
      'Open a recording',
    ]);
  });

  it('names the key of a control only while it works', async () => {
    await openBook('/book/BTC?time=1&pane=level');
    await shown(() => part('time').dataset.frozen).toBe('false');
    const keys = () =>
      [...document.querySelectorAll('[title], [aria-label]')].flatMap((element) =>
        ['title', 'aria-label'].flatMap((name) => / \((.)\)/.exec(element.getAttribute(name) ?? '')?.[1] ?? []),
      );
    expect([...new Set(keys())].toSorted().join('')).toBe(',.0<>ALMPVW');
    onTestFinished(() => usePreferences.getState().set({ characterKeys: true }));
    await act(async () => usePreferences.getState().set({ characterKeys: false }));
    expect(keys()).toEqual([]);
    expect(button('Hold this block').title).toBe('Hold this block');
  });
});
