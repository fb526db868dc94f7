// @vitest-environment happy-dom
import { maxMarketOrderNtls, orderStatus, spotClearinghouseStates } from '@l4desk/client';
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

it('starts twelve calls at once, and the next ones in order as responses come or fail', async () => {
  const started: number[] = [];
  const respond: ((isReachable: boolean) => void)[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { readonly body: string }) => {
    const number = started.push(JSON.parse(body).oid) - 1;
    const isReachable = await new Promise<boolean>((resolve) => (respond[number] = resolve));
    if (!isReachable) throw new TypeError('network');
    return Response.json({ status: 'unknownOid' });
  });
  changeAccount('acc_a');
  const [user = '0x0000000000000000000000000000000000000000'] = wallets;
  const calls = Array.from({ length: 15 }, (_, oid) =>
    orderStatus(accountClient(), { user, oid }).catch(() => 'failed'),
  );
  await expect.poll(() => started.length).toBe(12);
  respond[3]?.(true);
  await expect.poll(() => started.at(-1)).toBe(12);
  respond[7]?.(false);
  await expect.poll(() => started.at(-1)).toBe(13);
  changeAccount('acc_b');
  for (let at = 0; at < 15; at += 1) {
    await expect.poll(() => respond.length).toBeGreaterThan(at);
    respond[at]?.(true);
  }
  expect((await Promise.all(calls)).filter((result) => result === 'failed')).toHaveLength(1);
});
