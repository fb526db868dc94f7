import { ServiceError } from '@l4desk/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionQuery } from '../api/session.ts';
import { usePreferences } from '../hooks/preferences.ts';
import { FakeWorker } from '../live/test-support/fake-worker.ts';
import { stubCanvas } from '../test-support/canvas.ts';
import { FakeService, KEY, TOKEN } from '../test-support/fake-service.ts';
import { must } from '../test-support/must.ts';
import { click, only, press, render, type } from '../test-support/render.ts';
import { takeOneTimeToken } from './one-time-token.ts';
import { makeRouter } from './router.tsx';

let service: FakeService;
let workers: FakeWorker[];

beforeEach(() => {
  service = new FakeService();
  workers = [];
  stubCanvas();
  // A worker of the page is the real desk without a thread.
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

/** Everything a storage holds. */
const entries = (storage: Storage) =>
  Array.from({ length: storage.length }, (_, at) => storage.getItem(storage.key(at) ?? ''));
const address = () => location.pathname + location.search;
const page = () => document.body.textContent ?? '';
const worker = () => must(workers.at(-1), 'worker');

/** Lets the worker's messages and what follows from them arrive. */
const settle = () =>
  act(async () => {
    worker().deliver();
    await Promise.resolve();
  });

async function open(path: string): Promise<QueryClient> {
  history.replaceState(null, '', path);
  const oneTimeToken = takeOneTimeToken(location, history);
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = makeRouter({ queryClient, oneTimeToken });
  await render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return queryClient;
}

async function openBook(path = '/book/BTC'): Promise<QueryClient> {
  service.signedIn = true;
  const queryClient = await open(path);
  await expect.poll(() => worker().asked('follow')).toHaveLength(1);
  await act(async () => worker().follower.goLive(worker().follower.coins[0] ?? 'BTC'));
  await settle();
  return queryClient;
}

const part = (name: string) => only(document.body, `[data-part=${name}]`);
const button = (name: string) => only(document.body, `button[aria-label="${name}"]`);

describe('signing in', () => {
  it('[AUTH-12] a page without a session leads to sign-in, and back to the same address', async () => {
    await open('/book/ETH?tick=0.5&view=mid');
    await expect.poll(page).toContain('Sign in to L4 Desk');
    expect(address()).toBe('/sign-in?next=%2Fbook%2FETH%3Ftick%3D0.5%26view%3Dmid');
    const [apiKey] = document.querySelectorAll('input');
    await type(must(apiKey, 'field'), KEY);
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(address).toBe('/book/ETH?tick=0.5&view=mid');
    expect(service.calls).toContainEqual({ method: 'POST', path: '/session', body: { apiKey: KEY } });
  });

  it('[AUTH-12] no key stays anywhere: not in the address, the storage or the page', async () => {
    await open('/sign-in');
    const [apiKey] = document.querySelectorAll('input');
    await type(must(apiKey, 'field'), KEY);
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(address).toBe('/book/BTC');
    await expect.poll(() => document.querySelector('form')).toBeNull();
    const kept = JSON.stringify([location.href, history.state, entries(localStorage), entries(sessionStorage)]);
    expect(kept + document.documentElement.outerHTML).not.toContain(KEY);
  });

  it('a wrong key is answered beside the form, and nothing is lost', async () => {
    await open('/sign-in');
    const apiKey = must(document.querySelector('input'), 'field');
    await type(apiKey, 'l4k_wrong');
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(page).toContain('The service knows no such key');
    expect(apiKey.value).toBe('l4k_wrong');
  });

  it('[AUTH-21] a one-time link is posted, not fetched, and leads on', async () => {
    await open(`/sign-in#token=${TOKEN}`);
    await expect.poll(address).toBe('/book/BTC');
    const withToken = service.calls.filter(({ path, body }) => JSON.stringify([path, body]).includes(TOKEN));
    expect(withToken).toEqual([{ method: 'POST', path: '/session', body: { token: TOKEN } }]);
  });

  it('[AUTH-22] a used link says so and offers the keys', async () => {
    service.token = undefined;
    await open(`/#token=${TOKEN}`);
    await expect.poll(page).toContain('This sign-in link was used before');
    expect(document.querySelectorAll('input')).toHaveLength(2);
  });

  it('[AUTH-13] what was asked about the session before, and is answered late, does not end the new one', async () => {
    const queryClient = await open('/book/ETH');
    await expect.poll(page).toContain('Sign in to L4 Desk');
    let release = () => {};
    service.sessionAnswered = new Promise((resolve) => {
      release = resolve;
    });
    const late = queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => 'given up');
    await type(must(document.querySelector('input'), 'field'), KEY);
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(address).toBe('/book/ETH');
    release();
    expect(await late).toBe('given up');
    expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(service.session);
  });

  it('an address of another site is not returned to', async () => {
    await open('/sign-in?next=//evil.example/x');
    await type(must(document.querySelector('input'), 'field'), KEY);
    await click(only(document.body, 'button[type=submit]'));
    await expect.poll(address).toBe('/book/BTC');
  });

  it('a service that does not answer is said, with a way to try again', async () => {
    service.reachable = false;
    await open('/book/BTC');
    await expect.poll(page).toContain('The service does not answer');
    expect(page()).toContain('Try again');
  });
});

describe('a session that ends', () => {
  it('[AUTH-9] leads to sign-in and keeps the address', async () => {
    await openBook('/book/BTC?tick=5');
    service.signedIn = false;
    const reason = { kind: 'credential', code: 'unauthorized', message: 'key revoked' } as const;
    worker().follower.connection = { kind: 'stopped', reason, since: 0 };
    worker().follower.emit({ kind: 'connection', connection: worker().follower.connection });
    await settle();
    await expect.poll(address).toBe('/sign-in?next=%2Fbook%2FBTC%3Ftick%3D5');
    await expect.poll(page).toContain('The session is over');
  });

  it('[AUTH-9] several refusals at once lead there once, with the address of the page', async () => {
    const queryClient = await openBook('/book/BTC?tick=5');
    service.signedIn = false;
    const refused = new ServiceError(401, { error: 'unauthorized', message: 'no', code: 401, msg: 'no' });
    const refuse = (name: string) =>
      queryClient.fetchQuery({ queryKey: [name], queryFn: () => Promise.reject(refused) }).catch(() => {});
    let release = () => {};
    service.sessionAnswered = new Promise((resolve) => {
      release = resolve;
    });
    await act(() => Promise.all([refuse('one'), refuse('another')]));
    release();
    await expect.poll(address).toContain('/sign-in');
    await expect.poll(page).toContain('The session is over');
    expect(address()).toBe('/sign-in?next=%2Fbook%2FBTC%3Ftick%3D5');
  });

  it('a lost connection alone leads nowhere', async () => {
    await openBook();
    const reason = { kind: 'failed', message: '' } as const;
    worker().follower.connection = { kind: 'waiting', attempt: 1, reason, since: 0, retryAt: 0 };
    worker().follower.emit({ kind: 'connection', connection: worker().follower.connection });
    await settle();
    await expect.poll(() => service.calls.filter(({ path }) => path === '/session').length).toBe(2);
    expect(address()).toBe('/book/BTC');
  });

  it('[AUTH-23] signing out ends the session and the worker', async () => {
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

describe('the address of a book', () => {
  it('[WEB-9] / leads to the first coin, and a coin with a colon keeps it', async () => {
    service.signedIn = true;
    await open('/');
    await expect.poll(address).toBe('/book/BTC');
    await openBook('/book/xyz:GOLD');
    expect(worker().asked('follow').at(-1)?.coin).toBe('xyz:GOLD');
    expect(address()).toBe('/book/xyz:GOLD');
  });

  it('[WEB-9] grouping and view are written into it', async () => {
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

  it('[WEB-9] what makes no sense is named and can be cleaned away', async () => {
    await openBook('/book/BTC?tick=banana&view=mid');
    expect(page()).toContain('tick=banana');
    await click(button('Dismiss'));
    expect(address()).toBe('/book/BTC?view=mid');
    expect(page()).not.toContain('banana');
  });

  it('[WEB-9] a tick the coin does not have is named with those it has', async () => {
    await openBook('/book/BTC?tick=0.00001');
    expect(page()).toContain('BTC is not grouped by 0.00001');
    expect(page()).toContain('0.1, 0.2, 0.5, 1');
  });

  it('a coin that is none says so and offers the others', async () => {
    service.signedIn = true;
    await open('/book/NOPE');
    await expect.poll(page).toContain('no perp coin “NOPE”');
    expect(worker().asked('follow')).toEqual([]);
  });

  it('an address that leads nowhere says so', async () => {
    await open('/nowhere');
    await expect.poll(page).toContain('There is no such page');
  });
});

describe('the pages to come', () => {
  const links = () => [...document.querySelectorAll<HTMLAnchorElement>('nav[aria-label=Pages] a')];
  const current = () => links().filter((link) => link.getAttribute('aria-current') === 'page');

  it('are links in their order, and the one that is open is marked', async () => {
    await openBook('/book/BTC');
    expect(links().map(({ textContent }) => textContent)).toEqual([
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

  it('[WEB-12] pause holds the book and says so; resume lets go', async () => {
    await openBook();
    await press(document.body, 'p');
    await settle();
    expect(part('ladder').dataset.paused).toBe('true');
    expect(page()).toContain('PAUSED');
    await press(document.body, 'p');
    await settle();
    expect(part('ladder').dataset.paused).toBe('false');
  });

  it('[WEB-2] rows that are not proven are desaturated, and the page says why', async () => {
    await openBook();
    expect(part('ladder').dataset.stale).toBe('false');
    const reason = { kind: 'silent', silentMs: 8_000 } as const;
    worker().follower.connection = { kind: 'waiting', attempt: 1, reason, since: 0, retryAt: 0 };
    worker().follower.emit({ kind: 'connection', connection: worker().follower.connection });
    await settle();
    expect(part('ladder').dataset.stale).toBe('true');
    expect(part('integrity').dataset).toMatchObject({ state: 'stale', reason: 'the connection went silent' });
  });

  it('[WEB-8] a level in the address opens its orders in queue order, and Escape closes it', async () => {
    await openBook();
    const { book } = worker().follower.coin('BTC') ?? {};
    const px = must(book?.best('B')?.px, 'bids');
    const wanted = book?.queue('B', px).map(({ order }) => String(order.oid));
    await openBook(`/book/BTC?tick=0.1&level=B${px}`);
    await settle();
    const rows = [...document.querySelectorAll<HTMLElement>('[data-part=inspector] [data-oid]')];
    expect(rows.map((row) => row.dataset.oid)).toEqual(wanted);
    expect(rows.map((row) => row.dataset.place)).toEqual(wanted?.map((_, place) => String(place)));
    await press(document.body, 'Escape');
    expect(address()).toBe('/book/BTC?tick=0.1');
    expect(document.querySelector('[data-part=inspector]')).toBeNull();
  });

  it('[WEB-14] every key is on a sheet', async () => {
    await openBook();
    await press(document.body, '?');
    const sheet = only(document.body, 'dialog').textContent ?? '';
    for (const text of ['Recentre', 'Pause or resume', 'Choose a coin', 'Coarser grouping', 'Close the level']) {
      expect(sheet).toContain(text);
    }
  });
});
