import type { Address, DecimalString } from '@l4desk/protocol';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MONTH_BASIS } from '../../api/account-usage/month-facts.ts';
import { readinessQuery } from '../../api/readiness.ts';
import { usageQuery } from '../../api/usage.ts';
import { keep, readKept } from '../../state/kept-values.ts';
import { usePreferences } from '../../state/preferences.ts';
import { useRecentActions } from '../../state/recents.ts';
import { type FakeService, refusal } from '../../test-support/fake-service.ts';
import { must } from '../../test-support/must.ts';
import { openApp, signIn } from '../../test-support/open-app.tsx';
import { ready } from '../../test-support/readiness.ts';
import { act, button, click, press, type, unmountAll } from '../../test-support/render.ts';
import { STALE_AFTER_MS } from '../../wallets/balances/balance-store.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { useWalletBook } from '../../wallets/wallet-book.ts';
import { order } from '../orders/test-support/orders.ts';

const A: Address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const B: Address = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
let service: FakeService;

beforeEach(() => {
  service = signIn();
});

/** The text of a tile; empty if it is not shown. */
const tile = (title: string) =>
  [...document.querySelectorAll('section')].find((section) =>
    section.querySelector('h2')?.textContent.startsWith(title),
  )?.textContent ?? '';

/** A response with the markets for these rates. */
const marketsOf = (rates: Readonly<Record<string, DecimalString>>) => [
  {
    universe: Object.keys(rates).map((name) => ({ name, szDecimals: 2, maxLeverage: 10, marginTableId: 1 })),
    marginTables: [],
    collateralToken: 0,
  },
  Object.values(rates).map((funding) => ({
    funding,
    openInterest: '1.0',
    prevDayPx: '10.0',
    dayNtlVlm: '1.0',
    premium: '0.0',
    oraclePx: '10.0',
    markPx: '10.0',
    midPx: '10.0',
    impactPxs: ['9.9', '10.1'],
    dayBaseVlm: '1.0',
  })),
];

it('the funding tile names no coin if all have one rate, and says that', async () => {
  const markets = marketsOf({ BTC: '0.0000125', ETH: '0.00001250', SOL: '0.0000125' });
  service.info = ({ type }) => (type === 'metaAndAssetCtxs' ? markets : undefined);
  await openApp('/');
  await expect
    .poll(() => tile('Funding'))
    .toMatch(/All 3 coins of the canonical dex have the same rate: \+0\.00125\s%\./);
  expect(tile('Funding')).not.toContain('Highest');
});

it('the first steps end once the last of them, the palette, was taken', async () => {
  const steps = () => document.querySelector('[aria-label="First steps"]');
  onTestFinished(() => void useRecentActions.setState({ items: [] }));
  await openApp('/');
  await expect.poll(steps).not.toBeNull();
  await press(document.body, 'k', { ctrlKey: true });
  const field = () => document.querySelector<HTMLInputElement>('dialog[open] [role=combobox]');
  await expect.poll(field).not.toBeNull();
  const palette = must(field(), 'the field of the palette');
  await type(palette, 'keyboard shortcuts');
  expect(steps()).not.toBeNull();
  await press(palette, 'Enter');
  await expect.poll(steps).toBeNull();
});

