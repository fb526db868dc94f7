import { until } from '@l4desk/testkit';
import { FakeExchange, type FakeResponse } from '@l4desk/testkit/service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../log/log.ts';
import type { InfoClient } from './info-client.ts';
import { testInfoClient } from './test-support/test-info-client.ts';
import { Universe } from './universe.ts';

let exchange: FakeExchange;
let info: InfoClient;
let universe: Universe;
let logs: string[];

beforeEach(async () => {
  exchange = await FakeExchange.start();
  info = testInfoClient(exchange);
  logs = [];
});

afterEach(async () => {
  await universe[Symbol.asyncDispose]();
  await info[Symbol.asyncDispose]();
  await exchange[Symbol.asyncDispose]();
});

function start(refreshMs = 3_600_000, now?: () => number): Universe {
  const log = createLog('info', { write: (line) => void logs.push(line) });
  universe = new Universe({ info, log, refreshMs, random: () => 1, ...(now === undefined ? {} : { now }) });
  return universe;
}

const whenRead = () => until('all lists are read', () => logs.some((line) => line.includes('list of coins loaded')));
const asset = (name: string) => ({ name, szDecimals: 1, maxLeverage: 3 });

describe('the classification of names', () => {
  beforeEach(async () => {
    start();
    await whenRead();
  });

  it.each([
    ['BTC', 'served'],
    ['ETH', 'served'],
    ['xyz:GOLD', 'served'],
    ['OLD', 'unknown'],
    ['btc', 'unknown'],
    ['GOLD', 'unknown'],
    ['xyz:gold', 'unknown'],
    ['xyz:BTC', 'unknown'],
    ['xyz:', 'unknown'],
    [':BTC', 'unknown'],
    ['nope:GOLD', 'unknown'],
    ['', 'unknown'],
    ['constructor', 'unknown'],
    ['@107', 'unsupported'],
    ['PURR/USDC', 'unsupported'],
    ['#12', 'unsupported'],
  ])('[SNAP-14, SNAP-15, SNAP-16] of %s is %s', (coin, found) => {
    expect(universe.classify(coin)).toBe(found);
  });
});

it('classifies only by format before the first load', () => {
  exchange.responses.set('meta', 'hang');
  start();
  expect(universe.classify('BTC')).toBe('not-loaded');
  expect(universe.classify('xyz:GOLD')).toBe('not-loaded');
  expect(universe.classify('@1')).toBe('unsupported');
  expect(universe.problem).toBe('meta: not loaded yet');
});

it('[SNAP-16] refreshes the lists, so that coins and dexes are added and removed', async () => {
  start(20);
  await whenRead();
  exchange.responses.set('meta', { json: { universe: [asset('BTC'), asset('NEW')] } });
  exchange.responses.set('perpDexs', { json: [null, { name: 'abc' }] });
  exchange.responses.set('meta abc', { json: { universe: [asset('abc:OIL')] } });
  await until(
    'the new coins are there',
    () => universe.classify('abc:OIL') === 'served' && universe.classify('NEW') === 'served',
  );
  expect(universe.classify('ETH')).toBe('unknown');
  expect(universe.classify('xyz:GOLD')).toBe('unknown');
});

it('keeps the last good state of a list that fails to load, and retries it', async () => {
  start(20);
  await whenRead();
  exchange.responses.set('meta', { status: 500, text: 'null' });
  await until('the failure shows', () => universe.problem === 'meta: upstream returned HTTP 500');
  expect(universe.classify('BTC')).toBe('served');
  exchange.responses.set('meta', { json: { universe: [asset('SOL')] } });
  await until('it heals', () => universe.problem === null);
  expect(universe.classify('SOL')).toBe('served');
});

it('reports a failed load only once the last successful one is three refreshes old', async () => {
  let now = 0;
  start(20, () => now);
  await whenRead();
  exchange.responses.set('meta', { status: 500, text: 'null' });
  await until('the failure is logged', () => logs.some((line) => line.includes('loading the list of coins failed')));
  now = 60;
  expect(universe.problem).toBeNull();
  now = 61;
  expect(universe.problem).toBe('meta: upstream returned HTTP 500');
});

it('is loaded once all lists are loaded', async () => {
  exchange.responses.set('meta xyz', 'hang');
  start();
  expect(universe.isLoaded).toBe(false);
  await until('the canonical dex is read', () => universe.classify('BTC') === 'served');
  await until('the other one is asked for', () => exchange.asked.length === 3);
  expect(universe.isLoaded).toBe(false);
  expect(universe.problem).toBe('meta of builder dexes: not loaded yet');
  await universe[Symbol.asyncDispose]();
  exchange.responses.set('meta xyz', { json: { universe: [asset('xyz:GOLD')] } });
  start();
  await until('all are read', () => universe.isLoaded);
  expect(universe.classify('xyz:GOLD')).toBe('served');
});

