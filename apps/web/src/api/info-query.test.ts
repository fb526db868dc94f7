// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query';
import { expect, it, onTestFinished } from 'vitest';
import { infoQuery } from './info-query.ts';
import { makeQueryClient } from './query-client.ts';

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