describe('the worth of two wallets', () => {
  const summary = { accountValue: '5', totalNtlPos: '0', totalRawUsd: '5', totalMarginUsed: '0' };
  const account = (user: string, position = {}) => ({
    user,
    marginSummary: summary,
    crossMarginSummary: summary,
    withdrawable: '5',
    assetPositions: [{ position: { coin: 'BTC', szi: '1', cumFunding: { sinceOpen: '12' }, ...position } }],
    time: 1,
  });
  const failed = { user: B, error: 'upstream_error', message: 'too busy' };

  /** Shows it with these perps, which cost less than the page may load automatically. */
  const showing = async (...perps: readonly unknown[]) => {
    usePreferences.setState({ autoLoadCredits: 100 });
    useWalletBook.setState({ wallets: [plainWallet(A), plainWallet(B)], hasExamples: true });
    const responses: Readonly<Record<string, unknown>> = {
      metaAndAssetCtxs: marketsOf({ BTC: '0.01', ETH: '0.02' }),
      spotMetaAndAssetCtxs: [{ tokens: [], universe: [] }, []],
      batchClearinghouseState: perps,
    };
    service.info = ({ type, users }) => responses[type] ?? users?.map((user) => ({ user, balances: [] }));
    await openApp('/');
    await expect.poll(() => document.querySelector('[data-part=worth]')).not.toBeNull();
  };

  it('leaves the liquidation prices unmonitored after a refresh in which only the marks fail', async () => {
    await showing(account(A, { liquidationPx: '5' }), account(B));
    await expect.poll(() => tile('Alarms')).not.toContain('(worth');
    const { info } = service;
    service.info = (body) => {
      if (body.type === 'metaAndAssetCtxs') throw new TypeError('Failed to fetch');
      return info?.(body);
    };
    await click(button('Refresh Balances'));
    await expect.poll(() => tile('Alarms')).toContain('(worth not refreshed)');
  });

  it('that became stale leaves the liquidation prices unmonitored', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    await showing(account(A, { liquidationPx: '5' }), account(B));
    await expect.poll(() => tile('Alarms')).not.toContain('(worth');
    vi.setSystemTime(Date.now() + STALE_AFTER_MS);
    await act(async () => vi.advanceTimersByTimeAsync(60_000));
    await expect.poll(() => tile('Alarms')).toContain('(worth is stale)');
  });

  it('is listed by wallet in a wide window, with the failed ones marked, and the age of the oldest shown part', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    vi.stubGlobal('matchMedia', (query: string) =>
      Object.assign(new EventTarget(), { matches: query === '(min-width: 1280px)' }),
    );
    await showing(account(A), account(B));
    await act(async () => vi.advanceTimersByTimeAsync(300_000));
    const usual = service.info;
    const lost = new Set<string>([B]);
    service.info = (query) =>
      query.type === 'batchSpotClearinghouseState'
        ? query.users?.map((user) => (lost.has(user) ? { ...failed, user } : { user, balances: [] }))
        : usual?.(query);
    await click(button('Refresh Balances'));
    const state = (address: Address) => document.querySelector(`tr[data-key="${address}"]`)?.getAttribute('data-state');
    await expect.poll(() => state(B)).toBe('error');
    expect(state(A)).toBe('ok');
    expect(tile('Wallets')).toMatch(/^Wallets ›\d+ s old/);
    lost.add(A);
    await act(async () => vi.advanceTimersByTimeAsync(300_000));
    await click(button('Refresh Wallets'));
    await expect.poll(() => state(A)).toBe('error');
    expect(tile('Wallets'), 'the last values of both').toMatch(/^Wallets ›stale · 10 m old/);
  });

  it('and the changes of a refresh have the rows that the tokens leave', async () => {
    vi.stubGlobal('matchMedia', (query: string) =>
      Object.assign(new EventTarget(), { matches: query === '(min-height: 800px)' }),
    );
    const { assetPositions, ...rest } = account(A);
    const positions = 'A B C D E F G H I J'.split(' ').map((coin) => ({
      position: { ...must(assetPositions[0], 'position').position, coin },
    }));
    await showing({ ...rest, assetPositions: positions }, account(B));
    const usual = service.info;
    const holding = (total: string) => {
      const balances = [1, 2, 3, 4].map((token) => ({ coin: `T${token}`, token, total, hold: '0', entryNtl: '0' }));
      service.info = (query) =>
        query.type === 'batchSpotClearinghouseState'
          ? query.users?.map((user) => ({ user, balances }))
          : usual?.(query);
    };
    const rows = (part: string, row: string) => document.querySelectorAll(`[aria-label="${part}"] ${row}`).length;
    const refresh = async () => {
      // While something is loading, the worth for example, a press does nothing.
      await expect.poll(() => button('Refresh Balances').disabled).toBe(false);
      await click(button('Refresh Balances'));
    };
    holding('1');
    await refresh();
    await expect.poll(() => rows('Sums by token', 'tbody tr')).toBe(4);
    holding('2');
    await refresh();
    await expect.poll(() => tile('Balances')).toContain('in the last refresh');
    expect(tile('Balances')).toContain('5 of 8 changes');
    expect(rows('Changes in the last refresh', 'li') + rows('Positions', 'tbody tr') + 4).toBe(18);
  });

  it('shows no funding of the positions while those of a wallet are missing', async () => {
    await showing(account(A), failed);
    await expect.poll(() => tile('Balances')).toContain('Not in the worth: perps: failed (1 wallet)');
    await expect.poll(() => tile('Funding')).toContain('Highest');
    expect(document.querySelector('[data-part=own-funding]')).toBeNull();
  });

  it.each([
    ['15', '≤ 50.00 %'],
    ['200', '?'],
  ])('of which one is missing: a liquidation price of %s at a mark of 10 is %s away', async (liquidationPx, away) => {
    await showing(account(A, { szi: '-1', liquidationPx }), failed);
    const cells = () =>
      [...document.querySelectorAll('[aria-label="Positions"] [role=cell]')].map(({ textContent }) => textContent);
    await expect.poll(() => cells().at(-1)).toBe(away);
  });
});

