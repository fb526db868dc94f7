import type { Address } from '@l4desk/protocol';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeQueryClient } from '../../api/query-client.ts';
import { SessionProvider } from '../../api/session-context.tsx';
import { userFillsQuery } from '../../api/userFills.ts';
import { usePreferences } from '../../state/preferences.ts';
import { FakeService } from '../../test-support/fake-service.ts';
import { must } from '../../test-support/must.ts';
import { act, render } from '../../test-support/render.ts';
import { type Fills, useFills } from './use-fills.ts';
import { ORDERS_STALE_AFTER_MS } from './use-order-calls.ts';

const WALLETS: readonly Address[] = [
  '0x00000000000000000000000000000000000000a1',
  '0x00000000000000000000000000000000000000b2',
];
const [A, B] = WALLETS as [Address, Address];

let service: FakeService;
let fills: Fills | undefined;
let queryClient: ReturnType<typeof makeQueryClient>;
const loaded = () =>
  service.calls.flatMap(({ body }) => (typeof body === 'object' && body !== null && 'user' in body ? [body.user] : []));

function Page({ besides }: { readonly besides: number }) {
  const shown = useFills(WALLETS, true, besides);
  useEffect(() => {
    fills = shown;
  });
  return null;
}

const open = (besides: number) =>
  render(
    <QueryClientProvider client={queryClient}>
      <SessionProvider value={service.session}>
        <Page besides={besides} />
      </SessionProvider>
    </QueryClientProvider>,
  );

const store = (address: Address, ageMs: number) =>
  queryClient.setQueryData(userFillsQuery(address).queryKey, [], { updatedAt: Date.now() - ageMs });

beforeEach(() => {
  service = new FakeService();
  service.signedIn = true;
  service.info = () => [];
  queryClient = makeQueryClient();
  usePreferences.setState({ ...usePreferences.getInitialState(), autoLoadCredits: 4 }, true);
  return () => usePreferences.setState(usePreferences.getInitialState(), true);
});

describe('the fills of two wallets under a limit of 4 credits', () => {
  it('are loaded automatically beside orders for 2 credits', async () => {
    await open(2);
    await expect.poll(() => fills?.price).toBe(0);
    expect(loaded()).toEqual([A, B]);
    expect(fills?.fillsOf).toBeDefined();
  });

  it('wait for a press beside orders for 3 credits', async () => {
    await open(3);
    expect(fills).toMatchObject({ price: 2, fillsOf: undefined, at: undefined });
    expect(loaded()).toEqual([]);
    await act(() => must(fills, 'fills').start());
    await expect.poll(() => fills?.price).toBe(0);
    expect(loaded()).toEqual([A, B]);
  });

  it.each([
    ['again if they are old, within the limit', 3, [A]],
    ['not again above the limit: their age shows that they are old', 4, []],
  ])('are loaded %s', async (_, besides, expected) => {
    store(A, ORDERS_STALE_AFTER_MS + 60_000);
    store(B, 1_000);
    const before = Date.now() - ORDERS_STALE_AFTER_MS;
    await open(besides);
    expect(fills?.fillsOf).toBeDefined();
    await expect.poll(() => fills?.isLoading).toBe(false);
    expect(loaded()).toEqual(expected);
    expect((fills?.at ?? 0) > before).toBe(expected.length > 0);
  });
});