it('gives up waiting for builder dexes that fail to load, but not for the canonical one', async () => {
  exchange.responses.set('perpDexs', { status: 500, text: '' });
  exchange.responses.set('meta', { status: 500, text: '' });
  start(1);
  await until('it was asked for often', () => exchange.asked.length >= 20);
  expect(universe.isLoaded).toBe(false);
  exchange.responses.set('meta', { json: { universe: [asset('BTC')] } });
  await until('the rest is given up', () => universe.isLoaded);
  expect(universe.classify('xyz:GOLD')).toBe('not-loaded');
});

it.each<[string, unknown]>([
  ['of another shape', { universe: [{ name: 'BTC' }] }],
  ['that is null', null],
  ['with a number in the place of a name', { universe: [{ ...asset('BTC'), name: 1 }] }],
])('[UP-15] rejects a whole response %s', async (_, json) => {
  exchange.responses.set('meta', { json });
  start();
  await until('the failure shows', () => universe.problem === 'meta: upstream sent a response of an unexpected shape');
  expect(universe.classify('BTC')).toBe('not-loaded');
});

it('[UP-53] leaves out a dex of another shape, not the whole list', async () => {
  exchange.responses.set('perpDexs', { json: [{ name: '' }, { name: 'xyz' }, { name: 7 }, { fullName: 'no name' }] });
  start();
  await whenRead();
  expect([universe.isLoaded, universe.classify('xyz:GOLD')]).toEqual([true, 'served']);
  expect(await universe.hasDex('xyz', {})).toBe(true);
});

it('[UP-53] keeps a known dex while a dex of another shape is left out, which may be that one', async () => {
  start(20);
  await whenRead();
  exchange.responses.set('perpDexs', { json: [null, { name: 7 }, { name: 'abc' }] });
  exchange.responses.set('meta abc', { json: { universe: [asset('abc:OIL')] } });
  await until('the new dex is there', () => universe.classify('abc:OIL') === 'served');
  expect(universe.classify('xyz:GOLD')).toBe('served');
  exchange.responses.set('perpDexs', { json: [null, { name: 'abc' }] });
  await until('the other dex is removed', () => universe.classify('xyz:GOLD') === 'unknown');
});

it('[UP-53] drops a dex whose row stays unreadable once its own list was not loaded for an hour', async () => {
  let now = 0;
  start(20, () => now);
  await whenRead();
  exchange.responses.set('perpDexs', { json: [null, { name: 7 }, { name: 'abc' }] });
  exchange.responses.set('meta abc', { json: { universe: [asset('abc:OIL')] } });
  now += 3_000_000;
  const before = exchange.asked.length;
  await until('its list is loaded again', () => exchange.asked.slice(before).some(({ dex }) => dex === 'xyz'));
  exchange.responses.set('meta xyz', { status: 500, json: null });
  now += 3_000_000;
  await until('the dexes are read again', () => logs.some((line) => line.includes('loading the list of coins failed')));
  expect(universe.classify('xyz:GOLD')).toBe('served');
  now += 4_000_000;
  await until('it is dropped', () => universe.classify('xyz:GOLD') === 'unknown');
});

it('[UP-53] leaves out an asset of another shape, not the whole list', async () => {
  const odd = [
    { name: 'NEW', szDecimals: 2, maxLeverage: null },
    { name: 'SOON', szDecimals: 2 },
    { ...asset('FINE'), szDecimals: 40 },
    null,
    'BTC',
  ];
  const others = [
    { ...asset('ETH'), isDelisted: null, marginMode: 'strictIsolated', growthMode: 'enabled' },
    asset('SOL'),
  ];
  exchange.responses.set('meta', { json: { universe: [...odd, asset('BTC'), ...others], collateralToken: 0 } });
  start();
  await whenRead();
  expect(universe.problem).toBeNull();
  expect(universe.coins().map(({ name }) => name)).toEqual(['BTC', 'ETH', 'SOL', 'xyz:GOLD']);
  expect(['NEW', 'SOON', 'FINE'].map((coin) => universe.classify(coin))).toEqual(['unknown', 'unknown', 'unknown']);
});

it('loads other dexes if one builder dex fails', async () => {
  exchange.responses.set('perpDexs', { json: [null, { name: 'bad' }, { name: 'xyz' }] });
  start();
  await until('the failure is logged', () => logs.some((line) => line.includes('loading the list of coins failed')));
  expect(universe.classify('BTC')).toBe('served');
  expect(universe.classify('xyz:GOLD')).toBe('served');
  expect(universe.classify('bad:COIN')).toBe('not-loaded');
  await until('the service goes on without it', () => universe.problem === null);
  expect(universe.isLoaded).toBe(true);
});

