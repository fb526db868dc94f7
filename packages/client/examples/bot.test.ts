import { setTimeout as pause } from 'node:timers/promises';
import { builtProgram, until } from '@l4desk/testkit';
import { issueKeys } from '@l4desk/testkit/keys';
import { runExample, Stack } from '@l4desk/testkit/stack';
import { afterAll, beforeAll, expect, it } from 'vitest';

let stack: Stack;
beforeAll(async () => {
  await builtProgram('bff', 'venue');
  stack = await Stack.start({ env: { VENUE_SIZE: '0.02', VENUE_COINS: 'BTC' } });
});
afterAll(() => stack[Symbol.asyncDispose]());

it('[L4-8] bot prints the mid, then the best prices of the exchange’s book after each block', async () => {
  const { apiKey } = await issueKeys(stack.directory, 'demo');
  await using bot = runExample('packages/client/examples/bot.ts', {
    args: ['BTC'],
    env: { L4DESK_URL: stack.url, L4DESK_KEY: apiKey },
  });
  await bot.printed(/^BTC mid \d/);
  await bot.printed(/^BTC live: /);
  /** The exchange's best prices by height. */
  const truth = new Map<string, readonly (string | undefined)[]>();
  await until('the bot has seen three blocks', async () => {
    const height = await stack.venue.step();
    const { levels } = await stack.venue.book('BTC');
    truth.set(String(height), [levels[0][0]?.limitPx, levels[1][0]?.limitPx]);
    await pause(50);
    return !bot.running;
  });
  const { code, stdout, stderr } = await bot.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const seen = [...stdout.matchAll(/^BTC at (\d+): bid \S+ @ (\S+), ask \S+ @ (\S+)$/gm)];
  expect(seen).toHaveLength(3);
  for (const [, height = '', ...prices] of seen)
    expect({ height, prices }).toEqual({ height, prices: truth.get(height) });
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('ended: closed');
});
