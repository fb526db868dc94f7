import { ServiceError, WalletError, type WalletResult } from '@l4desk/client';
import type { Address, SpotBalanceSlot } from '@l4desk/protocol';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { click, only, render } from '../../test-support/render.ts';
import { applyRound, type Balances, EMPTY_BALANCES } from '../../wallets/balances/balance-store.ts';
import { entriesOf, failedOf } from '../../wallets/balances/sums.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { FailedNotice } from './failed-notice.tsx';

type Result = WalletResult<SpotBalanceSlot>;

const wallets = Array.from({ length: 6 }, (_, at) => {
  const address: Address = `0x${String(at).padStart(40, '0')}`;
  return { ...plainWallet(address), label: at === 5 ? '' : `wall-${at + 1}` };
});

const good = (at: number): Result => {
  const user = wallets[at]?.address ?? '0x';
  return { kind: 'state', user, state: { user, balances: [] } };
};
const bad = (at: number, message = 'upstream_error: too busy'): Result => {
  const user = wallets[at]?.address ?? '0x';
  return { kind: 'failed', user, error: new WalletError(user, message) };
};

const NOW = Date.UTC(2026, 4, 5);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  return () => vi.useRealTimers();
});

async function show(balances: Balances, onlyFailed = false) {
  const entries = entriesOf(wallets, balances, NOW);
  const onOnlyFailed = vi.fn<(only: boolean) => void>();
  const onRetry = vi.fn<(users: readonly Address[]) => void>();
  const { container } = await render(
    <FailedNotice
      balances={balances}
      failed={failedOf(entries)}
      wallets={wallets.length}
      isBusy={false}
      onlyFailed={onlyFailed}
      onOnlyFailed={onOnlyFailed}
      onRetry={onRetry}
    />,
  );
  return { container, onOnlyFailed, onRetry };
}

const ALL = [0, 1, 2, 3, 4, 5];

describe('[BATCH-18] the band for failed wallets', () => {
  it('names the first four and counts the others; when pressed, it shows all wallets again', async () => {
    const { container, onOnlyFailed } = await show(
      applyRound(
        EMPTY_BALANCES,
        ALL.map((at) => bad(at)),
        NOW,
      ),
      true,
    );
    expect(container.textContent).toContain('wall-1, wall-2, wall-3, wall-4 +2.');
    expect(container.textContent).toContain('There are no earlier values');
    await click(only(container, '[aria-pressed=true]'));
    expect(onOnlyFailed).toHaveBeenCalledWith(false);
  });

  it('mentions earlier numbers only if there are some, when whole calls failed', async () => {
    const error = new ServiceError(504, { error: 'upstream_timeout', message: 'too slow', code: 504, msg: 'too slow' });
    const failed = wallets.map(({ address: user }): Result => ({ kind: 'failed', user, error }));
    const first = await show(applyRound(EMPTY_BALANCES, failed, NOW));
    expect(first.container.textContent).toContain(
      'The exchange took too long. Too slow. Nothing was charged. Try again.',
    );
    const later = await show(applyRound(applyRound(EMPTY_BALANCES, ALL.map(good), NOW), failed, NOW));
    expect(later.container.textContent).toContain('the data on screen is from the last successful load');
  });
});

it('[WEB-17] says on the retry button that a batch is charged even if every wallet fails again', async () => {
  const { container } = await show(applyRound(EMPTY_BALANCES, [bad(0), bad(1)], NOW));
  const retry = only(container, 'button[aria-describedby]');
  expect(retry.textContent).toBe('Retry these 2 wallets 25 credits');
  const says = document.querySelector(`[id="${retry.getAttribute('aria-describedby')}"]`);
  expect(says?.textContent).toBe('Charged for any response, even if every wallet fails again.');
});
