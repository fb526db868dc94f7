import { beforeEach, expect, it } from 'vitest';
import { usePreferences } from '../../state/preferences.ts';
import type { FakeService } from '../../test-support/fake-service.ts';
import { openApp, signIn } from '../../test-support/open-app.tsx';
import { button, click, only } from '../../test-support/render.ts';

const LIMITS = [[40, '15000000.0']];
const CONTEXT = { funding: '0.0', openInterest: '0.0', prevDayPx: '1.0', dayNtlVlm: '0.0', oraclePx: '1.0' };
/** The markets with BTC at this mark. */
const marksAt = (markPx: string) => [
  { universe: [{ name: 'BTC', szDecimals: 5, maxLeverage: 40 }] },
  [{ ...CONTEXT, markPx }],
];

let service: FakeService;
const callsOf = (type: string) => service.calls.filter(({ body }) => JSON.stringify(body)?.includes(type)).length;
const calls = () => callsOf('maxMarketOrderNtls');
const text = () => document.body.textContent;

/** Opens another page and comes back. */
async function reopen() {
  await click(only(document.body, 'nav a[href^="/usage"]'));
  await expect.poll(text).toContain('no ServiceKey');
  await click(only(document.body, 'nav a[href^="/limits"]'));
  await expect.poll(text).toContain('Global limits');
}

beforeEach(() => {
  service = signIn();
  service.info = () => {
    throw new TypeError('Failed to fetch');
  };
});

it('limits that failed to load are loaded again when the page is opened, within the price rule', async () => {
  await openApp('/limits');
  await expect.poll(text).toContain('failed to load');
  expect(calls()).toBe(1);
  service.info = () => LIMITS;
  await reopen();
  await expect.poll(text).toContain('1 bucket');
  expect(calls()).toBe(2);
  await reopen();
  await expect.poll(text).toContain('1 bucket');
  expect(calls()).toBe(2);
});

it('the one refresh loads the limits and the marks, for a price that it states', async () => {
  service.info = ({ type }) => (type === 'maxMarketOrderNtls' ? LIMITS : marksAt('81307.0'));
  await openApp('/limits');
  await expect.poll(text).toContain('At the mark of 81,307.0');
  service.info = ({ type }) => (type === 'maxMarketOrderNtls' ? LIMITS : marksAt('75000.0'));
  await click(button(/^Refresh.*2 credits$/));
  await expect.poll(text).toContain('At the mark of 75,000.0 that is 200.00000');
  expect([calls(), callsOf('metaAndAssetCtxs')]).toEqual([2, 2]);
});

it('limits and prices that fail in the same way after a load are reported once, and tried again together', async () => {
  service.info = ({ type }) => (type === 'maxMarketOrderNtls' ? LIMITS : marksAt('81307.0'));
  await openApp('/limits');
  await expect.poll(text).toContain('At the mark of 81,307.0');
  service.info = () => {
    throw new TypeError('Failed to fetch');
  };
  await click(button(/^Refresh.*2 credits$/));
  await expect.poll(text).toContain('The service did not respond.');
  expect(text()).not.toContain('Prices:');
  service.info = ({ type }) => (type === 'maxMarketOrderNtls' ? LIMITS : marksAt('75000.0'));
  await click(button(/^Try again 2 credits$/));
  await expect.poll(text).toContain('At the mark of 75,000.0');
});

it('prices that fail cost the limits nothing: they are tried again alone, for their own price', async () => {
  service.info = ({ type }) => {
    if (type === 'maxMarketOrderNtls') return LIMITS;
    throw new TypeError('Failed to fetch');
  };
  await openApp('/limits');
  await expect.poll(text).toContain('Prices: The service did not respond.');
  expect(text()).not.toMatch(/stale|last successful load/);
  const size = () => document.querySelector('td[data-column=size]')?.textContent;
  expect(size(), 'not known, because the call failed').toBe('?');
  service.info = () => marksAt('81307.0');
  await click(button(/^Try again 1 credit$/));
  await expect.poll(text).toContain('At the mark of 81,307.0');
  expect(text()).not.toContain('Prices:');
  expect(size()).toBe('184.48596');
  expect([calls(), callsOf('metaAndAssetCtxs')]).toEqual([1, 2]);
});

it('the limits are loaded automatically for one credit, and the prices by a press beside the result', async () => {
  usePreferences.setState({ autoLoadCredits: 1 });
  service.info = ({ type }) => (type === 'maxMarketOrderNtls' ? LIMITS : marksAt('81307.0'));
  await openApp('/limits');
  await expect.poll(text).toContain('The price of BTC is not known');
  expect([calls(), callsOf('metaAndAssetCtxs')]).toEqual([1, 0]);
  await click(button(/^Load the prices 1 credit$/));
  await expect.poll(text).toContain('At the mark of 81,307.0');
  expect([calls(), callsOf('metaAndAssetCtxs')]).toEqual([1, 1]);
});

it('a link may name the coin in another letter case, or as another venue does', async () => {
  service.info = ({ type }) => (type === 'maxMarketOrderNtls' ? LIMITS : marksAt('81307.0'));
  await openApp('/limits?coin=eth-perp');
  await expect.poll(text).toContain('The price of ETH');
  expect(text()).not.toContain('does not recognize');
});
