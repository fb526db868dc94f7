import { expect, it } from 'vitest';
import { ShortCache } from './short-cache.ts';

it('[AUTH-23] a look-up that was under way when an entry was deleted does not bring it back', async () => {
  const cache = new ShortCache<string>(2000, () => 0);
  let answer: (value: string) => void = () => {};
  const slow = cache.get('session', () => new Promise((resolve) => (answer = resolve)));
  cache.delete('session');
  const afterwards = cache.get('session', () => Promise.resolve(undefined));
  answer('alive');
  expect(await slow).toBe('alive');
  expect(await afterwards).toBeUndefined();
  expect(await cache.get('session', () => Promise.resolve(undefined))).toBeUndefined();
});

it('[AUTH-10] what was found is believed until it is too old, what was not found is asked for again', async () => {
  let now = 0;
  let asked = 0;
  const cache = new ShortCache<number>(2000, () => now);
  const ask = (value?: number) =>
    cache.get('key', () => {
      asked += 1;
      return Promise.resolve(value);
    });
  expect(await ask()).toBeUndefined();
  expect(await ask(1)).toBe(1);
  now = 1999;
  expect(await ask(2)).toBe(1);
  now = 2000;
  expect(await ask(2)).toBe(2);
  expect(asked).toBe(3);
});

it('[AUTH-10] what has aged out is dropped before there is too much of it', async () => {
  let now = 0;
  const cache = new ShortCache<number>(2000, () => now);
  const ask = (key: string) => cache.get(key, () => Promise.resolve(1));
  for (let n = 0; n < 4096; n += 1) await ask(`old ${n}`);
  now = 1000;
  await ask('young');
  expect(cache.size).toBe(4097);
  now = 2000;
  await ask('new');
  expect(cache.size).toBe(2);
});
