import { expect, it, vi } from 'vitest';
import { Lookups } from './credential-check.ts';

/** Lookups with a manual clock, in a table that a test changes. */
function rig(staleMsMax = 0) {
  const table = new Map<string, string>();
  const state = { now: 1, asked: [] as string[], load: async (key: string) => table.get(key) };
  const lookups = new Lookups<string>({
    staleMsMax,
    elapsed: () => state.now,
    load(key) {
      state.asked.push(key);
      return state.load(key);
    },
  });
  return { table, state, lookups };
}

it('[AUTH-23] does not restore a key that was removed during its lookup', async () => {
  const { table, lookups } = rig();
  table.set('session', 'alive');
  const slow = lookups.get('session');
  lookups.remove('session');
  const afterwards = lookups.get('session');
  expect([await slow, await afterwards, await lookups.get('session')]).toEqual(['alive', undefined, undefined]);
});

it('returns stale values up to a limit while the database is unreachable', async () => {
  const { table, state, lookups } = rig(45_000);
  table.set('key', 'alive');
  expect(await lookups.get('key')).toBe('alive');
  const { load } = state;
  state.load = () => Promise.reject(new Error('gone'));
  state.now = 40_000;
  expect(await lookups.get('key')).toBe('alive');
  await expect(lookups.get('another')).rejects.toThrow('gone');
  state.now = 44_000;
  state.load = () => new Promise(() => {});
  expect(await lookups.get('key')).toBe('alive');
  state.now = 50_000;
  state.load = () => Promise.reject(new Error('gone'));
  await expect(lookups.get('key')).rejects.toThrow('gone');
  table.delete('key');
  state.load = load;
  expect(await lookups.get('key')).toBeUndefined();
});

it('rejects after 10 s if the database does not respond', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { state, lookups } = rig();
    state.load = () => new Promise(() => {});
    const failed = lookups.get('key').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await failed).toMatchObject({ code: 'unreachable', retryable: true });
    state.load = (key) => Promise.resolve(key);
    expect(await lookups.get('key')).toBe('key');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
