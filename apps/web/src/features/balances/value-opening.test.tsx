import type { Address } from '@l4desk/protocol';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { usePreferences } from '../../state/preferences.ts';
import { type FakeService, type InfoBody, refusal } from '../../test-support/fake-service.ts';
import { must } from '../../test-support/must.ts';
import { openApp, signIn } from '../../test-support/open-app.tsx';
import { act, button, click, only, unmountAll } from '../../test-support/render.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { useWalletBook } from '../../wallets/wallet-book.ts';

const A: Address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const SUMMARY = { accountValue: '7.5', totalNtlPos: '0.0', totalRawUsd: '7.5', totalMarginUsed: '0.0' };

let service: FakeService;
let isDown = true;
/** Every wallet fails in the responses about perps. */
let failsPerps = false;
/** The key is refused the responses about perps. */
let isForbidden = false;
/** What the exchange says of account modes; undefined if the call fails, null if it is not asked for. */
let mode: string | null | undefined = null;

/** Spot balances can always be read; all that the value needs besides fails while `isDown`. */
function respond({ type, users = [] }: InfoBody): unknown {
  if (type === 'batchSpotClearinghouseState')
    return users.map((user) => ({
      user,
      balances: [{ coin: 'USDC', token: 0, total: '10.5', hold: '0.0', entryNtl: '0.0' }],
      ...(mode === null ? {} : { tokenToAvailableAfterMaintenance: [[0, '10.5']] }),
    }));
  if (isDown) throw new TypeError('Failed to fetch');
  if (type === 'spotMetaAndAssetCtxs') return [{ tokens: [], universe: [] }, []];
  if (type === 'metaAndAssetCtxs') return [{ universe: [], marginTables: [], collateralToken: 0 }, []];
  if (type === 'userAbstraction') {
    if (mode === undefined) throw new TypeError('Failed to fetch');
    return mode;
  }
  if (type === 'batchClearinghouseState' && isForbidden) return refusal(403, 'wrong_credential');
  if (type === 'batchClearinghouseState' && failsPerps)
    return users.map((user) => ({ user, error: 'upstream_error', message: 'too busy' }));
  if (type === 'batchClearinghouseState')
    return users.map((user) => ({
      user,
      marginSummary: SUMMARY,
      crossMarginSummary: SUMMARY,
      crossMaintenanceMarginUsed: '0.0',
      withdrawable: '7.5',
      assetPositions: [],
      time: 1,
    }));
  return undefined;
}

const text = () => document.body.textContent;
const total = () => document.querySelector('[data-part=value-sum]')?.getAttribute('data-total');
const calls = () => service.calls.filter(({ path }) => path === '/info').length;