/** One spot pair and its tokens. */
const META = {
  tokens: [
    { name: 'USDC', szDecimals: 8, weiDecimals: 8, index: 0, tokenId: '0x1', isCanonical: true },
    { name: 'HYPE', szDecimals: 2, weiDecimals: 8, index: 150, tokenId: '0x2', isCanonical: true },
  ],
  universe: [{ name: '@107', tokens: [150, 0], index: 107, isCanonical: false }],
};

it.each([
  ['its level in the book', 'BTC', '1.5', /^\/book\/BTC\?level=B1\.5$/, 'next: BTC buy at 1.5, 8,500.00 bps away'],
  ['the orders of a spot pair, which has no book', '@107', '9.99', /^\/orders\?(?:.*&)?coin=(?:@|%40)107$/, 'next: '],
] as const)('the order nearest to the mid is linked to %s', async (_, coin, limitPx, address, says) => {
  usePreferences.setState({ autoLoadCredits: 100 });
  useWalletBook.setState({ wallets: [plainWallet(A)], hasExamples: true });
  const mid = '10.0';
  const spot = { coin: '@107', midPx: mid, markPx: mid, prevDayPx: mid, dayNtlVlm: '0', circulatingSupply: '0' };
  service.info = ({ type, users }) => {
    if (type === 'metaAndAssetCtxs') return marketsOf({ BTC: '0.01' });
    if (type === 'spotMeta') return META;
    if (type === 'spotMetaAndAssetCtxs') return [META, [spot]];
    if (type === 'frontendOpenOrders') return [order({ coin, limitPx })];
    return users?.map((user) => ({ user, balances: [] }));
  };
  await openApp('/');
  const near = () => document.querySelector('[data-part=near-mid]');
  await expect.poll(() => near()?.querySelector('a')?.getAttribute('href')).toMatch(address);
  expect(near()?.textContent).toContain(says);
});

