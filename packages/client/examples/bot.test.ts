import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram, removeBundles } from '@l4desk/testkit';
import { runExample, Stack } from '@l4desk/testkit/stack';
import { afterAll, beforeAll, expect, it } from 'vitest';

let stack: Stack;
beforeAll(async () => {
  const [main] = await Promise.all([
    bundleProgram('apps/bff/src/main.ts', 'bff/dist/main'),
    bundleProgram('apps/cli/src/main.ts', 'cli/dist/main'),
    bundleProgram('packages/ledger/src/database/worker.ts', 'bff/dist/db-worker'),
    bundleProgram('packages/feed/src/thread/worker.ts', 'bff/dist/l4-worker'),
    bundleProgram('apps/venue/src/main.ts', 'venue/dist/main'),
  ]);
  stack = await Stack.start({ dist: dirname(fileURLToPath(main)), env: { VENUE_SIZE: '0.02', VENUE_COINS: 'BTC' } });
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await removeBundles();
});

it('[ARCH-17, L4-8] bot: the mid, then the top of the exchange’s book after each block', async () => {
  const { stdout: created } = await stack.command('keys', 'create', '--json', '--kind', 'api', '--account', 'demo');
  const { key } = JSON.parse(created) as { readonly key: string };
  await using bot = runExample('packages/client/examples/bot.ts', {
    args: ['BTC'],
    env: { L4DESK_URL: stack.url, L4DESK_KEY: key },
  });
  await bot.printed(/^BTC mid \d/);
  await bot.printed(/^BTC live: /);
  for (let block = 1; block <= 3; block += 1) {
    const height = await stack.venue.step();
    const { levels } = await stack.venue.book('BTC');
    const [bid, ask] = [levels[0][0]?.limitPx, levels[1][0]?.limitPx];
    const [, ...prices] = await bot.printed(new RegExp(`^BTC at ${height}: bid \\S+ @ (\\S+), ask \\S+ @ (\\S+)$`));
    expect(prices).toEqual([bid, ask]);
  }
  const { code, stdout, stderr } = await bot.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('ended: closed');
});
