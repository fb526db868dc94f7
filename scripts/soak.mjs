// `npm run soak [-- <blocks>]`: the long run of the fault tests. A client written from the specification alone holds
// three coins for 10,000 blocks (or as many as are asked for) while the exchange fails in every way, and its books are
// compared with the exchange's own after every fault.
//
// `npm run soak -- fuzz [<seed>]`: the long run of the fuzz suites, more than 100,000 generated inputs at /info, /ws,
// /platform/usage/ and everything else. The seed is printed; the same seed makes the same inputs.
//
// `npm run soak -- crash`: two services under load are killed 26 times each, and the ledger is read after each.
import { randomInt } from 'node:crypto';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { run } from './lib/run.mjs';
import { bin, Failure, script } from './lib/workspace.mjs';

/** Times the quick runs, of about 3,700 inputs. */
const FUZZ_FACTOR = '30';
/** Of each of the two services. */
const CRASH_KILLS = '26';
/** What runs long is not ended by a ceiling meant for quick runs. */
const TEST_TIMEOUT_MS = 24 * 3_600_000;

const isNumber = (text) => /^[1-9]\d*$/.test(text);

async function tests(files, env) {
  const { code } = await run(
    bin('vitest'),
    ['run', ...files, '--reporter=verbose', `--testTimeout=${TEST_TIMEOUT_MS}`],
    { env },
  );
  if (code !== 0) throw new Failure('The long run failed.');
}

async function fuzz(seed = String(randomInt(1, 2 ** 31))) {
  if (!isNumber(seed)) throw new Failure(`"${seed}" is no seed: a whole number from 1.`);
  await install();
  process.stdout.write(`seed ${seed}\n`);
  await tests(['apps/bff/src/http/fuzz.test.ts', 'apps/bff/src/stream/fuzz.test.ts'], {
    L4DESK_FUZZ_FACTOR: FUZZ_FACTOR,
    L4DESK_FUZZ_SEED: seed,
  });
}

async function crash() {
  await install();
  await tests(['apps/bff/src/credits/crash.test.ts'], { L4DESK_CRASH_KILLS: CRASH_KILLS });
}

async function faults(blocks = '10000') {
  if (!isNumber(blocks)) throw new Failure(`"${blocks}" is no number of blocks.`);
  await install();
  await build(['bff', 'venue']);
  await tests(['packages/testkit/test/faults.test.ts'], { L4DESK_SOAK_BLOCKS: blocks });
}

await script(async () => {
  const [first, ...rest] = process.argv.slice(2);
  if (first === 'fuzz') await fuzz(...rest);
  else if (first === 'crash') await crash();
  else await faults(first);
});