describe('[INFO-33] a builder dex', () => {
  const options = { account: 'a' };

  it('that is listed is known without a request', async () => {
    start();
    await whenRead();
    exchange.asked.length = 0;
    expect(await universe.hasDex('xyz', options)).toBe(true);
    expect(await universe.hasDex('', options)).toBe(true);
    expect(exchange.asked).toEqual([]);
  });

  it('that is unknown is looked up again, unless the names were loaded within 10 s', async () => {
    let now = 0;
    start(3_600_000, () => now);
    await whenRead();
    exchange.asked.length = 0;
    now = 9_999;
    expect(await universe.hasDex('new', options)).toBe(false);
    expect(exchange.asked).toEqual([]);
    now = 10_000;
    exchange.responses.set('perpDexs', { json: [null, { name: 'xyz' }, { name: 'new' }] });
    expect(await universe.hasDex('new', options)).toBe(true);
    expect(exchange.asked).toEqual([{ type: 'perpDexs' }]);
    now = 19_999;
    expect(await universe.hasDex('New', options)).toBe(false);
    expect(exchange.asked).toHaveLength(1);
  });

  it('that cannot be looked up fails the call, and is looked up again by the next one', async () => {
    exchange.responses.set('perpDexs', { status: 500, text: '' });
    start();
    await until('the failure is logged', () => logs.some((line) => line.includes('loading the list of coins failed')));
    await expect(universe.hasDex('xyz', options)).rejects.toThrow('upstream returned HTTP 500');
    exchange.responses.set('perpDexs', { json: [{}] });
    await expect(universe.hasDex('xyz', options)).rejects.toThrow('upstream sent a response of an unexpected shape');
    exchange.responses.set('perpDexs', { json: [null, { name: 'xyz' }] });
    expect(await universe.hasDex('xyz', options)).toBe(true);
  });
});

