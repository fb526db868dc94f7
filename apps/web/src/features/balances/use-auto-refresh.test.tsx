import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Burner, onPaid, spentLately, useBurnRate } from '../../state/burn.ts';
import { must } from '../../test-support/must.ts';
import { act, render } from '../../test-support/render.ts';
import { readBalances } from '../../wallets/balances/use-balances.ts';
import { type AutoRefresh, dayCredits, useAutoRefresh } from './use-auto-refresh.ts';

let isHidden = false;

beforeEach(() => {
  vi.useFakeTimers();
  isHidden = false;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
});

afterEach(() => {
  vi.useRealTimers();
});

const hide = (hidden: boolean) =>
  act(async () => {
    isHidden = hidden;
    document.dispatchEvent(new Event('visibilitychange'));
  });

/** Advances the time one minute at a time, so that the page renders in between as it would. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await act(async () => vi.advanceTimersByTimeAsync(60_000));
  }
}

async function start() {
  const refresh = vi.fn<() => void>();
  const seen: { auto?: AutoRefresh; burners?: readonly Burner[] } = {};
  function Probe({ refused = false, credits = 75 }: { readonly refused?: boolean; readonly credits?: number }) {
    seen.auto = useAutoRefresh({ credits, refresh, refused });
    seen.burners = useBurnRate();
    return null;
  }
  const { rerender } = await render(<Probe />);
  const set = (minutes: 1 | 5 | undefined) => act(async () => must(seen.auto).set(minutes));
  const cost = (credits: number) => rerender(<Probe credits={credits} />);
  return { refresh, seen, set, cost, refuse: () => rerender(<Probe refused />) };
}

describe('auto-refresh', () => {
  it('is off until it is switched on, then runs once per interval and counts in the meter', async () => {
    const { refresh, seen, set } = await start();
    await pass(60);
    expect(refresh).not.toHaveBeenCalled();
    expect(seen.burners).toEqual([]);
    await set(5);
    expect(refresh).not.toHaveBeenCalled();
    expect(seen.burners).toEqual([{ text: 'Balances, every 5 min', creditsPerMinute: 15 }]);
    await pass(15);
    expect(refresh).toHaveBeenCalledTimes(3);
    await set(undefined);
    await pass(60);
    expect(refresh).toHaveBeenCalledTimes(3);
    expect(seen.burners).toEqual([]);
    expect(dayCredits(5, 75)).toBe(21_600);
  });

  it('pauses while the page is hidden, spends nothing then, and runs one overdue refresh on return', async () => {
    const { refresh, seen, set } = await start();
    await set(1);
    await hide(true);
    expect(seen.burners).toEqual([]);
    await pass(30);
    expect(refresh).not.toHaveBeenCalled();
    await hide(false);
    await act(async () => vi.advanceTimersByTimeAsync(0));
    expect(refresh).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(refresh).toHaveBeenCalledTimes(2);
  });

  it('pauses while a refresh costs more than when it was chosen, until it is chosen at that price', async () => {
    const { refresh, seen, set, cost } = await start();
    await set(1);
    await cost(76);
    await pass(5);
    expect(refresh).not.toHaveBeenCalled();
    expect(seen.auto).toMatchObject({ minutes: 1, dueAt: undefined, agreed: 75 });
    expect(seen.burners).toEqual([]);
    await cost(75);
    await act(async () => vi.advanceTimersByTimeAsync(0));
    expect(refresh).toHaveBeenCalledTimes(1);
    await cost(76);
    await set(1);
    expect(seen.burners).toEqual([{ text: 'Balances, every 1 min', creditsPerMinute: 76 }]);
    await cost(25);
    await pass(1);
    expect(refresh).toHaveBeenCalledTimes(2);
  });

  it('stops at a refusal that would repeat for every further call', async () => {
    const { refresh, seen, set, refuse } = await start();
    await set(1);
    await refuse();
    await pass(5);
    expect(refresh).not.toHaveBeenCalled();
    expect(must(seen.auto).minutes).toBeUndefined();
  });

  it('counts in the meter by its rate, whichever of its calls is paid later, and a call by hand meanwhile beside it', async () => {
    // The refreshes above paid nothing.
    vi.setSystemTime(Date.now() + 86_400_000);
    const users = Array.from({ length: 60 }, (_, at) => `0x${String(at).padStart(40, '0')}` as const);
    vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
      const asked: { readonly users: readonly string[] } = JSON.parse(typeof body === 'string' ? body : '');
      return Response.json(asked.users.map((user) => ({ user, state: { balances: [] } })));
    });
    const paid = vi.fn<() => void>();
    const end = onPaid(paid);
    const queryClient = new QueryClient();
    const seen: { auto?: AutoRefresh } = {};
    let round: Promise<void> | undefined;
    const refresh = () => void (round = readBalances(queryClient, users));
    function Probe() {
      seen.auto = useAutoRefresh({ credits: 50, refresh, refused: false });
      return null;
    }
    await render(<Probe />);
    await act(async () => must(seen.auto).set(5));
    await pass(5);
    await act(() => must(round));
    expect(paid).toHaveBeenCalledTimes(2);
    expect(spentLately(Date.now())).toBe(0);
    await act(async () => readBalances(queryClient, users.slice(0, 1)));
    expect(spentLately(Date.now())).toBe(25);
    end();
    queryClient.clear();
    vi.unstubAllGlobals();
  });
});
