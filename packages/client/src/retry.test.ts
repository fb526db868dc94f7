import { respondError } from '@l4desk/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient, maxMarketOrderNtls, type RetryOptions } from './index.ts';
import { InfoService, type Responder, respondJson } from './test-support/info-service.ts';

let service: InfoService;
let waits: number[];
beforeAll(async () => {
  service = await InfoService.start(() => {});
});
beforeEach(() => {
  service.asked.length = 0;
  waits = [];
});
afterAll(() => service[Symbol.asyncDispose]());

/** Sends these responses in turn, then repeats the last one. */
function responses(...list: readonly Responder[]): void {
  service.respond = (asked, response) => list[Math.min(service.asked.length, list.length) - 1]?.(asked, response);
}

const busy =
  (retryAfter?: string): Responder =>
  (_, response) =>
    respondError(response, 'upstream_busy', 'the exchange is busy', {
      headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
    });
const done: Responder = (_, response) => respondJson(response, [[40, '1.0']]);

/** A client whose waits end at once and are recorded. */
function ask(retry?: RetryOptions, signal?: AbortSignal): Promise<unknown> {
  const clock = {
    now: () => 0,
    after(afterMs: number, callback: () => void) {
      waits.push(afterMs);
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
  const client = createClient({ baseUrl: service.url, clock, random: () => 0 });
  return maxMarketOrderNtls(client, {}, { ...(retry && { retry }), ...(signal && { signal }) });
}

describe('retry', () => {
  it('happens only if requested', async () => {
    responses(busy('1'), done);
    await expect(ask()).rejects.toMatchObject({ code: 'upstream_busy', retryAfterMs: 1_000 });
    expect(service.asked).toHaveLength(1);
  });

  it('waits as long as the service asks', async () => {
    responses(busy('1'), busy('7'), done);
    expect(await ask({ times: 2 })).toEqual([[40, '1.0']]);
    expect(waits).toEqual([1_000, 7_000]);
  });

  it('waits longer each time if the service does not say how long, up to the longest wait', async () => {
    responses(busy(), busy(), busy(), busy('no number'), done);
    await ask({ times: 9, longestWaitMs: 3_000 });
    expect(waits).toEqual([500, 1_000, 2_000, 3_000]);
  });

  it('stops after that many times, with the last failure', async () => {
    responses(busy('1'));
    await expect(ask({ times: 3 })).rejects.toMatchObject({ code: 'upstream_busy' });
    expect(service.asked).toHaveLength(4);
  });

  it('stops at once if it would have to wait longer than allowed', async () => {
    responses(busy('31'), done);
    await expect(ask({ times: 3 })).rejects.toMatchObject({ retryAfterMs: 31_000 });
    expect(service.asked).toHaveLength(1);
  });

  it('honours a proxy that asks to come back later', async () => {
    responses((_, response) => response.writeHead(429, { 'Retry-After': '2' }).end('<html>'), done);
    await ask({ times: 1 });
    expect(waits).toEqual([2_000]);
  });

  it.each<[string, Responder]>([
    ['a refusal', (_, response) => respondError(response, 'invalid_request', 'no')],
    ['an exchange that failed', (_, response) => respondError(response, 'upstream_error', 'no')],
    ['a lost response, which may have been charged', (_, response) => response.destroy()],
    ['a response of another shape', (_, response) => respondJson(response, {})],
  ])('leaves %s to the caller', async (_, response) => {
    responses(response);
    await expect(ask({ times: 3 })).rejects.toThrow();
    expect(service.asked).toHaveLength(1);
  });

  it('stops waiting when the signal aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const client = createClient({
      baseUrl: service.url,
      clock: {
        now: () => 0,
        after() {
          queueMicrotask(() => controller.abort(reason));
          return () => waits.push(-1);
        },
      },
    });
    responses(busy('1'), done);
    const options = { retry: { times: 1 }, signal: controller.signal };
    await expect(maxMarketOrderNtls(client, {}, options)).rejects.toBe(reason);
    expect(waits).toEqual([-1]);
  });
});