const visit = (path: string) =>
  act(async () => {
    history.pushState({}, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  });

/** Opens another page and comes back. */
async function reopen() {
  await visit('/usage');
  await expect.poll(text).toContain('no ServiceKey');
  await visit('/balances?view=value');
  await expect.poll(text).toMatch(/Load the value|Worth|Loading…/);
}

const load = () => click(only(document.body, '[data-part=value-sum] button'));
const refreshButton = () => button('Refresh');
const refresh = () => click(refreshButton());

beforeEach(() => {
  isDown = true;
  failsPerps = false;
  isForbidden = false;
  mode = null;
  service = signIn({ demo: false });
  service.info = respond;
  useWalletBook.setState({ wallets: [plainWallet(A)], hasExamples: true });
});

it('a value that failed is loaded again when the page is opened, within the price rule', async () => {
  usePreferences.setState({ autoLoadCredits: 100 });
  await openApp('/balances?view=value');
  await expect.poll(text).toContain('Value: ');
  isDown = false;
  await reopen();
  await expect.poll(total).toBe('18');
});

it('a press loads a value that failed on an earlier visit, and one that was loaded then', async () => {
  usePreferences.setState({ autoLoadCredits: 25 });
  await openApp('/balances?view=value');
  await expect.poll(text).toContain('Load the value');
  await load();
  await expect.poll(text).toContain('Value: ');
  isDown = false;
  await reopen();
  const before = calls();
  await load();
  await expect.poll(total).toBe('18');
  const price = calls() - before;
  await reopen();
  await expect.poll(() => refreshButton().disabled).toBe(false);
  await refresh();
  const withBalances = price + 1;
  await expect.poll(calls).toBe(before + price + withBalances);
});

it('a refresh in which every wallet fails keeps the last perps, and says so', async () => {
  isDown = false;
  usePreferences.setState({ autoLoadCredits: 100 });
  await openApp('/balances?view=value');
  await expect.poll(total).toBe('18');
  failsPerps = true;
  await refresh();
  await expect.poll(text).toContain('Value: Every wallet failed.');
  expect(total()).toBe('18');
});

it('account modes that failed are loaded again by a refresh, at their price', async () => {
  isDown = false;
  mode = undefined;
  usePreferences.setState({ autoLoadCredits: 100 });
  await openApp('/balances?view=value');
  await expect.poll(text).toContain('perp equity: account mode not loaded (1 wallet)');
  expect(total()).toBe('10.5');
  await expect.poll(() => refreshButton().textContent).toContain('53 credits');
  mode = 'disabled';
  await refresh();
  await expect.poll(total).toBe('18');
});

it('a refresh loads again the mode of an account, which may have become a unified one, at the price of its button', async () => {
  isDown = false;
  mode = 'disabled';
  usePreferences.setState({ autoLoadCredits: 100 });
  await openApp('/balances?view=value');
  await expect.poll(total).toBe('18');
  const before = calls();
  expect(refreshButton().textContent).toContain('53 credits');
  mode = 'unifiedAccount';
  await refresh();
  await expect.poll(total).toBe('10.5');
  // Balances, perps, marks, prices and the mode.
  await expect.poll(calls).toBe(before + 5);
  mode = undefined;
  await refresh();
  await expect.poll(text).toContain('Value: ');
  expect(total()).toBe('10.5');
});

it('after a reload the value is loaded within a limit that does not cover its account modes, which are known', async () => {
  isDown = false;
  mode = 'disabled';
  usePreferences.setState({ autoLoadCredits: 27 });
  await openApp('/balances?view=value');
  await expect.poll(label).toMatch(/Load the value.*28 credits/);
  await load();
  await expect.poll(total).toBe('18');
  dispatchEvent(new Event('pagehide'));
  await unmountAll();
  await openApp('/balances?view=value');
  await expect.poll(total).toBe('18');
  expect(made('batchClearinghouseState')).toHaveLength(2);
  expect(made('userAbstraction')).toHaveLength(1);
});

/** Responses to these queries wait for the returned function. */
function holdBack(isHeld: (body: InfoBody) => boolean): () => void {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  service.info = async (body) => {
    if (isHeld(body)) await arrival;
    return respond(body);
  };
  return arrive;
}

it.each([
  ['batchSpotClearinghouseState', 'value'],
  ['batchClearinghouseState', 'positions'],
  ['userAbstraction', 'value'],
  ['metaAndAssetCtxs', 'positions'],
  ['spotMetaAndAssetCtxs', 'value'],
])('no worth and no positions are shown while %s is on its way', async (kind, view) => {
  isDown = false;
  mode = 'disabled';
  usePreferences.setState({ autoLoadCredits: 100 });
  const arrive = holdBack((body) => body.type === kind);
  const { cache } = await openApp(`/balances?view=${view}`);
  await expect.poll(() => made(kind).length).toBe(1);
  await expect.poll(() => cache().isFetching({ queryKey: ['info'] })).toBe(1);
  // Balances first.
  expect(made('batchClearinghouseState')).toHaveLength(kind === 'batchSpotClearinghouseState' ? 0 : 1);
  expect(text()).toContain(kind === 'batchSpotClearinghouseState' ? 'Loading balances…' : 'Loading the value…');
  expect(text()).not.toMatch(/Not in the worth|No open positions|not loaded/);
  expect(document.querySelector('[role=grid]')).toBeNull();
  arrive();
  await expect.poll(total).toBe('18');
  await expect.poll(text).toMatch(view === 'value' ? /Worth/ : /No open positions on the loaded dexes/);
});

it('no worth is shown while the perps of one of the dexes in the address are on their way', async () => {
  isDown = false;
  usePreferences.setState({ autoLoadCredits: 100 });
  const arrive = holdBack(({ type, dex }) => type === 'batchClearinghouseState' && dex === 'xyz');
  const { cache } = await openApp('/balances?view=value&dex=xyz');
  await expect.poll(() => made('batchClearinghouseState').length).toBe(2);
  await expect.poll(() => cache().isFetching({ queryKey: ['info'] })).toBe(1);
  expect(text()).toContain('Loading the value…');
  expect(text()).not.toContain('Not in the worth');
  arrive();
  await expect.poll(total).toBe('25.5');
});

it.each([
  ['repeats a mode that failed', undefined],
  ['finds an account that may be unified', null],
])('a worth that is shown stays while a refresh %s', async (_, first) => {
  isDown = false;
  mode = first;
  usePreferences.setState({ autoLoadCredits: 100 });
  const { cache } = await openApp('/balances?view=value');
  await expect.poll(text).toContain(first === undefined ? 'account mode not loaded' : 'Worth');
  const before = made('userAbstraction').length;
  mode = 'disabled';
  const arrive = holdBack(({ type }) => type === 'userAbstraction');
  await refresh();
  await expect.poll(() => made('userAbstraction').length).toBe(before + 1);
  await expect.poll(() => cache().isFetching({ queryKey: ['info'] })).toBe(1);
  expect(text()).not.toContain('Loading the value…');
  expect(document.querySelector('[role=grid]')).not.toBeNull();
  expect(total()).toBe('10.5');
  arrive();
  await expect.poll(total).toBe('18');
});

it('positions that are not loaded are not “none”', async () => {
  isDown = false;
  usePreferences.setState({ autoLoadCredits: 25 });
  await openApp('/balances?view=positions');
  await expect.poll(text).toContain('What these wallets are worth is not loaded.');
  expect(text()).not.toContain('No open positions');
  await load();
  await expect.poll(text).toContain('No open positions on the loaded dexes.');
});

const B: Address = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
const label = () => document.querySelector('[data-part=value-sum] button')?.textContent;
const made = (type: string) =>
  service.calls.filter(({ body }) => typeof body === 'object' && body !== null && 'type' in body && body.type === type);

it('a press loads the value of the chosen wallets: a search shows some of them for nothing, others wait for a press', async () => {
  isDown = false;
  usePreferences.setState({ autoLoadCredits: 25 });
  useWalletBook.setState({ wallets: [{ ...plainWallet(A), label: 'alice' }, plainWallet(B)], hasExamples: true });
  await openApp(`/balances?view=value&w=${A},${B}`);
  await expect.poll(label).toContain('Load the value');
  await load();
  await expect.poll(total).toBe('36');
  const before = calls();
  await visit(`/balances?view=value&w=${A},${B}&q=alice`);
  await expect.poll(total).toBe('18');
  expect(calls()).toBe(before);
  await visit(`/balances?view=value&w=${A}`);
  await expect.poll(label).toContain('Load the value');
  expect(made('batchClearinghouseState')).toHaveLength(1);
});

it('the price of loading other wallets includes their account modes, although the prices are there', async () => {
  isDown = false;
  mode = 'disabled';
  usePreferences.setState({ autoLoadCredits: 26 });
  useWalletBook.setState({ wallets: [plainWallet(A), plainWallet(B)], hasExamples: true });
  await openApp(`/balances?view=value&w=${A}`);
  await expect.poll(label).toMatch(/Load the value.*28 credits/);
  await load();
  await expect.poll(total).toBe('18');
  expect(refreshButton().textContent).toContain('53 credits');
  await visit(`/balances?view=value&w=${A},${B}`);
  await expect.poll(label).toMatch(/Load the value.*28 credits/);
  expect(made('userAbstraction')).toHaveLength(1);
  await load();
  await expect.poll(total).toBe('36');
  expect(made('userAbstraction')).toHaveLength(2);
});

it('the notice of a missing group cannot be dismissed if nothing would be left: that would choose every wallet', async () => {
  const dismiss = () => document.querySelectorAll('[role=alert] button[aria-label=Dismiss]').length;
  await openApp('/balances?w=g:none');
  await expect.poll(text).toContain('has no group “none”');
  expect(dismiss()).toBe(0);
  await visit(`/balances?w=${A},g:none`);
  await expect.poll(dismiss).toBe(1);
});

it('the value waits for the balances of every wallet, although some are there', async () => {
  isDown = false;
  usePreferences.setState({ autoLoadCredits: 100 });
  useWalletBook.setState({ wallets: [plainWallet(A), plainWallet(B)], hasExamples: true });
  const { cache } = await openApp(`/balances?w=${A}`);
  await expect.poll(text).toContain('10.5');
  const arrive = holdBack(({ type }) => type === 'batchSpotClearinghouseState');
  await visit(`/balances?view=value&w=${A},${B}`);
  await expect.poll(() => made('batchSpotClearinghouseState')).toHaveLength(2);
  await expect.poll(() => cache().isFetching({ queryKey: ['info'] })).toBe(1);
  await expect.poll(text).toContain('Loading balances…');
  expect(made('batchClearinghouseState')).toHaveLength(0);
  expect(label()).toBeUndefined();
  arrive();
  await expect.poll(total).toBe('36');
});

it('balances and value of 100 wallets cost 102 credits: within a limit of 100, the value waits for a press', async () => {
  isDown = false;
  usePreferences.setState({ autoLoadCredits: 100 });
  const wallets = Array.from({ length: 100 }, (_, at) => plainWallet(`0x${String(at).padStart(40, '0')}`));
  useWalletBook.setState({ wallets, hasExamples: true });
  const { cache } = await openApp('/balances?view=value');
  await expect.poll(label).toMatch(/Load the value.*52 credits/);
  expect(cache().isFetching({ queryKey: ['info'] })).toBe(0);
  expect(made('batchSpotClearinghouseState')).toHaveLength(2);
  expect(calls()).toBe(2);
  await load();
  await expect.poll(total).toBe('1800');
});

it('the roles of empty wallets wait for a press if they exceed the limit together with the value', async () => {
  isDown = false;
  usePreferences.setState({ autoLoadCredits: 53 });
  useWalletBook.setState({ wallets: [plainWallet(A), plainWallet(B)], hasExamples: true });
  service.info = (body) =>
    body.type === 'batchSpotClearinghouseState' ? body.users?.map((user) => ({ user, balances: [] })) : respond(body);
  await openApp('/balances?view=value');
  await expect.poll(total).toBe('15');
  expect(button('Load their roles').textContent).toContain('2 credits');
  expect(made('userRole')).toHaveLength(0);
});

const nextText = () => document.querySelector('[data-part=next]')?.textContent;
const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));
const autoButton = () => button('Auto: ');
const everyMinute = () => must([...document.querySelectorAll('label')].find(isEveryMinute), 'every minute');
const isEveryMinute = ({ textContent }: Element) => textContent.startsWith('Every 1 min');

