import { ServiceError } from '@l4desk/client';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FakeWorker } from '../book-worker/test-support/fake-worker.ts';
import { usePreferences } from '../state/preferences.ts';
import { stubCanvas } from '../test-support/canvas.ts';
import { FakeService, KEY, TOKEN } from '../test-support/fake-service.ts';
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

/** The ladder requests frames once its canvas has a size; nothing is laid out in tests. */
function giveCanvasesSize(): void {
  for (const name of ['clientWidth', 'clientHeight'] as const) {
    vi.spyOn(HTMLCanvasElement.prototype, name, 'get').mockReturnValue(800);
  }
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly observe: (target: Element) => void;
      constructor(callback: (entries: readonly { readonly target: Element }[]) => void) {
        this.observe = (target) => callback([{ target }]);
      }
      unobserve() {}
      disconnect() {}
    },
  );
}

/** All values in a storage. */
const entries = (storage: Storage) =>
  Array.from({ length: storage.length }, (_, at) => storage.getItem(storage.key(at) ?? ''));
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
  it('[AUTH-12] redirects a page without a session to sign-in, and returns to the same address afterwards', async () => {
    await openApp('/book/ETH?tick=0.5&view=mid');
    await expect.poll(page).toContain('Sign in to L4 Desk');
    expect(address()).toBe('/sign-in?next=%2Fbook%2FETH%3Ftick%3D0.5%26view%3Dmid');
    const [apiKey] = document.querySelectorAll('input');
    await type(must(apiKey, 'field'), KEY);
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(address).toBe('/book/ETH?tick=0.5&view=mid');
    expect(service.calls).toContainEqual({ method: 'POST', path: '/session', body: { apiKey: KEY } });
  });

  it('[AUTH-12] keeps no key in the address, the storage or the page', async () => {
    await openApp('/sign-in');
    const [apiKey] = document.querySelectorAll('input');
    await type(must(apiKey, 'field'), KEY);
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(address).toBe('/');
    await expect.poll(() => document.querySelector('form')).toBeNull();
    const kept = JSON.stringify([location.href, history.state, entries(localStorage), entries(sessionStorage)]);
    expect(kept + document.documentElement.outerHTML).not.toContain(KEY);
  });

  it('reports a wrong key beside the form and keeps what was typed', async () => {
    await openApp('/sign-in');
    const apiKey = must(document.querySelector('input'), 'field');
    await type(apiKey, 'l4k_wrong');
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(page).toContain('Unknown or revoked key');
    expect(apiKey.value).toBe('l4k_wrong');
  });

  it('[AUTH-21] posts the token of a one-time link, never puts it in a URL, and opens the app', async () => {
    await openApp(`/sign-in#token=${TOKEN}`);
    await expect.poll(address).toBe('/');
    const withToken = service.calls.filter(({ path, body }) => JSON.stringify([path, body]).includes(TOKEN));
    expect(withToken).toEqual([{ method: 'POST', path: '/session', body: { token: TOKEN } }]);
  });

  it('[AUTH-22] reports a used link and offers the key fields', async () => {
    service.token = undefined;
    await openApp(`/#token=${TOKEN}`);
    await expect.poll(page).toContain('This sign-in link has been used');
    expect(document.querySelectorAll('input')).toHaveLength(2);
  });

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
    expect(sessions.known()?.session).toEqual(service.session);
  });

  it('does not return to an address of another site', async () => {
    await openApp('/sign-in?next=//evil.example/x');
    await type(must(document.querySelector('input'), 'field'), KEY);
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(address).toBe('/');
  });

  it('a page that could not be loaded says so, and opens once the service responds, without a reload', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
    // React and the router log what an error boundary caught.
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    service.reachable = false;
    await openApp('/book/BTC');
    await expect.poll(page).toContain('The service is not responding');
    expect(document.title).toBe('The service is not responding · L4 Desk');
    expect(String(logged.mock.calls[0])).toContain('the service is not responding');
    const asked = service.calls.length;
    await click(
      must(
        [...document.querySelectorAll('button')].find((item) => item.textContent === 'Try again'),
        'button',
      ),
    );
    await expect.poll(() => service.calls.length).toBeGreaterThan(asked);
    await expect.poll(page).toContain('The service is not responding');
    service.reachable = true;
    await expect.poll(page).toContain('Sign in to L4 Desk');
    expect(address()).toBe('/sign-in?next=%2Fbook%2FBTC');
    expect(reload).not.toHaveBeenCalled();
  });
});