describe('many builder dexes', () => {
  const names = Array.from({ length: 209 }, (_, n) => `d${n}`);

  beforeEach(() => {
    exchange.responses.set('perpDexs', { json: [null, ...names.map((name) => ({ name }))] });
    for (const name of names)
      exchange.responses.set(`meta ${name}`, { json: { universe: [asset(`${name}:A`), asset(`${name}:B`)] } });
  });

  it('[UP-52] are loaded in one call where the upstream serves allPerpMetas', async () => {
    const metas = ['', ...names].map((name) => ({ universe: [asset(name === '' ? 'BTC' : `${name}:A`)] }));
    exchange.responses.set('allPerpMetas', { json: metas });
    start();
    await whenRead();
    expect(exchange.asked.map(({ type }) => type).toSorted()).toEqual(['allPerpMetas', 'meta', 'perpDexs']);
    expect(names.map((name) => universe.classify(`${name}:A`))).toEqual(names.map(() => 'served'));
    expect(universe.classify('d7:B')).toBe('unknown');
    expect(universe.problem).toBeNull();
  });

  it('[UP-52] keep their coins if a response of allPerpMetas leaves them out', async () => {
    const metas = ['', ...names].map((name) => ({ universe: [asset(name === '' ? 'BTC' : `${name}:A`)] }));
    exchange.responses.set('allPerpMetas', (_, count) => ({ json: count === 1 ? metas : metas.slice(0, 1) }));
    start(1);
    await until('both responses are read', () => exchange.countOf('allPerpMetas') > 2);
    expect([universe.classify('d7:A'), universe.classify('d208:A')]).toEqual(['served', 'served']);
    expect(universe.classify('d7:B')).toBe('unknown');
  });

  it('[UP-53] are loaded from allPerpMetas beside a dex or an asset of another shape', async () => {
    const metas = ['', ...names].map((name) =>
      name === 'd3' ? null : { universe: [{ name: `${name}:ODD` }, asset(name === '' ? 'BTC' : `${name}:A`)] },
    );
    exchange.responses.set('allPerpMetas', { json: metas });
    start();
    await whenRead();
    expect(exchange.asked.map(({ type }) => type).toSorted()).toEqual(['allPerpMetas', 'meta', 'perpDexs']);
    expect(['d0:A', 'd208:A', 'd3:A', 'd0:ODD'].map((coin) => universe.classify(coin))).toEqual([
      'served',
      'served',
      'unknown',
      'unknown',
    ]);
  });

  it('[UP-53] keep their coins if a later response of allPerpMetas has them in another shape', async () => {
    const metas = ['', ...names].map((name) => ({ universe: [asset(name === '' ? 'BTC' : `${name}:A`)] }));
    const odd = metas.map((meta, at) => (at === 4 ? null : at === 8 ? { universe: [{ name: 'd7:A' }] } : meta));
    exchange.responses.set('allPerpMetas', (_, count) => ({ json: count === 1 ? metas : odd }));
    start(1);
    await until('both responses are read', () => exchange.countOf('allPerpMetas') > 2);
    expect(['d2:A', 'd3:A', 'd7:A'].map((coin) => universe.classify(coin))).toEqual(['served', 'served', 'served']);
  });

  it('[UP-52] that the first response of allPerpMetas leaves out are loaded when they are needed', async () => {
    exchange.responses.set('allPerpMetas', { json: [{ universe: [asset('BTC')] }] });
    start();
    // Asked before even the names of the dexes are known.
    expect(await universe.classifyWhenLoaded('d7:A', AbortSignal.timeout(5_000))).toBe('served');
    // And after both.
    await until('the load ends', () => exchange.open === 0 && exchange.countOf('allPerpMetas') > 0);
    expect(await universe.classifyWhenLoaded('d8:A', AbortSignal.timeout(5_000))).toBe('served');
  });

  it('[UP-52] are loaded again once a tenth of the weight has paid for the last load', async () => {
    await info[Symbol.asyncDispose]();
    // 120,000 a minute for the lists: 10 ms for each call of weight 20.
    info = testInfoClient(exchange, { weightPerMinute: 1_200_000 });
    const some = names.slice(0, 40);
    const calls: number[] = [];
    const times: number[] = [];
    exchange.responses.set('perpDexs', () => {
      calls.push(exchange.asked.length);
      times.push(performance.now());
      return { json: [null, ...some.map((name) => ({ name }))] };
    });
    start(1);
    await until('the second load begins', () => times.length > 1);
    const [from = 0, to = 0] = times;
    expect(calls[1]).toBeGreaterThan(some.length);
    // Timers may fire a little early.
    expect(to - from).toBeGreaterThanOrEqual(0.9 * 10 * some.length);
  });

  it('[UP-52] that are in use are loaded first', async () => {
    await info[Symbol.asyncDispose]();
    info = testInfoClient(exchange, { weightPerMinute: 1_200 });
    let refuse: (response: FakeResponse) => void = () => {};
    const refused = new Promise<FakeResponse>((resolve) => {
      refuse = resolve;
    });
    exchange.responses.set('allPerpMetas', { until: refused });
    start();
    await until('the dexes are known', () => exchange.countOf('allPerpMetas') > 0);
    expect(universe.classify('d200:A')).toBe('not-loaded');
    refuse({ status: 422, text: '' });
    const dexes = () => exchange.asked.flatMap(({ type, dex }) => (type === 'meta' && dex ? [dex] : []));
    await until('a dex is loaded', () => dexes().length > 0);
    expect(dexes()[0]).toBe('d200');
  });

  it('[UP-52] are loaded in turn where it does not, for at most a quarter of the weight of a minute', async () => {
    await info[Symbol.asyncDispose]();
    info = testInfoClient(exchange, { weightPerMinute: 1_200 });
    start(60_000);
    await whenRead();
    expect(universe.isLoaded).toBe(true);
    expect(universe.problem).toBeNull();
    expect(info.health().weightUsed).toBeLessThanOrEqual(300);
    const loaded = names.filter((name) => universe.classify(`${name}:A`) === 'served');
    expect(loaded.length).toBeGreaterThan(0);
    // Accounts do not wait behind the others.
    exchange.responses.set('openOrders', { json: [] });
    const calls = Array.from({ length: 28 }, (_, n) =>
      info.ask({ type: 'openOrders', user: `0x${n}` }, { account: 'a', timeoutMs: 5_000 }),
    );
    expect(await Promise.all(calls)).toHaveLength(28);
  });

  it('[UP-52] those that a call needs are loaded at once, within that quarter', async () => {
    await info[Symbol.asyncDispose]();
    info = testInfoClient(exchange, { weightPerMinute: 1_200 });
    start(60_000);
    await whenRead();
    const wanted = ['d200', 'd201', 'd202'];
    const found = await Promise.all(
      wanted.map((name) => universe.classifyWhenLoaded(`${name}:B`, AbortSignal.timeout(5_000))),
    );
    expect(found).toEqual(['served', 'served', 'served']);
    for (const name of names) void universe.classifyWhenLoaded(`${name}:A`, AbortSignal.timeout(10));
    await until('no call is open', () => exchange.open === 0);
    expect(info.health().weightUsed).toBeLessThanOrEqual(300);
  });
});
