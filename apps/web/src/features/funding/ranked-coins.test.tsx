import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { metaAndAssetCtxsQuery } from '../../api/metaAndAssetCtxs.ts';
import { makeQueryClient } from '../../api/query-client.ts';
import { SessionProvider } from '../../api/session-context.tsx';
import { usePreferences } from '../../state/preferences.ts';
import { FakeService } from '../../test-support/fake-service.ts';
import { render, unmountAll } from '../../test-support/render.ts';
import { nextFundings, RankedCoins } from './ranked-coins.tsx';

const market = {
  funding: '0.0000125',
  openInterest: '1.0',
  prevDayPx: '10.0',
  dayNtlVlm: '1.0',
  premium: '0.0',
  oraclePx: '10.0',
  markPx: '10.0',
} as const;
const coin = { name: 'BTC', szDecimals: 2, maxLeverage: 10, marginTableId: 1 };

let service: FakeService;

beforeEach(() => {
  service = new FakeService();
  service.signedIn = true;
});
afterEach(() => usePreferences.setState(usePreferences.getInitialState(), true));

const ranked = (queryClient = makeQueryClient()) =>
  render(
    <QueryClientProvider client={queryClient}>
      <SessionProvider value={service.session}>
        <RankedCoins coins={[]} credits={1} onAdd={() => undefined} />
      </SessionProvider>
    </QueryClientProvider>,
  );

it.each([
  ['not loaded, because only the rates are loaded', 1, undefined, 'it is not loaded'],
  ['failed', 25, undefined, 'it could not be loaded'],
  ['not reported', 25, [], 'the exchange does not report it'],
])('the time of the next funding is %s', async (_, autoLoadCredits, predicted, expected) => {
  usePreferences.setState({ autoLoadCredits });
  service.info = ({ type }) => (type === 'predictedFundings' ? predicted : undefined);
  const queryClient = makeQueryClient();
  // As the overview loaded them.
  queryClient.setQueryData(metaAndAssetCtxsQuery.queryKey, [
    { universe: [coin], marginTables: [], collateralToken: 0 },
    [market],
  ]);
  const { container } = await ranked(queryClient);
  await expect
    .poll(() => container.querySelector('[data-part=next-funding]')?.textContent)
    .toMatch(new RegExp(`, if hourly: ${expected}$`));
});

it('rates that failed to load, or are of an earlier hour, are loaded again when the tab is opened', async () => {
  service.info = () => {
    throw new TypeError('Failed to fetch');
  };
  const queryClient = makeQueryClient();
  const open = async () => {
    const { container } = await ranked(queryClient);
    return () => container.textContent;
  };
  const failed = await open();
  await expect.poll(failed).toContain('Try again');
  await unmountAll();
  const markets = [{ universe: [coin], marginTables: [], collateralToken: 0 }, [market]];
  service.info = ({ type }) => (type === 'metaAndAssetCtxs' ? markets : []);
  const loaded = await open();
  await expect.poll(loaded).toContain('Load all coins again');
  await unmountAll();
  const calls = service.calls.length;
  const old = Date.now() - 3_700_000;
  queryClient.setQueryData(metaAndAssetCtxsQuery.queryKey, (data) => data, { updatedAt: old });
  await open();
  await expect.poll(() => service.calls.length).toBe(calls + 1);
});

it('open interest and volume are whole USDC, exact in the tooltips; the change of a day is that of the mark', async () => {
  const big = { ...market, openInterest: '12.34567', prevDayPx: '80000.0', markPx: '81307.5', dayNtlVlm: '1234567.89' };
  service.info = ({ type }) =>
    type === 'metaAndAssetCtxs' ? [{ universe: [coin], marginTables: [], collateralToken: 0 }, [big]] : [];
  const { container } = await ranked();
  const cell = (id: string) => container.querySelector<HTMLElement>(`[data-row="0"] [data-column=${id}]`);
  await expect.poll(() => cell('notional')?.textContent).toBe('1,003,795');
  expect(cell('notional')?.title).toBe('1,003,795.563525 USDC, 12.34567 BTC');
  expect([cell('volume')?.textContent, cell('volume')?.title]).toEqual(['1,234,567', '1,234,567.89 USDC']);
  expect(cell('change')?.textContent).toBe('+1.63 %');
});

it('the next funding of a coin is that of this exchange, and unknown where it reports none', () => {
  const next = nextFundings([
    [
      'BTC',
      [
        ['BinPerp', { nextFundingTime: 8 }],
        ['HlPerp', { nextFundingTime: 3_600_000, fundingRate: '0.1' }],
      ],
    ],
    ['ETH', [['HlPerp', null]]],
    ['SOL', [['HlPerp', { nextFundingTime: '3600000' }]]],
    ['DOGE', [['BinPerp', { nextFundingTime: 8 }]]],
  ]);
  expect([...next]).toEqual([['BTC', 3_600_000]]);
});