describe('stored values', () => {
  it.each([
    ['is of now', STALE_AFTER_MS / 3, /^Funding › ?\d+ m old/, /^Open orders › ?\d+ m old/],
    ['is stale', STALE_AFTER_MS + 60_000, /^Funding › ?stale · \d+ m old/, /^Open orders › ?stale · \d+ m old/],
  ])('%s by age alone, and show their age like a mid', async (_, ageMs, funding, orders) => {
    usePreferences.setState({ autoLoadCredits: 0 });
    service.session = { ...service.session, expiresAt: Date.now() + 7 * 86_400_000 };
    useWalletBook.setState({ wallets: [plainWallet(A)], hasExamples: true });
    const at = Date.now() - ageMs;
    const none = { count: 0, sz: '0', notional: '0' };
    const coins = [{ coin: 'BTC', bids: { count: 1, sz: '2', notional: '20' }, asks: none, triggers: 0 }];
    await keep('overview markets', { at, value: [{ coin: 'ETH', mid: '10.5', funding: '0.0000125' }] });
    await keep('overview orders', { at, value: { wallets: A, answered: 1, coins } });
    await openApp('/');
    await expect.poll(() => tile('Funding')).toMatch(funding);
    await expect.poll(() => tile('Open orders')).toMatch(orders);
    const row = [...document.querySelectorAll('tr')].find(({ textContent }) => textContent.startsWith('ETH'));
    expect(row?.textContent).toMatch(/10\.5.*mid \d+ m old/);
    expect(service.calls.filter(({ path }) => path === '/info')).toEqual([]);
    expect(tile('Alarms')).toMatch(/No problems\. Monitored: the service.*Not monitored: .*credits \(no ServiceKey\)/);
    expect(tile('Alarms')).toContain('wallets (balances of 0 of 1 wallet are current)');
  });
});

describe('the names of spot pairs', () => {
  it('are kept, and shown after a reload although the service does not respond', async () => {
    useWalletBook.setState({ wallets: [plainWallet(A)], hasExamples: true });
    service.info = ({ type }) =>
      type === 'spotMeta' ? META : type === 'frontendOpenOrders' ? [order({ coin: '@107' })] : undefined;
    await openApp('/');
    await expect.poll(() => tile('Open orders')).toContain('HYPE/USDC @107');
    await expect.poll(() => readKept('spot names')).toMatchObject({ value: { '@107': 'HYPE/USDC' } });
    await unmountAll();
    service.info = () => undefined;
    await openApp('/');
    await expect.poll(() => tile('Open orders')).toContain('HYPE/USDC @107');
  });
});

describe('the books of a service whose upstream has not responded', () => {
  it('are not “loading”, and are listed once there are coins', async () => {
    service.coins = [];
    await openApp('/');
    await expect.poll(() => tile('Books')).toContain('does not know the exchange’s coins yet');
    expect(tile('Books')).not.toContain('Loading');
    service.coins = ['BTC', 'ETH'];
    await expect.poll(() => tile('Books')).toMatch(/BTC.*ETH/);
  });
});

it.each([
  [`/?w=${A}`, `w=${A}`],
  ['/', ''],
])('the links of %s lead to the pages of the same wallets', async (path, w) => {
  useWalletBook.setState({ wallets: [plainWallet(A), plainWallet(B)], hasExamples: true });
  let total = '10.5';
  service.info = ({ type, users }) => {
    if (type === 'frontendOpenOrders') return [order()];
    return users?.map((user) => ({
      user,
      balances: [{ coin: 'HYPE', token: 150, total, hold: '0.0', entryNtl: '0.0' }],
    }));
  };
  await openApp(path);
  await expect.poll(() => tile('Balances')).toMatch(/HYPE.*no earlier data/);
  await expect.poll(() => tile('Open orders')).toContain('resting');
  total = '11.5';
  await click(button('Refresh Balances'));
  await expect.poll(() => tile('Balances')).toContain('in the last refresh');
  const links = [...document.querySelectorAll('main a')].flatMap((link) => link.getAttribute('href') ?? []);
  const [all, more] = w === '' ? ['', '?'] : [`?${w}`, `?${w}&`];
  for (const link of [`/balances${all}`, `/balances${more}open=${A}`, `/orders${all}`, `/orders${more}coin=BTC`])
    expect(links).toContain(link);
});

