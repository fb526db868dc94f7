// @vitest-environment happy-dom
import { orderStatus } from '@l4desk/client';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { changeAccount } from '../state/account.ts';
import { infoQuery } from './info-query.ts';
import { makeQueryClient } from './query-client.ts';

afterEach(() => changeAccount(undefined));

it('what was kept after a failed refresh is not paid for again merely because another part of the page shows it', async () => {
  const cache = makeQueryClient();
  let calls = 0;
  const query = infoQuery(['meta'], () => {
    calls += 1;
    return calls === 2 ? Promise.reject(new Error('away')) : Promise.resolve({ calls });
  });
  const open = () => {
    const page = new QueryObserver(cache, query);
    onTestFinished(page.subscribe(() => {}));
    return page;
  };
  const first = open();
  await expect.poll(() => first.getCurrentResult().data).toEqual({ calls: 1 });
  await first.refetch();
  expect(first.getCurrentResult().isError).toBe(true);
  expect(open().getCurrentResult().isFetching).toBe(false);
  expect(calls).toBe(2);
  await open().refetch();
  expect(open().getCurrentResult().data).toEqual({ calls: 3 });
});

it('starts twelve calls at once, the next ones in order as responses come or fail, and none for the next account', async () => {
  const started: number[] = [];
  const respond: ((isReachable: boolean) => void)[] = [];
  vi.stubGlobal(
    'fetch',
    async (_: string, { body, signal }: { readonly body: string; readonly signal: AbortSignal }) => {
      signal.throwIfAborted();
      const number = started.push(JSON.parse(body).oid) - 1;
      const isReachable = number > 13 || (await new Promise<boolean>((resolve) => (respond[number] = resolve)));
      if (!isReachable) throw new TypeError('network');
      return Response.json({ status: 'unknownOid' });
    },
  );
  changeAccount('acc_a');
  const cache = makeQueryClient();
  const user = '0x0000000000000000000000000000000000000000';
  const calls = Array.from({ length: 15 }, (_, oid) =>
    cache
      .fetchQuery(infoQuery(['orderStatus', oid], (client, options) => orderStatus(client, { user, oid }, options)))
      .catch(() => 'failed'),
  );
  expect(started).toEqual([]);
  await expect.poll(() => started.length).toBe(12);
  respond[3]?.(true);
  await expect.poll(() => started.at(-1)).toBe(12);
  respond[7]?.(false);
  await expect.poll(() => started.at(-1)).toBe(13);
  changeAccount('acc_b');
  for (let at = 0; at < 14; at += 1) respond[at]?.(true);
  expect((await Promise.all(calls)).filter((result) => result === 'failed')).toHaveLength(2);
  expect(started).toEqual(Array.from({ length: 14 }, (_, oid) => oid));
});
