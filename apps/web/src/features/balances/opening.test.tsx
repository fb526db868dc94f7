import { WalletError } from '@l4desk/client';
import type { Address, DecimalString } from '@l4desk/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { keep } from '../../state/kept-values.ts';
import { usePreferences } from '../../state/preferences.ts';
import type { FakeService } from '../../test-support/fake-service.ts';
import { openApp, signIn } from '../../test-support/open-app.tsx';
import { applyRound, EMPTY_BALANCES, STALE_AFTER_MS } from '../../wallets/balances/balance-store.ts';
import { BALANCES_NAME, keptBalances } from '../../wallets/balances/use-balances.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { useWalletBook } from '../../wallets/wallet-book.ts';

const A: Address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const B: Address = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';

const slot = (user: Address, total: DecimalString) => ({
  user,
  balances: [{ coin: 'USDC', token: 0, total, hold: '0.0', entryNtl: '0.0' }],
});
const good = (user: Address) => ({ kind: 'state', user, state: slot(user, '10.5') }) as const;
const failed = (user: Address) =>
  ({ kind: 'failed', user, error: new WalletError(user, 'upstream_error: too busy') }) as const;

let service: FakeService;
const batches = () =>
  service.calls.flatMap(({ body }) =>
    typeof body === 'object' && body !== null && 'users' in body ? [body.users] : [],
  );

/** Opens the page with what an earlier visit stored. */
async function visit(ageMs: number, results: readonly (ReturnType<typeof good> | ReturnType<typeof failed>)[][]) {
  const at = Date.now() - ageMs;
  const balances = results.reduce((before, round, later) => applyRound(before, round, at + later), EMPTY_BALANCES);
  await keep(BALANCES_NAME, keptBalances(balances));
  await openApp('/balances');
}

beforeEach(() => {
  service = signIn({ demo: false });
  service.info = ({ users = [] }) => users.map((user) => slot(user as Address, '11'));
  useWalletBook.setState({ wallets: [plainWallet(A), plainWallet(B)], hasExamples: true });
});

describe('opening the balances page', () => {
  const both = [good(A), good(B)];
  it.each([
    ['wallets that failed before', 60_000, [both, [failed(A), good(B)]], [[A]]],
    ['wallets whose values are stale', STALE_AFTER_MS + 60_000, [both], [[A, B]]],
    ['nothing that is current', 60_000, [both], []],
  ])('reads %s, within the price rule', async (_, ageMs, results, expected) => {
    await visit(ageMs, results);
    await expect.poll(() => document.querySelectorAll('[data-state=ok]').length).toBe(2);
    expect(batches()).toEqual(expected);
  });
});

it('when every wallet fails, the totals keep the last known sums, marked, and the error is shown once', async () => {
  usePreferences.setState({ autoLoadCredits: 0 });
  await visit(60_000, [
    [good(A), good(B)],
    [failed(A), failed(B)],
  ]);
  const shown = () => document.body.textContent;
  await expect.poll(shown).toContain('Last known total');
  expect(shown()).toContain('Last good values and their sums are shown greyed.');
  const visible = [...document.querySelectorAll('span, p')].filter(
    (part) =>
      part.children.length === 0 && part.textContent.includes('too busy') && !part.classList.contains('sr-only'),
  );
  expect(visible).toHaveLength(1);
});
