// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ticker } from '../state/ticker.ts';
import { ready } from '../test-support/readiness.ts';
import { readinessQuery } from './readiness.ts';

const TOOK_MS = 3_000;

it('sends the readiness call again at most once while the page is hidden, however long the calls take', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(ticker.subscribe(() => {}));
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const fetched = vi.fn<() => Promise<Response>>(
    () => new Promise<Response>((resolve) => setTimeout(() => resolve(Response.json(ready)), TOOK_MS)),
  );
  vi.stubGlobal('fetch', fetched);
  const response = new QueryClient().fetchQuery(readinessQuery);
  await vi.advanceTimersByTimeAsync(10 * TOOK_MS);
  expect(fetched.mock.calls.length).toBeLessThanOrEqual(2);
  expect((await response).tookMs).toBe(TOOK_MS);
});
