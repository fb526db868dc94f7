import { expect, it, vi } from 'vitest';
import { Lookups } from './lookups.ts';

/** Lookups over an in-memory table, with a manual clock, that record which keys each statement loads. */
function rig(table: ReadonlyMap<string, string> = new Map()) {
  const state = { now: 0, table: new Map(table), asked: [] as (readonly string[])[], underWay: 0, mostUnderWay: 0 };
  const lookups = new Lookups<string>({
    staleMsMax: 0,
    maxAgeMs: 2000,
    elapsed: () => state.now,
    load: async (keys) => {
      state.asked.push(keys);
      state.underWay += 1;
      state.mostUnderWay = Math.max(state.mostUnderWay, state.underWay);
      await new Promise((resolve) => setImmediate(resolve));
      state.underWay -= 1;
      return keys.map((key) => state.table.get(key));
    },
  });
  return { state, lookups };
}

it('[AUTH-23] does not restore a key that was deleted during its lookup', async () => {
  const { state, lookups } = rig(new Map([['session', 'alive']]));
  const slow = lookups.get('session');
  lookups.delete('session');
  const afterwards = lookups.get('session');
  await slow;
  state.table.delete('session');
  expect([await slow, await afterwards]).toEqual(['alive', undefined]);
  expect(await lookups.get('session')).toBeUndefined();
});

it('caches a found value until it is too old, and does not cache a missing key', async () => {
  const { state, lookups } = rig();
  expect(await lookups.get('key')).toBeUndefined();
  state.table.set('key', '1');
  expect(await lookups.get('key')).toBe('1');
  state.table.set('key', '2');
  state.now = 1999;
  expect(await lookups.get('key')).toBe('1');
  state.now = 2000;
  expect(await lookups.get('key')).toBe('2');
  expect(state.asked).toHaveLength(3);
});

it('caches at most 10,000 keys and evicts the least recently used', async () => {
  const { state, lookups } = rig();
  const ask = async (name: string, count: number) => {
    const keys = Array.from({ length: count }, (_, place) => `${name} ${place}`);
    for (const key of keys) state.table.set(key, key);
    await Promise.all(keys.map((key) => lookups.get(key)));
  };
  await ask('busy', 1);
  await ask('quiet', 9_999);
  await ask('busy', 1);
  await ask('new', 100);
  state.asked.length = 0;
  for (const key of ['busy 0', 'quiet 100', 'new 99']) await lookups.get(key);
  expect(state.asked).toEqual([]);
  await lookups.get('quiet 99');
  expect(state.asked).toEqual([['quiet 99']]);
});

it('shares one lookup between concurrent callers of a key, and one statement between many keys', async () => {
  const { state, lookups } = rig(new Map([['a', 'A']]));
  const together = [lookups.get('first'), ...['a', 'b', 'a', 'c', 'a'].map((key) => lookups.get(key))];
  expect(await Promise.all(together)).toEqual([undefined, 'A', undefined, 'A', undefined, 'A']);
  expect(state.asked).toEqual([['first'], ['a', 'b', 'c']]);
});

it('[AUTH-25] runs one statement at a time for any number of unknown keys, and a known key does not wait for them', async () => {
  const { state, lookups } = rig(new Map([['known', 'team']]));
  expect(await lookups.get('known')).toBe('team');
  state.now = 2000;
  const strangers = Array.from({ length: 6400 }, (_, place) => lookups.get(`stranger ${place}`));
  expect(await lookups.get('known')).toBe('team');
  // The first lookup of the known key, the statement running when it is requested again, and its second lookup. A fourth
  // statement may have begun since.
  expect(state.asked.length).toBeLessThanOrEqual(4);
  await Promise.all(strangers);
  expect(state.mostUnderWay).toBe(1);
  expect(state.asked.length).toBeLessThanOrEqual(3 + 6400 / 64);
  expect(Math.max(...state.asked.map((keys) => keys.length))).toBe(64);
});

it('rejects only the callers that wait for a failed statement', async () => {
  let isBroken = true;
  const lookups = new Lookups<string>({
    staleMsMax: 0,
    maxAgeMs: 2000,
    elapsed: () => 0,
    load: (keys) => (isBroken ? Promise.reject(new Error('gone')) : Promise.resolve(keys)),
  });
  await expect(lookups.get('key')).rejects.toThrow('gone');
  isBroken = false;
  expect(await lookups.get('key')).toBe('key');
});

it('returns stale values up to a limit while the database is unreachable', async () => {
  let now = 0;
  let respond: () => Promise<readonly (string | undefined)[]> = () => Promise.resolve(['alive']);
  const lookups = new Lookups<string>({
    staleMsMax: 45_000,
    maxAgeMs: 2000,
    elapsed: () => now,
    load: () => respond(),
  });
  expect(await lookups.get('key')).toBe('alive');
  respond = () => Promise.reject(new Error('gone'));
  now = 44_999;
  expect(await lookups.get('key')).toBe('alive');
  await expect(lookups.get('another')).rejects.toThrow('gone');
  now = 45_000;
  await expect(lookups.get('key')).rejects.toThrow('gone');
  now = 44_999;
  respond = () => new Promise(() => {});
  expect(await lookups.get('key')).toBe('alive');
});

it('uses the database again as soon as it responds: a key that was deleted meanwhile is not found', async () => {
  let now = 0;
  let respond: () => Promise<readonly (string | undefined)[]> = () => Promise.resolve(['alive']);
  const lookups = new Lookups<string>({
    staleMsMax: 45_000,
    maxAgeMs: 2000,
    elapsed: () => now,
    load: () => respond(),
  });
  await lookups.get('key');
  now = 3000;
  respond = () => Promise.reject(new Error('gone'));
  expect(await lookups.get('key')).toBe('alive');
  respond = () => Promise.resolve([undefined]);
  // The first call looks up in the background, because the database was just unreachable.
  await lookups.get('key');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await lookups.get('key')).toBeUndefined();
  respond = () => Promise.resolve(['another']);
  expect(await lookups.get('key')).toBe('another');
  now = 6000;
  respond = () => Promise.resolve([undefined]);
  expect(await lookups.get('key'), 'the first call waits for the database again').toBeUndefined();
});

it('rejects every caller after 10 s if the database does not respond, asks nothing more meanwhile, and then goes on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const asked: (readonly string[])[] = [];
    let respond = () => {};
    const lookups = new Lookups<string>({
      staleMsMax: 0,
      maxAgeMs: 2000,
      elapsed: () => 0,
      load: async (keys) => {
        asked.push(keys);
        if (asked.length === 1) await new Promise<void>((resolve) => (respond = resolve));
        return keys;
      },
    });
    const timeout = { status: 'rejected', reason: expect.objectContaining({ code: 'unreachable', retryable: true }) };
    // Many more than one statement looks up.
    const early = Array.from({ length: 1000 }, (_, place) => lookups.get(`key ${place}`));
    const outcomes = Promise.allSettled(early);
    await vi.advanceTimersByTimeAsync(9_000);
    const late = Promise.allSettled([lookups.get('key 1'), lookups.get('another')]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual([['key 0']]);
    respond();
    expect(await outcomes).toEqual(early.map(() => timeout));
    // A key that was already waited for is rejected with those that waited; the others are looked up now.
    expect(await late).toEqual([timeout, { status: 'fulfilled', value: 'another' }]);
    expect(asked).toEqual([['key 0'], ['another']]);
    expect(await lookups.get('key 1')).toBe('key 1');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
