import { readFileSync } from 'node:fs';
import { Chance, fixture, ScriptedService } from '@l4desk/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bookOf, figures, queuePlaces } from './insight/index.ts';
import { InfoService, type Responder, respondJson } from './test-support/info-service.ts';
import { Recorder } from './test-support/recorder.ts';

const PACKAGE = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', PACKAGE), 'utf8');

/** The programs of the README, by the file name in their first line. */
const programs = new Map(
  [...readme.matchAll(/```ts\n\/\/ (examples\/\w+\.ts)\n([^]*?)```/g)].map(([, path = '', text = '']) => [path, text]),
);

const RESPONSES: Readonly<Record<string, Responder>> = {
  openOrders: (_, response) => respondJson(response, fixture('openOrders')),
  fundingHistory: ({ body }, response) => {
    if (body?.coin === 'BTC') return respondJson(response, funding(body.startTime as number));
    const error = { error: 'unknown_coin', message: 'no such coin', code: 400, msg: 'no such coin', path: 'coin' };
    return response.writeHead(400).end(JSON.stringify(error));
  },
  batchSpotClearinghouseState: ({ body }, response) =>
    respondJson(
      response,
      (body?.users as readonly string[] | undefined)?.map((user) => ({ user, balances: [] })),
    ),
};

/** One entry an hour up to now, at most 500. */
function funding(startTime: number) {
  const hours = Math.min(500, Math.floor((Date.now() - startTime) / 3_600_000));
  return Array.from({ length: hours }, (_, index) => {
    return { coin: 'BTC', fundingRate: '0.0000125', premium: '0.0', time: startTime + index * 3_600_000 };
  });
}

let service: InfoService;
let stream: ScriptedService;
beforeAll(async () => {
  service = await InfoService.start((asked, response) => {
    const reply = asked.body === undefined ? undefined : RESPONSES[String(asked.body.type)];
    if (reply === undefined) respondJson(response, fixture('usage'));
    else reply(asked, response);
  });
  stream = await ScriptedService.start({ coins: ['BTC', 'ETH'], chance: new Chance(5) });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await stream[Symbol.asyncDispose]();
});

let said: Recorder<string>;
beforeEach(() => {
  said = new Recorder();
  vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => said.add(words.join(' ')));
  vi.stubEnv('L4DESK_KEY', 'l4k_secret');
  vi.stubEnv('L4DESK_SERVICE_KEY', 'l4s_secret');
  vi.stubEnv('L4DESK_URL', service.url);
});

it('the README shows the programs of examples/ verbatim', () => {
  expect(programs.size).toBe(2);
  for (const [path, text] of programs) expect(text).toBe(readFileSync(new URL(path, PACKAGE), 'utf8'));
});

describe('the examples', () => {
  it('query', async () => {
    await import('../examples/query.ts');
    expect(said.seen).toEqual(['BTC B 0.18007 81307.0', '@107 A 0.18007 81307.0']);
    expect(service.asked.at(-1)?.authorization).toBe('Bearer l4k_secret');
  });

  it('errors', async () => {
    await import('../examples/errors.ts');
    expect(said.seen).toEqual(['unknown_coin coin false']);
  });

  it('funding', async () => {
    await import('../examples/funding.ts');
    expect(said.seen).toHaveLength(5);
    expect(said.seen.at(-1)).toMatch(/^page 5: 16\d entries, 100 %, 5 credits so far$/);
  });

  it('wallets', async () => {
    await import('../examples/wallets.ts');
    expect(said.seen).toEqual(['120 wallets, 0 worth another try, 75 credits']);
  });

  it('usage', async () => {
    await import('../examples/usage.ts');
    expect(said.seen[0]).toBe('2026-11-01 to 2026-11-02: 176 of 1000000 credits');
    expect(service.asked.at(-1)?.authorization).toBe('Bearer l4s_secret');
  });

  it('follow', async () => {
    vi.stubEnv('L4DESK_URL', stream.url);
    const running = import('../examples/follow.ts');
    await said.until(() => ['BTC', 'ETH'].every((coin) => said.seen.some((line) => line.startsWith(`${coin} live`))));
    for (let block = 0; block < 3; block += 1) stream.block(['BTC']);
    await running;
    expect(said.seen.at(-1)).toBe('3 blocks');
  });

  it('insight', async () => {
    vi.stubEnv('L4DESK_URL', stream.url);
    await import('../examples/insight.ts');
    expect(said.seen[0]).toMatch(/^mid \d/);
    expect(said.seen[1]).toMatch(/^0x\w{40} bids \S+ in \d+ orders, 0\.\d{6} of all within 50 bps$/);
    expect(said.seen.find((line) => line.startsWith('B '))).toMatch(/ @ \S+: \d+ orders ahead, \S+$/);
    expect(said.seen.at(-1)).toMatch(/^buying 2\.5: \S+ on average, \S+ at worst, \S+ bps, 0 unfilled$/);
  });

  it('analysis: after each block what it carries on equals what a fresh snapshot shows', async () => {
    vi.stubEnv('L4DESK_URL', stream.url);
    const { user, oid } = stream.book('BTC').levels()[0][0] ?? {};
    vi.stubEnv('WALLET', user ?? '');
    const running = import('../examples/analysis.ts');
    const from = stream.height;
    await said.until(() => said.seen.includes(`${from}: ${stream.book('BTC').levels().flat().length} orders`));
    // Sizes have at most four decimals, and none of these orders is a requote.
    let added = 0;
    for (let block = 0; block < 3; block += 1) {
      for (const { raw_book_diff: change } of stream.block(['BTC']).book_diffs[0]?.book_diffs ?? []) {
        if (typeof change === 'object' && 'new' in change) added += Math.round(Number(change.new.sz) * 10_000);
      }
      const { height } = stream;
      const book = bookOf({ ...stream.snapshot('BTC'), levels: stream.book('BTC').levels() });
      const { mid, microprice, spreadBps, imbalances } = figures(book) ?? {};
      const lean = imbalances?.[0]?.lean;
      await said.until(() => said.seen.some((line) => line.startsWith(`${height}: 5 s: ${added / 10_000} added, `)));
      expect(said.seen).toContain(`${height}: mid ${mid}, microprice ${microprice}, spread ${spreadBps} bps, ${lean}`);
      const [own] = queuePlaces(book, user ?? '0x').filter(({ side }) => side === 'B');
      const place = own && new RegExp(`^${own.oid} B \\S+: ${own.szAhead} ahead, `);
      await said.until(() => place === undefined || said.seen.some((line) => place.test(line)));
    }
    await running;
    expect(said.seen.at(-1)).toMatch(new RegExp(`^best bid 3 blocks ago: ${oid}, \\d+ changes since, \\w`));
  });
});