it('too few credits are explained once, and named in each tile', async () => {
  useWalletBook.setState({ wallets: [plainWallet(A), plainWallet(B)], hasExamples: true });
  service.info = () => refusal(402, 'credits_exhausted');
  await openApp('/');
  for (const title of ['Balances', 'Open orders', 'Funding']) {
    await expect.poll(() => tile(title)).toContain('! Not loaded: too few credits');
    expect(tile(title)).not.toContain('Nothing was charged');
  }
  expect(document.body.textContent.match(/Nothing was charged/g)).toHaveLength(1);
});

describe('after a failed refresh', () => {
  const refresh = async (title: string) => {
    await vi.waitFor(() => expect(button(`Refresh ${title}`).disabled).toBe(false));
    await click(button(`Refresh ${title}`));
  };

  beforeEach(() => {
    useWalletBook.setState({ wallets: [plainWallet(A), plainWallet(B)], hasExamples: true });
    const balance = { coin: 'HYPE', token: 150, total: '10.5', hold: '0.0', entryNtl: '0.0' };
    service.info = ({ type }) => {
      if (type === 'batchSpotClearinghouseState') return [A, B].map((user) => ({ user, balances: [balance] }));
      if (type === 'metaAndAssetCtxs') return marketsOf({ BTC: '0.0003', ETH: '-0.00002' });
      return type === 'frontendOpenOrders' ? [order()] : undefined;
    };
  });

  it('of the orders of one wallet, neither the others count as old nor it as without orders', async () => {
    const { info } = service;
    service.info = (query) => (query.type === 'frontendOpenOrders' ? (query.user === B ? undefined : []) : info(query));
    await openApp('/');
    await expect.poll(() => tile('Open orders')).toMatch(/! 1 of 2 wallets: .* · \d+ s ago\./);
    expect(tile('Open orders')).toContain('No open orders in 1 of 2 wallets.');
    expect(tile('Open orders')).not.toContain('last successful load');
  });

  it('the sums of the last values stay, stale and with their age, while all wallets are failed', async () => {
    await openApp('/');
    await expect.poll(() => tile('Balances')).toMatch(/HYPE21.*2 wallets · no earlier data/);
    service.reachable = false;
    await refresh('Balances');
    await expect.poll(() => tile('Balances')).toMatch(/stale · \d+ s old.*The service did not respond/);
    expect(tile('Balances')).toMatch(
      /The service did not respond · \d+ s ago\..*HYPE21.*2 wallets, 2 failed \d+ s ago/,
    );
    expect(tile('Alarms')).toMatch(/2 of 2 wallets failed.*No balance was refreshed\./);
  });
});

