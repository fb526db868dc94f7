import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { compareBooks, L4Book } from '@l4desk/book';
import type { BookChange } from '@l4desk/protocol';
import { bundleProgram, Chance, removeBundles, temporaryDirectory } from '@l4desk/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordingFile } from '../node/recording-file.ts';
import { EndlessChanges } from './test-support/endless-changes.ts';
import { bookAt } from './time-travel.ts';
import { replayRecording } from './verification.ts';

/** `npm run soak -- recording` runs 200. */
const KILLS = Number(process.env.L4DESK_RECORDING_KILLS ?? 8);

let program: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  program = fileURLToPath(
    await bundleProgram('packages/recording/src/replay/test-support/endless-recorder.ts', 'recording/endless-recorder'),
  );
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await removeBundles();
});

it(`${KILLS} recorders killed at any write keep every acknowledged block, and the blocks are those recorded`, async () => {
  await using folder = await temporaryDirectory();
  const chance = new Chance(Date.now() % 1_000_000);
  let recorded = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const path = join(folder.path, `${kill}.l4rec`);
    const seed = `seed ${chance.seed}, kill ${kill}`;
    const blocksSeed = chance.int(1, 1_000_000);
    const child = spawn(process.execPath, [program, path, String(blocksSeed)]);
    children.push(child);
    // Each line is a height that a write has acknowledged, the first being the header. The recorder is killed a moment after some
    // number of lines.
    const [lines, delay] = [chance.int(2, 120), chance.int(0, 4)];
    let acknowledged = 0;
    let count = 0;
    const exited = once(child, 'exit');
    createInterface({ input: child.stdout }).on('line', (line) => {
      acknowledged = Number(line);
      count += 1;
      if (count === lines) setTimeout(() => child.kill('SIGKILL'), delay);
    });
    const [, signal] = await exited;
    using file = await openRecordingFile(path);
    const { end } = file.recording;
    const { from, to, blocks, gaps, checksums, differences } = await replayRecording(file.recording, { verify: true });
    const isWhole = (to ?? -1) >= acknowledged;
    const expected = {
      signal: 'SIGKILL',
      end: 'cut',
      from: 0,
      isWhole: true,
      gaps: [],
      checksums: 'equal',
      differences: [],
    };
    expect({ seed, signal, end: end.kind, from, isWhole, gaps, checksums, differences }).toEqual({ seed, ...expected });
    // The recorded blocks must equal the same blocks generated here.
    const made = new EndlessChanges(blocksSeed);
    const { book } = L4Book.build('BTC', [[], []]);
    const changes = Array.from({ length: to ?? 0 }, () => made.next());
    for (const [index, block] of changes.entries()) book.apply(block, [], (index + 1) * 67);
    const found: (readonly BookChange[])[] = [];
    for await (const event of file.recording.events()) if (event.kind === 'block') found.push(event.block.changes);
    const different = found.findIndex((block, index) => !isDeepStrictEqual(block, changes[index]));
    expect({ seed, found: found.length, different: found[different] }).toEqual({
      seed,
      found: changes.length,
      different: changes[different],
    });
    const difference = compareBooks(book, (await bookAt(file.recording, to ?? 0)).book);
    expect({ seed, difference }).toEqual({ seed, difference: undefined });
    recorded += blocks;
  }
  expect(recorded).toBeGreaterThan(KILLS);
});
