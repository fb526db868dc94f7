import { ServiceError, TransportError } from '@l4desk/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from '../test-support/render.ts';
import { makeQueryClient } from './query-client.ts';
import { useDueQueries, useRepeatOnce } from './use-due-queries.ts';

const STALE_AFTER_MS = 60_000;
const OPENED_AT = Date.UTC(2026, 4, 5);

const queryClient = makeQueryClient();
const calls: string[] = [];
const queryOf = (name: string) => ({
  queryKey: ['info', name],
  queryFn: () => {
    calls.push(name);
    return Promise.reject(new TransportError('network', 'gone'));
  },
});
const QUERIES = [
  'without a response',
  'being loaded',
  'failed before',
  'refused before',
  'failed since',
  'old',
  'old by now',
  'failed with an old response',
].map(queryOf);
const [, pending, failed, refused, failedSince, old, oldByNow, failedRefresh] = QUERIES;

const refusal = new ServiceError(400, { error: 'unknown_coin', message: 'no', code: 400, msg: 'no' });
const succeed = (query: (typeof QUERIES)[number] | undefined, updatedAt: number) =>
  queryClient.setQueryData(query?.queryKey ?? [], ['a response'], { updatedAt });

async function fail(query: (typeof QUERIES)[number] | undefined, at: number, error: Error) {
  vi.setSystemTime(at);
  await queryClient
    .fetchQuery({ queryKey: query?.queryKey ?? [], queryFn: () => Promise.reject(error), staleTime: 0 })
    .catch(() => undefined);
}

function Page({ allowed }: { readonly allowed: boolean }) {
  const due = useDueQueries(QUERIES, STALE_AFTER_MS);
  useRepeatOnce(due, allowed);
  return due.map(({ queryKey }) => queryKey[1]).join(', ');
}

const page = (allowed: boolean) => (
  <QueryClientProvider client={queryClient}>
    <Page allowed={allowed} />
  </QueryClientProvider>
);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  queryClient.clear();
  calls.length = 0;
  const loading = queryClient.fetchQuery({ queryKey: pending?.queryKey ?? [], queryFn: () => new Promise(() => {}) });
  loading.catch(() => undefined);
  await fail(failed, OPENED_AT - 1, new TransportError('network', 'gone'));
  await fail(refused, OPENED_AT - 1, refusal);
  succeed(failedRefresh, OPENED_AT - 2);
  await fail(failedRefresh, OPENED_AT - 1, new TransportError('network', 'gone'));
  await fail(failedSince, OPENED_AT, new TransportError('network', 'gone'));
  succeed(old, OPENED_AT - STALE_AFTER_MS - 1);
  succeed(oldByNow, OPENED_AT - STALE_AFTER_MS);
  vi.setSystemTime(OPENED_AT);
});

afterEach(() => vi.useRealTimers());

it('what has no response, failed and may succeed, or was old when the page was opened is due', async () => {
  const { container, rerender } = await render(page(false));
  const due = 'without a response, being loaded, failed before, old, failed with an old response';
  expect(container.textContent).toBe(due);
  vi.setSystemTime(OPENED_AT + STALE_AFTER_MS);
  await rerender(page(false));
  expect(container.textContent).toBe(due);
});

it('once the price allows it, what failed or is old is repeated, once', async () => {
  const { rerender } = await render(page(false));
  expect(calls).toEqual([]);
  await rerender(page(true));
  expect(calls).toEqual(['failed before', 'old', 'failed with an old response']);
  await rerender(page(false));
  await rerender(page(true));
  await rerender(page(true));
  expect(calls).toHaveLength(3);
});
