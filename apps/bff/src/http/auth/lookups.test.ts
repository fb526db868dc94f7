import { expect, it } from 'vitest';
import { Lookups } from './lookups.ts';

/** Look-ups over a table in hand, with a clock, that note what was asked together. */
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

it('[AUTH-23] a look-up that was under way when an entry was deleted does not bring it back', async () => {
  const { state, lookups } = rig(new Map([['session', 'alive']]));
  const slow = lookups.get('session');
  lookups.delete('session');
  const afterwards = lookups.get('session');
  await slow;
  state.table.delete('session');
  expect([await slow, await afterwards]).toEqual(['alive', undefined]);
  expect(await lookups.get('session')).toBeUndefined();
});

it('[AUTH-10] what was found is believed until it is too old, what was not found is asked for again', async () => {
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

it('at most 10,000 keys are remembered: those are forgotten that nobody has asked for longest', async () => {
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
  expect(lookups.size).toBe(10_000);
  state.asked.length = 0;
  await ask('busy', 1);
  expect(state.asked).toEqual([]);
  await ask('quiet', 1);
  expect(state.asked).toEqual([['quiet 0']]);
});

it('callers that ask for one key together share its look-up, and those of many keys share statements', async () => {
  const { state, lookups } = rig(new Map([['a', 'A']]));
  const together = [lookups.get('first'), ...['a', 'b', 'a', 'c', 'a'].map((key) => lookups.get(key))];
  expect(await Promise.all(together)).toEqual([undefined, 'A', undefined, 'A', undefined, 'A']);
  expect(state.asked).toEqual([['first'], ['a', 'b', 'c']]);
});

it('[AUTH-25] any number of unknown keys costs one statement after another, and a known one does not wait for them', async () => {
  const { state, lookups } = rig(new Map([['known', 'team']]));
  expect(await lookups.get('known')).toBe('team');
  state.now = 2000;
  const strangers = Array.from({ length: 6400 }, (_, place) => lookups.get(`stranger ${place}`));
  expect(await lookups.get('known')).toBe('team');
  // Its first look-up, the one under way when it came again, and its own; a fourth may have begun since.
  expect(state.asked.length).toBeLessThanOrEqual(4);
  await Promise.all(strangers);
  expect(state.mostUnderWay).toBe(1);
  expect(state.asked.length).toBeLessThanOrEqual(3 + 6400 / 64);
  expect(Math.max(...state.asked.map((keys) => keys.length))).toBe(64);
  expect(lookups.size).toBe(1);
});

it('a statement that fails fails who waited for it, and nobody after', async () => {
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

it('[PG-10] while the database is away what was found is believed up to a bound, and what is told again counts at once', async () => {
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

it('[PG-10, AUTH-10] a database that is back is believed at once: a key that was revoked meanwhile is gone', async () => {
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
  // The first asks in the background, for the database was away a moment ago.
  await lookups.get('key');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await lookups.get('key')).toBeUndefined();
});
