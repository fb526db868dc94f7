// The long runs of the tests, which `npm test` does shorter.
//
// `npm run soak [-- <blocks>]`: a client written from the specification alone holds three coins for 10,000 blocks (or as
// many as are asked for) while the exchange fails in every way, and its books are compared with the exchange's own after
// every fault; then our own client does so for a twentieth as many faults, and holds every entry against its checksum.
//
// `npm run soak -- fuzz [<seed>]`: more than 100,000 generated inputs at /info, /ws, /platform/usage/ and everything else,
// and generated histories for the book, its sync, the order of blocks and recordings. The seed is printed; the same seed makes the same inputs.
//
// `npm run soak -- insight`: after each block of the recordings everything that is computed from a book is compared with an
// independent computation, and any two blocks with each other; every block of 4,000 is stepped back to on a book of 51,000 orders.
//
// `npm run soak -- crowd`: 64 coins in one subscription at an order-level server that stands still for 90 ms for each
// snapshot, with blocks at their real pace: all are live within 20 s, and no book is lost.
//
// `npm run soak -- recording [<kills>]`: recorders are killed at any write, 200 times or as often as is asked for: nothing that
// was acknowledged is missing in their files.
//
// `npm run soak -- resume [<rounds>]`: 25 clients of our own library are cut off at once, 40 times or as often as is asked for, and go on
// without a snapshot: their books are the exchange's.
//
// `npm run soak -- cluster [<clients> [<blocks> [<minutes>]]]`: two sequencers, three gateways, NATS and PostgreSQL are killed, stopped and
// paused at random, for 20,000 blocks, while 300 clients follow five coins. 24 of them keep books, and every book that one says is
// exact is compared with the exchange's; the others share the decoding, hold each entry against what the rest were sent, and their
// last checksum against one of the exchange's book. The ledger is compared with what was served. The seed is printed;
// L4DESK_SEED sets it. It ends after so many minutes at the latest, and says how far it came.
//
// `npm run soak -- mutants [<word> …]`: plants known faults one at a time in a copy of the tree and says which of them no
// test noticed; words choose the faults whose file or sentence holds one of them.
import { randomInt } from 'node:crypto';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { run } from './lib/run.mjs';
import { bin, Failure, script } from './lib/workspace.mjs';
import { runMutants } from './mutants/run.mjs';
import { ensureNatsServer } from './nats-server.mjs';

/** What runs long is not ended by a ceiling that is meant for quick runs. */
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

/** Thirty times the quick runs, of about 3,900 inputs. */
async function fuzz(seed = String(randomInt(1, 2 ** 31))) {
  if (!isNumber(seed)) throw new Failure(`"${seed}" is no seed: a whole number from 1.`);
  await build(['bff', 'venue']);
  process.stdout.write(`seed ${seed}\n`);
  const files = [
    'apps/bff/src/http/fuzz.test.ts',
    'apps/bff/src/stream/fuzz.test.ts',
    'packages/testkit/test/bad-input.test.ts',
    'packages/book/src',
    'packages/insight/src',
    'packages/feed/src/sequencer/sequencer.test.ts',
    'packages/recording/src/format/segment.property.test.ts',
  ];
  await tests(files, { L4DESK_FUZZ_FACTOR: '30', L4DESK_FUZZ_SEED: seed });
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
  if (!isNumber(kills)) throw new Failure(`"${kills}" is no number of kills.`);
  await tests(['packages/recording/src/replay/crash.test.ts'], { L4DESK_RECORDING_KILLS: kills });
}

async function resume(rounds = '40') {
  if (!isNumber(rounds)) throw new Failure(`"${rounds}" is no number of rounds.`);
  await build(['bff', 'venue']);
  await tests(['packages/testkit/test/resume.test.ts'], { L4DESK_RESUME_ROUNDS: rounds });
}

async function cluster(clients = '300', blocks = '20000', minutes = '60') {
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
