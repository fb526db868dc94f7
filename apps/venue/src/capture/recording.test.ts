import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BookLevels } from '@l4desk/protocol';
import { temporaryDirectory } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenue } from '../server.ts';
import { L4Client } from '../test-support/l4-client.ts';
import { generateCapture, writeCapture } from '../test-support/write-capture.ts';
import { writeRecording } from '../test-support/write-recording.ts';
import { CaptureSource } from './capture-source.ts';

const COIN = 'XRP';
const made = generateCapture({ coins: [COIN] });
const first = made.firstHeight;
const last = first + made.blocks;

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let capture: Awaited<ReturnType<typeof writeCapture>>;
let [path, gapped]: readonly string[] = [];
let books: ReadonlyMap<number, BookLevels>;

beforeAll(async () => {
  folder = await temporaryDirectory();
  capture = await writeCapture(made.files, 'plain');
  [path, gapped] = [join(folder.path, 'whole.l4rec'), join(folder.path, 'gapped.l4rec')];
  books = await writeRecording(path, await CaptureSource.open(capture.path), COIN);
  await writeRecording(gapped, await CaptureSource.open(capture.path), COIN, { from: 6, to: 10 });
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await capture[Symbol.asyncDispose]();
});

const open = (which: string | undefined) => CaptureSource.openRecording(which ?? '');
/** The same blocks as a recording, and as the files of a capture. */
const FORMS = [
  ['a recording', () => open(path)],
  ['a folder of captured files', () => CaptureSource.open(capture.path)],
] as const;

describe('a recording', () => {
  it('plays to the book of each height and keeps its last state', async () => {
    const source = await open(path);
    expect([source.height, source.coins.map(({ name }) => name)]).toEqual([first, [COIN]]);
    for (let height = first + 1; height <= last; height += 1) {
      expect(source.advance()?.height).toBe(height);
      expect(source.book(COIN)).toEqual(books.get(height));
    }
    expect([source.nextDelay, source.advance(), source.height]).toEqual([null, null, last]);
    expect(source.recorded).toEqual({ from: made.firstTime, to: source.time });
  });

  it('jumps over a gap without showing blocks that were not recorded', async () => {
    const source = await open(gapped);
    let jumps = 0;
    source.onJump = () => {
      jumps += 1;
    };
    const heights: number[] = [];
    const shown = new Map<number, boolean>();
    for (let block = source.advance(); block !== null; block = source.advance()) {
      heights.push(block.height);
      expect(source.book(COIN)).toEqual(books.get(block.height));
      shown.set(block.height, block.coin(COIN) !== null);
    }
    expect(jumps).toBe(1);
    expect(shown.get(first + 10)).toBe(false);
    expect(heights.slice(4, 7)).toEqual([first + 5, first + 10, first + 11]);
    expect(() => source.seek(first + 7)).toThrow(
      `block ${first + 7} was not recorded: block ${first + 5} is the last one before a gap, which ends at block ${first + 10}`,
    );
  });

  it.each(FORMS)('%s starts again after its last block; heights and times keep rising', async (_, form) => {
    const source = await form();
    source.loops = true;
    let jumps = 0;
    source.onJump = () => {
      jumps += 1;
    };
    let [height, time] = [source.height, source.time];
    for (let count = 0; count < 3 * (made.blocks + 1); count += 1) {
      source.advance();
      expect(source.height).toBe(height + 1);
      expect(source.time).toBeGreaterThanOrEqual(time);
      [height, time] = [source.height, source.time];
      // A round consists of the blocks and the jump after them.
      expect(source.book(COIN)).toEqual(books.get(first + ((count + 1) % (made.blocks + 1))));
    }
    expect(jumps).toBe(3);
  });

  it.each(FORMS)('%s jumps to a height: forward under its own number, back under a later one', async (_, form) => {
    const source = await form();
    expect(source.seek(first + 12)).toBe(first + 12);
    expect(source.book(COIN)).toEqual(books.get(first + 12));
    expect(source.seek(first + 3)).toBe(first + 13);
    expect(source.book(COIN)).toEqual(books.get(first + 3));
    source.advance();
    expect([source.height, source.book(COIN)]).toEqual([first + 14, books.get(first + 4)]);
    expect(() => source.seek(last + 1)).toThrow(`block ${last + 1} was not recorded: block ${last} is the last one`);
    expect(() => source.seek(first - 1)).toThrow(`block ${first - 1} is before the first one, ${first}`);
  });

  it('a file that is not a recording is refused with the file and the reason', async () => {
    const other = join(folder.path, 'other.l4rec');
    await writeFile(other, 'text');
    await expect(open(other)).rejects.toThrow(`${other}: The file is not a .l4rec recording.`);
    await expect(open(join(folder.path, 'none.l4rec'))).rejects.toThrow(/none\.l4rec: cannot be read: .*ENOENT/);
  });
});

async function post(url: string, body: object): Promise<{ readonly status: number; readonly response: unknown }> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, response: await response.json() };
}

describe('the control port', () => {
  it('seeks and loops; disconnected clients find the book of that height', async () => {
    await using venue = await startVenue({ recording: path ?? '', pace: 0 });
    const { controlUrl } = venue;
    await using before = await L4Client.open(venue.l4Url);
    await before.subscribe(COIN);
    expect(await post(`${controlUrl}/seek`, { height: first + 8 })).toEqual({
      status: 200,
      response: { height: first + 8, recorded: first + 8 },
    });
    await before.until(() => before.isClosed, 'the end of the connection');
    await using after = await L4Client.open(venue.l4Url);
    const snapshot = await after.subscribe(COIN);
    expect([snapshot.height, snapshot.levels]).toEqual([first + 8, books.get(first + 8)]);
    expect(await post(`${controlUrl}/seek`, { height: 1 })).toMatchObject({ status: 400 });
    expect(await post(`${controlUrl}/loop`, { loop: true })).toEqual({ status: 200, response: { loop: true } });
    expect(await venue.step(made.blocks)).toBe(first + 8 + made.blocks);
    expect(venue.state().ended).toBe(false);
  });

  it('responds to both with 409 for a simulated market', async () => {
    await using venue = await startVenue({ pace: 0, coins: [COIN], size: 0.01 });
    expect(await post(`${venue.controlUrl}/seek`, { height: 5 })).toMatchObject({ status: 409 });
    expect(await post(`${venue.controlUrl}/loop`, { loop: true })).toMatchObject({ status: 409 });
  });
});
