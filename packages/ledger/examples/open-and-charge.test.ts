import { temporaryDirectory } from '@l4desk/testkit';
import { runExample } from '@l4desk/testkit/stack';
import { expect, it } from 'vitest';

it('[BILL-19] open-and-charge adds a charged call to the usage of its key, and keeps it across runs', async () => {
  await using directory = await temporaryDirectory();
  const run = () => runExample('packages/ledger/examples/open-and-charge.ts', { args: [directory.path] }).ended;
  const first = await run();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const [, lastFour = ''] = /^API key: l4k_\w{45}(\w{4})$/m.exec(first.stdout) ?? [];
  const lines = first.stdout.trimEnd().split('\n').slice(1);
  expect(lines).toEqual([
    'the call is done here',
    expect.stringMatching(/^\d{4}-\d\d-\d\d: 1 of 100000000 credits$/),
    `l4k_…${lastFour}: 1`,
  ]);
  const second = await run();
  expect(second.stdout).toContain(`l4k_…${lastFour}: 1\n`);
  expect(second.stdout).toMatch(/: 2 of 100000000 credits$/m);
});
