import type { FundingEntry } from '@l4desk/protocol';
import { Chance, FakeClock, respondError } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, type FundingPage, fundingHistoryPages, ServiceError } from '../index.ts';
import { type Asked, InfoService, respondJson } from '../test-support/info-service.ts';

const HOUR = 3_600_000;
const START = 1_778_000_000_000;
const NOW = START + 4_000 * HOUR;

let history: readonly FundingEntry[] = [];
let service: InfoService;
let client: Client;
beforeAll(async () => {
  service = await InfoService.start(() => {});
  client = createClient({ baseUrl: service.url, clock: new FakeClock(NOW) });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Responds as §4.5 specifies: both bounds inclusive, oldest first, at most 500. */
function bySpecification({ body }: Asked): readonly FundingEntry[] {
  const { startTime, endTime = NOW } = body as { startTime: number; endTime?: number };
  return history.filter(({ time }) => time >= startTime && time <= endTime).slice(0, 500);
}

const serve = () => {
  service.respond = (asked, response) => respondJson(response, bySpecification(asked));
  service.asked.length = 0;
};

function entries(times: readonly number[]): readonly FundingEntry[] {
  return times.map((time, index) => ({ coin: 'BTC', fundingRate: `${index + 1}`, premium: '-0.0001', time }));
}

/** One entry an hour, a few ms off, as on the exchange. */
function hourly(count: number): readonly FundingEntry[] {
  const chance = new Chance(count);
  return entries(Array.from({ length: count }, (_, index) => START + index * HOUR + Math.floor(chance.next() * 100)));
}

async function pagesOf(parameters: { readonly startTime: number; readonly endTime?: number }): Promise<FundingPage[]> {
  const pages: FundingPage[] = [];
  for await (const page of fundingHistoryPages(client, { coin: 'BTC', ...parameters })) pages.push(page);
  return pages;
}

describe('fundingHistoryPages', () => {
  it('[FUND-7] pages through 120 days with every entry once, and reports progress and credits', async () => {
    history = hourly(2_880);
    serve();
    const pages = await pagesOf({ startTime: START });
    expect(pages.flatMap((page) => page.entries)).toEqual(history);
    expect(pages.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(pages.map(({ credits }) => credits)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(service.asked).toHaveLength(6);
    const progress = pages.map((page) => page.progress);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress[0]).toBeCloseTo(499 / 4_000, 3);
    expect(progress.at(-1)).toBe(1);
  });

  it.each([
    [0, [0]],
    [1, [1]],
    [499, [499]],
    [500, [499, 1]],
    [501, [499, 2]],
    [1_000, [499, 499, 2]],
  ])('[FUND-7] returns %i entries in pages of %j', async (count, sizes) => {
    history = hourly(count);
    serve();
    expect((await pagesOf({ startTime: START })).map((page) => page.entries.length)).toEqual(sizes);
  });

  it('includes both bounds', async () => {
    history = hourly(1_200);
    serve();
    const [first, last] = [history[3]?.time ?? 0, history[1_001]?.time ?? 0];
    const pages = await pagesOf({ startTime: first, endTime: last });
    expect(pages.flatMap((page) => page.entries)).toEqual(history.slice(3, 1_002));
  });

  it('[FUND-7] loses and repeats nothing if the limit falls between entries of the same moment', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 900, minLength: 480 }),
        async (times) => {
          history = entries(times.map((time) => START + time).toSorted((a, b) => a - b));
          serve();
          const pages = await pagesOf({ startTime: START });
          expect(pages.flatMap((page) => page.entries)).toEqual(history);
          expect(pages.at(-1)?.nextStartTime).toBeUndefined();
        },
      ),
      { numRuns: 30 },
    );
  });

  it('[FUND-7] continues past a moment that fills a whole page', async () => {
    history = entries([...Array.from({ length: 500 }, () => START), START + 1]);
    serve();
    expect((await pagesOf({ startTime: START })).flatMap((page) => page.entries)).toEqual(history);
    history = history.slice(0, 500);
    serve();
    const pages = await pagesOf({ startTime: START, endTime: START });
    expect(pages.map((page) => page.entries.length)).toEqual([500]);
  });

  it('sends no more queries once iterating stops', async () => {
    history = hourly(2_880);
    serve();
    for await (const page of fundingHistoryPages(client, { coin: 'BTC', startTime: START })) {
      if (page.page === 2) break;
    }
    expect(service.asked).toHaveLength(2);
  });

  it('ends with the reason of the signal, even between pages', async () => {
    history = hourly(2_880);
    serve();
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const pages = fundingHistoryPages(client, { coin: 'BTC', startTime: START }, { signal: controller.signal });
    await pages.next();
    controller.abort(reason);
    await expect(pages.next()).rejects.toBe(reason);
    expect(service.asked).toHaveLength(1);
  });

  it('keeps the pages before a failure, and reports where to continue', async () => {
    history = hourly(1_100);
    serve();
    const got: FundingPage[] = [];
    const failing = async () => {
      for await (const page of fundingHistoryPages(client, { coin: 'BTC', startTime: START })) {
        got.push(page);
        service.respond = (_, response) => respondError(response, 'upstream_timeout', 'the exchange did not respond');
      }
    };
    await expect(failing()).rejects.toBeInstanceOf(ServiceError);
    serve();
    const rest = await pagesOf({ startTime: got.at(-1)?.nextStartTime ?? 0 });
    expect([...got, ...rest].flatMap((page) => page.entries)).toEqual(history);
  });

  it.each([
    ['out of order', entries([START + 5, START + 4]), 'fundingHistory[1].time'],
    ['from before the window', entries([START - 1]), 'fundingHistory[0].time'],
  ])('refuses entries %s, because their pages would not join', async (_, wrong, path) => {
    history = wrong;
    service.respond = (_asked, response) => respondJson(response, history);
    await expect(pagesOf({ startTime: START })).rejects.toMatchObject({ code: 'wire_format', path });
  });
});
