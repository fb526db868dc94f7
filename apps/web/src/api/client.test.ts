// @vitest-environment happy-dom
import { maxMarketOrderNtls, spotClearinghouseStates } from '@l4desk/client';
import type { Address } from '@l4desk/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { changeAccount } from '../state/account.ts';
import { spentLately } from '../state/burn.ts';
import { accountClient } from './client.ts';

afterEach(() => changeAccount(undefined));

const wallets = Array.from({ length: 500 }, (_, at): Address => `0x${at.toString(16).padStart(40, '0')}`);

it('aborts an account’s calls when it leaves, so that a long refresh is not charged to the next one', async () => {
  let calls = 0;
  let release = () => {};
  const responded = new Promise<void>((resolve) => {
    release = resolve;
  });
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    calls += 1;
    await responded;
    init.signal?.throwIfAborted();
    return Response.json([]);
  });
  changeAccount('acc_a');
  const refresh = spotClearinghouseStates(accountClient(), { users: wallets });
  await expect.poll(() => calls).toBe(4);
  changeAccount('acc_b');
  release();
  const { results } = await refresh;
  expect(results.every(({ kind }) => kind === 'failed')).toBe(true);
  expect(spentLately(Date.now())).toBe(0);
  await maxMarketOrderNtls(accountClient());
  expect(spentLately(Date.now())).toBe(1);
});
