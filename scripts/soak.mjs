// `npm run soak [-- <blocks>]`: the long run of the fault tests. A client written from the specification alone holds
// three coins for 10,000 blocks (or as many as are asked for) while the exchange fails in every way, and its books are
// compared with the exchange's own after every fault.
import { build } from './build.mjs';
import { install } from './install.mjs';
import { run } from './lib/run.mjs';
import { bin, Failure, script } from './lib/workspace.mjs';

await script(async () => {
  const blocks = process.argv[2] ?? '10000';
  if (!/^[1-9]\d*$/.test(blocks)) throw new Failure(`"${blocks}" is no number of blocks.`);
  await install();
  await build(['bff', 'venue']);
  const { code } = await run(bin('vitest'), ['run', 'packages/testkit/test/faults.test.ts', '--reporter=verbose'], {
    env: { L4DESK_SOAK_BLOCKS: blocks },
  });
  if (code !== 0) throw new Failure('The long run failed.');
});