it('a coin is followed, not reported as unlisted, while the service has no list of coins', async () => {
  service.coins = [];
  await openBook('/book/BTC');
  expect(page()).not.toContain('has no perp coin');
  service.coins = ['ETH'];
  await expect.poll(page).toContain('has no perp coin “BTC”');
});

describe('a session that ends', () => {
  it('[AUTH-9] leads to sign-in and keeps the address', async () => {
    await openBook('/book/BTC?tick=5');
    service.signedIn = false;
    const reason = { kind: 'credential', code: 'unauthorized', message: 'key revoked' } as const;
    worker().follower.stop(reason);
    await settle();
    await expect.poll(address).toBe('/sign-in?next=%2Fbook%2FBTC%3Ftick%3D5');
    await expect.poll(page).toContain('Your session ended');
  });

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

  it('stays on the page when only the connection is lost', async () => {
    await openBook();
    const reason = { kind: 'failed', message: '' } as const;
    worker().follower.lose(reason);
    await settle();
    await expect.poll(() => service.calls.filter(({ path }) => path === '/session').length).toBe(2);
    expect(address()).toBe('/book/BTC');
  });

  it('[AUTH-23] ends session and worker on sign-out', async () => {
    await openBook();
    await click(button('Session'));
    const signOut = () => [...document.querySelectorAll('button')].find((item) => item.textContent === 'Sign out');
    await expect.poll(signOut).toBeDefined();
    await click(signOut() ?? document.body);
    await expect.poll(address).toBe('/sign-in');
    expect(service.calls.at(-1)).toMatchObject({ method: 'DELETE', path: '/session' });
    expect(service.signedIn).toBe(false);
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

  it('sees no data and no view of the previous account when it signs in after a session ended', async () => {
    const { sessions, cache } = await openAsA('/limits?n=22');
    const before = cache();
    service.signedIn = false;
    await act(() => before.refetchQueries({ queryKey: ['usage'] }));
    await expect.poll(page).toContain('Your session ended');
    expect(document.title).toBe('Sign in · L4 Desk');
    expect(before.getQueryCache().getAll()).toEqual([]);
    expect(useWalletBook.getState().wallets).toEqual([]);

    service.session = { ...service.session, ...ofB };
    service.examples = [];
    await type(must(document.querySelector('input'), 'field'), KEY);
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(address).toBe('/');
    expect(sessions.known()?.session.account.name).toBe('b');
    expect(cache()).not.toBe(before);
    expect(page()).not.toContain('of plan');
    expect(useWalletBook.getState().wallets).toEqual([]);
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

  it('stores the grouping and the view', async () => {
    await openBook();
    const grouping = only(document.body, 'select[aria-label=Grouping]') as HTMLSelectElement;
    await act(async () => {
      grouping.value = '0.5';
      grouping.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(address()).toBe('/book/BTC?tick=0.5');
    await click(only(document.body, 'input[value=mid]'));
    expect(address()).toBe('/book/BTC?tick=0.5&view=mid');
  });

  it('names invalid parameters and can remove them', async () => {
    await openBook('/book/BTC?tick=banana&view=mid');
    expect(page()).toContain('tick=banana');
    await click(button('Dismiss'));
    expect(address()).toBe('/book/BTC?view=mid');
    expect(page()).not.toContain('banana');
  });

  it('names an invalid oid like any other invalid parameter', async () => {
    await openBook('/order/abc');
    await expect.poll(address).toBe('/book/BTC?order=abc&pane=order');
    await expect.poll(page).toContain('order=abc');
    await expect.poll(page).toContain('does not recognize');
  });

  it('names a tick that the coin does not have, and lists those it has', async () => {
    await openBook('/book/BTC?tick=0.00001');
    expect(page()).toContain('BTC has no grouping of 0.00001');
    expect(page()).toContain('0.1, 0.2, 0.5, 1');
  });

  it('reports an unknown coin and offers the others', async () => {
    service.signedIn = true;
    await openApp('/book/NOPE');
    await expect.poll(page).toContain('no perp coin “NOPE”');
    expect(worker().asked('follow')).toEqual([]);
  });

  it('shows “Page not found” for an unknown address', async () => {
    await openApp('/nowhere');
    await expect.poll(page).toContain('Page not found');
  });
});

describe('the page links', () => {
  const links = () => [...document.querySelectorAll<HTMLAnchorElement>('nav[aria-label=Pages] a')];
  const current = () => links().filter((link) => link.getAttribute('aria-current') === 'page');

  it('are in order, and mark the open page', async () => {
    await openBook('/book/BTC');
    expect(links().map(({ textContent }) => textContent)).toEqual([
      'Overview',
      'Book',
      'Balances',
      'Orders',
      'Funding',
      'Limits',
      'Usage',
    ]);
    expect(current().map(({ textContent }) => textContent)).toEqual(['Book']);
    expect(document.querySelectorAll('[aria-current=page]')).toHaveLength(1);
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

  it('holds the book on pause and says so, and continues on resume', async () => {
    await openBook();
    await press(document.body, 'p');
    await settle();
    expect(part('ladder').dataset.paused).toBe('true');
    expect(page()).toContain('PAUSED');
    await press(document.body, 'p');
    await settle();
    expect(part('ladder').dataset.paused).toBe('false');
  });

  it('desaturates unproven rows, and states why', async () => {
    await openBook();
    expect(part('ladder').dataset.stale).toBe('false');
    const reason = { kind: 'silent', silentMs: 8_000 } as const;
    worker().follower.lose(reason);
    await settle();
    expect(part('ladder').dataset.stale).toBe('true');
    expect(part('integrity').dataset).toMatchObject({ state: 'stale', reason: 'the connection went silent' });
  });

  it('opens the orders of the level in the address in queue order, and Escape closes it', async () => {
    giveCanvasesSize();
    await openBook();
    const { book } = worker().follower.coin('BTC') ?? {};
    const px = must(book?.best('B')?.px, 'bids');
    const wanted = book?.queue('B', px).map(({ order }) => String(order.oid));
    await openBook(`/book/BTC?tick=0.1&level=B${px}`);
    const rowsNow = () => [...document.querySelectorAll<HTMLElement>('[data-part=inspector] [data-oid]')];
    await shown(() => rowsNow().map((row) => row.dataset.oid)).toEqual(wanted);
    const rows = rowsNow();
    expect(rows.map((row) => row.dataset.place)).toEqual(wanted?.map((_, place) => String(place)));
    await press(document.body, 'Escape');
    expect(address()).toBe('/book/BTC?tick=0.1');
    expect(document.querySelector('[data-part=inspector]')).toBeNull();
  });

  it('opens the details of the order in the address', async () => {
    giveCanvasesSize();
    await openBook();
    const { book } = worker().follower.coin('BTC') ?? {};
    const px = must(book?.best('B')?.px, 'bids');
    const last = must(book?.queue('B', px).at(-1)?.order, 'order');
    await openBook(`/book/BTC?tick=0.1&level=B${px}&order=${last.oid}`);
    await shown(() => document.querySelector('[data-part=order]')?.textContent).toContain(String(last.oid));
    expect(part('order').dataset.gone).toBe('false');
    await click(only(document.body, '[aria-label="Close the order"]'));
    expect(document.querySelector('[data-part=order]')).toBeNull();
    await expect.poll(address).toBe(`/book/BTC?tick=0.1&level=B${px}`);
  });

  it('reports an order in the address that is gone, and links to its history', async () => {
    giveCanvasesSize();
    await openBook('/book/BTC?tick=0.1&level=B80000&order=1');
    await shown(() => document.querySelector('[data-part=order]') !== null).toBe(true);
    expect(part('order').textContent).toContain('Order 1 is no longer at this level.');
    await click(only(part('order'), 'button:not([aria-label])'));
    await expect.poll(address).toContain('order=1&pane=order');
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
    expect(own?.slice(0, 2)).toEqual(['Pause the bookP', 'RecentreSpace']);
    expect(exports).toEqual([
      'Export book BTC 5 as CSV',
      'Export book BTC 5 as JSON',
      'Save the kept minutes as a recording',
      'Open a recording',
    ]);
  });

  it('buttons that lead to the live book keep the focus when it is reached, and do nothing there', async () => {
    giveCanvasesSize();
    await openBook('/book/BTC?time=1');
    const frozen = (isFrozen: boolean) => shown(() => part('time').dataset.frozen).toBe(String(isFrozen));
    await frozen(false);
    for (const name of ['A block forward (.)', 'Ten blocks forward (>)']) {
      await press(document.body, 'p');
      await frozen(true);
      button(name).focus();
      await click(button(name));
      await frozen(false);
      expect(document.activeElement).toBe(button(name));
      expect((button(name) as HTMLButtonElement).disabled, 'it would lose the focus').toBe(false);
      await click(button(name));
    }
    expect(worker().asked('travel')).toHaveLength(2);
  });

  it('lists every key on the sheet', async () => {
    await openBook();
    await press(document.body, '?');
    await expect.poll(() => document.querySelector('dialog[open]')).not.toBeNull();
    const sheet = only(document.body, 'dialog').textContent ?? '';
    for (const text of ['Recentre', 'Pause the book', 'Choose a coin', 'Coarser grouping', 'Close the level']) {
      expect(sheet).toContain(text);
    }
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
