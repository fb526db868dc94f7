// Longer versions of tests that `npm test` runs briefly.
//
// `npm run soak [-- <blocks>]`: a client written only from the specification follows three coins for 10,000 blocks (or
// the given number) while the exchange fails in every way. Its books are compared with the exchange's own after every
// fault. Then this repository's client does the same for a twentieth as many faults, and checks every entry against its
// checksum.
//
// `npm run soak -- fuzz [<seed>]`: sends more than 100,000 generated inputs to /info, /ws, /platform/usage/ and all other
// paths, and generated histories to the book, its sync, the order of blocks and recordings. The seed is printed; the same
// seed generates the same inputs.
//
// `npm run soak -- insight`: after each block of the recordings everything that is computed from a book is compared with an
// independent computation, and any two blocks with each other; every block of 4,000 is stepped back to on a book of 51,000 orders.
//
// `npm run soak -- crowd`: 64 coins in one subscription at an order-level server that stands still for 90 ms for each
// snapshot, with blocks at their real pace: all are live within 20 s, and no book is lost.
//
// `npm run soak -- recording [<kills>]`: kills recorders during writes, 200 times or the given number. No acknowledged
// data may be missing in their files.
//
// `npm run soak -- resume [<rounds>]`: disconnects 25 clients of this repository's library at once, 40 times or the given
// number. They must resume without a snapshot, with the same books as the exchange.
//
// `npm run soak -- cluster [<clients> [<blocks> [<minutes>]]]`: two sequencers, three gateways, NATS and PostgreSQL are
// killed, stopped and paused at random for 20,000 blocks, while 60 clients follow five coins. 24 of them are written from
// the specification alone, and every book that one reports as exact is compared with the exchange's. The others are this
// repository's library, which resumes. The ledger is compared with what was served. The seed is printed; L4DESK_SEED sets
// it. The run ends after the given minutes at the latest and reports how far it got.
//
// `npm run soak -- mutants <part> [<word>|<n>]`: plants faults with Stryker in a copy of the tree, in the files of book,
// protocol, decimal, ledger or sequencer (whose path contains the word, or in every n-th of their lines), and reports
// those that no test of the part noticed.
import { randomInt } from 'node:crypto';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { run } from './lib/run.mjs';
import { bin, Failure, script } from './lib/workspace.mjs';
import { runMutants } from './mutants/run.mjs';
import { ensureNatsServer } from './nats-server.mjs';

/** Long runs must not hit the timeouts meant for quick ones. */
const TEST_TIMEOUT_MS = 24 * 3_600_000;

const isNumber = (text) => /^[1-9]\d*$/.test(text);

async function tests(files, env) {
  const options = ['--reporter=verbose', `--testTimeout=${TEST_TIMEOUT_MS}`];
  const { code } = await run(bin('vitest'), ['run', ...files, ...options], { env });
  if (code !== 0) throw new Failure('The long run failed.');
}

async function faults(blocks = '10000') {
  if (!isNumber(blocks)) {
    throw new Failure(
      `"${blocks}" is not a number of blocks, "fuzz", "insight", "crowd", "recording", "resume", "cluster" or "mutants".`,
    );
  }
  await build(['bff', 'venue']);
  await tests(['packages/testkit/test/faults.test.ts'], { L4DESK_SOAK_BLOCKS: blocks });
}

/** Sixty times the quick runs. */
async function fuzz(seed = String(randomInt(1, 2 ** 31))) {
  if (!isNumber(seed)) throw new Failure(`"${seed}" is no seed: a whole number from 1.`);
  await build(['bff', 'venue']);
  process.stdout.write(`seed ${seed}\n`);
  const files = [
    'apps/bff/src/http/fuzz.test.ts',
    'apps/bff/src/stream/fuzz.test.ts',
    'packages/book/src',
    'packages/insight/src',
    'packages/feed/src/sequencer/sequencer.test.ts',
    'packages/recording/src/format/segment.property.test.ts',
  ];
  await tests(files, { L4DESK_FUZZ_FACTOR: '60', L4DESK_FUZZ_SEED: seed });
}

/** What `npm test` samples, whole. */
async function insight() {
  const files = ['capture.test.ts', 'flow/capture.test.ts', 'history/history.test.ts'];
  await tests(
    files.map((file) => `packages/insight/src/${file}`),
    { L4DESK_INSIGHT_SOAK: '1' },
  );
}

/** At the real pace; `npm test` goes twice as fast. */
async function crowd() {
  await build(['bff', 'venue']);
  await tests(['packages/testkit/test/crowded-upstream.test.ts'], { L4DESK_CROWD_SPEED: '1' });
}

async function recording(kills = '200') {
  if (!isNumber(kills)) throw new Failure(`"${kills}" is not a number of kills.`);
  await tests(['packages/recording/src/replay/crash.test.ts'], { L4DESK_RECORDING_KILLS: kills });
}

async function resume(rounds = '40') {
  if (!isNumber(rounds)) throw new Failure(`"${rounds}" is not a number of rounds.`);
  await build(['bff', 'venue']);
  await tests(['packages/testkit/test/resume.test.ts'], { L4DESK_RESUME_ROUNDS: rounds });
}

async function cluster(clients = '60', blocks = '20000', minutes = '60') {
  for (const text of [clients, blocks, minutes])
    if (!isNumber(text)) throw new Failure(`"${text}" is not a number from 1.`);
  await build(['bff', 'venue', 'cli']);
  const seed = process.env.L4DESK_SEED ?? String(randomInt(1, 2 ** 31));
  process.stdout.write(`seed ${seed}\n`);
  await tests(['packages/testkit/test/cluster.test.ts'], {
    L4DESK_CLUSTER_CLIENTS: clients,
    L4DESK_CLUSTER_BLOCKS: blocks,
    L4DESK_CLUSTER_MINUTES: minutes,
    L4DESK_SEED: seed,
    NATS_SERVER_PATH: await ensureNatsServer(),
  });
}

await script(
  async () => {
    const [first, ...rest] = process.argv.slice(2);
    await install();
    if (first === 'fuzz') await fuzz(...rest);
    else if (first === 'insight') await insight();
    else if (first === 'crowd') await crowd();
    else if (first === 'recording') await recording(...rest);
    else if (first === 'resume') await resume(...rest);
    else if (first === 'cluster') await cluster(...rest);
    else if (first === 'mutants') await runMutants(rest);
    else await faults(first);
  },
  { help: import.meta.filename },
);