describe('while the service does not respond to paid calls', () => {
  const SILENT = /The service did not respond/;
  const unreachable = () => {
    throw new TypeError('Failed to fetch');
  };

  const pressed = (text: string) =>
    must(
      [...document.querySelectorAll('button')].find((one) => one.textContent.startsWith(text)),
      text,
    );

  it('a tile says that it responds again only once it responded after the failure', async () => {
    const markets = marketsOf({ BTC: '0.0003', ETH: '-0.00002' });
    service.info = ({ type }) => (type === 'metaAndAssetCtxs' ? markets : undefined);
    const { cache } = await openApp('/');
    await expect.poll(() => tile('Funding')).toMatch(/\d+ s old/);
    // No response after this one, as if the service hung.
    service.readyResponded = new Promise(() => {});
    await cache().cancelQueries({ queryKey: readinessQuery.queryKey });
    service.info = unreachable;
    await click(button('Refresh Funding'));
    await expect.poll(() => tile('Funding')).toContain('did not respond');
    expect(tile('Funding')).toContain('The page keeps checking whether it responds.');
    service.readyResponded = Promise.resolve();
    await act(async () => cache().refetchQueries({ queryKey: readinessQuery.queryKey }));
    await expect.poll(() => tile('Funding')).toContain('It responds again: refresh.');
  });

  it.each([
    [
      'is reported beside wallets that failed for another reason',
      { error: 'upstream_error', message: 'too busy' },
      [/All wallets failed/, SILENT],
    ],
    ['is reported once for wallets and worth', undefined, [SILENT]],
  ])('a worth that was not loaded %s', async (_, refusal, reports) => {
    usePreferences.setState({ autoLoadCredits: 0 });
    useWalletBook.setState({ wallets: [plainWallet(A)], hasExamples: true });
    const balances = [{ coin: 'HYPE', token: 150, total: '10.5', hold: '0.0', entryNtl: '0.0' }];
    service.info = ({ type, users }) =>
      type === 'batchSpotClearinghouseState' ? users?.map((user) => ({ user, balances })) : undefined;
    await openApp('/');
    await expect.poll(() => tile('Balances')).toContain('Load 1 wallet');
    await click(pressed('Load 1 wallet'));
    await expect.poll(() => tile('Balances')).toContain('HYPE');
    service.info = ({ type, users }) =>
      type === 'batchSpotClearinghouseState' && refusal !== undefined
        ? users?.map((user) => ({ user, ...refusal }))
        : unreachable();
    await click(button('Refresh Balances'));
    await expect.poll(() => tile('Balances')).toMatch(/failed \d+ s ago/);
    await click(pressed('Load the worth'));
    await expect.poll(() => pressed('Load the worth').disabled).toBe(false);
    expect(tile('Balances').match(/! [^·!]*· \d+ s ago\./g)).toEqual(
      reports.map((report) => expect.stringMatching(report)),
    );
  });
});

describe('a book that the service holds and the page does not follow', () => {
  const eth = { coin: 'ETH', state: 'live', since: 0, reason: null, height: 1, epoch: 'e', seq: 1 } as const;

  it('is exact at the service only while the upstream brings blocks', async () => {
    service.readiness = { ...ready, books: { ETH: eth } };
    await openApp('/');
    await expect.poll(() => tile('Books')).toContain('exact at the service');
    await unmountAll();
    const blocks = { ageMs: 9_000, usualMs: 70, suspectAfterMs: 1_000 };
    service.readiness = { ...service.readiness, upstreamL4: { status: 'ok', ageMs: 9_000, blocks } };
    await openApp('/');
    await expect.poll(() => tile('Books')).toContain('suspect at the service');
    expect(tile('Books')).not.toContain('exact');
  });

  it('has no state at a service that does not respond', async () => {
    service.readiness = { ...ready, books: { ETH: eth } };
    const { cache } = await openApp('/');
    await expect.poll(() => tile('Books')).toContain('exact at the service');
    service.reachable = false;
    await cache().refetchQueries({ queryKey: readinessQuery.queryKey });
    await expect.poll(() => tile('Books')).not.toContain('at the service');
  });
});

it('once the service responds again, what is free is loaded, and nothing that costs credits', async () => {
  const { session } = service;
  service.session = { ...session, credentials: { ...session.credentials, service: { shown: 's', label: '' } } };
  const respond = globalThis.fetch;
  let isOffline = true;
  const paths: string[] = [];
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const path = url.replace(location.origin, '');
    if (path !== '/session') paths.push(path);
    return isOffline && path !== '/session' ? Promise.reject(new TypeError('Failed to fetch')) : respond(url, init);
  });
  const { cache } = await openApp('/');
  await expect.poll(() => tile('Credits')).toContain('The service did not respond');
  await expect.poll(() => tile('Funding')).toContain('The service did not respond');
  const { length: paid } = paths.filter((path) => path === '/info');
  isOffline = false;
  await expect.poll(() => cache().getQueryData(usageQuery(MONTH_BASIS).queryKey)).toBeDefined();
  await expect.poll(() => tile('Books')).toContain('ETH');
  expect(tile('Credits')).not.toContain('did not respond');
  expect(tile('Funding')).toContain('The service did not respond');
  expect(paths.filter((path) => path === '/info')).toHaveLength(paid);
});