describe('an automatic refresh', () => {
  beforeEach(() => {
    isDown = false;
    usePreferences.setState({ autoLoadCredits: 100 });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
  });

  it('loads the value too while it is shown, and its price and the meter say so', async () => {
    await openApp('/balances?view=value');
    await expect.poll(total).toBe('18');
    const before = made('batchClearinghouseState').length;
    await click(autoButton());
    expect(everyMinute().textContent).toContain('74,880 credits/day');
    await click(everyMinute());
    await pass(61_000);
    await expect.poll(() => made('batchClearinghouseState').length).toBe(before + 1);
    expect(made('batchSpotClearinghouseState')).toHaveLength(2);
    await expect.poll(() => document.querySelector('[aria-label^="Credits: 52 a minute"]')).not.toBeNull();
  });

  it('chosen for the balances pauses where the value makes it dearer, until it is chosen there', async () => {
    await openApp('/balances');
    await expect.poll(() => made('batchSpotClearinghouseState')).toHaveLength(1);
    await click(autoButton());
    await click(everyMinute());
    await visit('/balances?view=value');
    await expect.poll(nextText).toBe('auto-refresh paused: now 52 credits each, chosen at 25');
    const before = calls();
    await pass(61_000);
    expect(calls()).toBe(before);
    await click(autoButton());
    await click(everyMinute());
    expect(nextText()).toContain('74,880 credits a day');
    await pass(61_000);
    await expect.poll(calls).toBe(before + 4);
  });

  it('goes on for the balances after the value was refused', async () => {
    await openApp('/balances?view=value');
    await expect.poll(total).toBe('18');
    isForbidden = true;
    await refresh();
    await expect.poll(text).toContain('Value: ');
    await click(autoButton());
    await click(everyMinute());
    expect(nextText()).toContain('36,000 credits a day');
    const before = made('batchClearinghouseState').length;
    await pass(61_000);
    await expect.poll(() => made('batchSpotClearinghouseState')).toHaveLength(3);
    expect(made('batchClearinghouseState')).toHaveLength(before);
    expect(nextText()).toContain('36,000 credits a day');
  });
});

it('in the view of the value, loading the first balances loads only these, at their price', async () => {
  isDown = false;
  usePreferences.setState({ autoLoadCredits: 0 });
  await openApp('/balances?view=value');
  await vi.waitFor(() => expect(button('Load 1 wallet').textContent).toBe('Load 1 wallet 25 credits'));
  await click(button('Load 1 wallet'));
  await expect.poll(label).toContain('Load the value');
  await expect.poll(() => made('batchSpotClearinghouseState')).toHaveLength(1);
  expect(calls()).toBe(1);
});
