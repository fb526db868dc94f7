import { join } from 'node:path';
import { temporaryDirectory, until } from '@l4desk/testkit';
import { Program, Stack, VenueControl, type VenueOrder } from '@l4desk/testkit/stack';
import { expect, it } from 'vitest';

const VENUE = join(import.meta.dirname, '..', '..', '..', 'apps', 'venue', 'dist', 'main.js');

type Levels = readonly (readonly VenueOrder[])[];

/** A book as text, for comparison. */
const textOf = (levels: Levels) =>
  levels.map((side) => side.map(({ user, oid, limitPx, sz }) => [user, oid, limitPx, sz].join(' ')).join('\n'));

/** The market of BTC, stepped one block at a time, with every book it had. */
class Market {
  readonly #venue: VenueControl;
  readonly #books = new Map<number, readonly string[]>();
  #last = '';
  /** The last height at which the book changed. */
  changedAt = 0;

  constructor(venue: VenueControl) {
    this.#venue = venue;
  }

  async step(blocks: number): Promise<void> {
    for (let block = 0; block < blocks; block += 1) {
      const height = await this.#venue.step(1);
      const book = textOf((await this.#venue.book('BTC')).levels);
      this.#books.set(height, book);
      if (book.join() !== this.#last) this.changedAt = height;
      this.#last = book.join();
    }
  }

  bookAt(height: number): readonly string[] | undefined {
    return this.#books.get(height);
  }
}

interface Recording {
  readonly state: string;
  readonly height: number | null;
  readonly file: string | null;
}

/** The recording of BTC, as `/readyz` reports it. */
async function recordingOf(stack: Stack): Promise<Recording | undefined> {
  const response = await fetch(`${stack.url}/readyz`);
  const { recordings } = (await response.json()) as { readonly recordings?: readonly Recording[] };
  return recordings?.[0];
}

/** Resolves with the name of the file being written, once the recorder has acknowledged this height. */
async function acknowledged(stack: Stack, height: number): Promise<string> {
  let last: Recording | undefined;
  return until(
    () => `block ${height} is recorded: ${JSON.stringify(last)}\n${stack.log}`,
    async () => {
      last = await recordingOf(stack);
      const isThere = last?.state === 'recording' && (last.height ?? -1) >= height;
      return isThere && last?.file !== null && last?.file;
    },
  );
}

/** Reads a recording with the command line: its report, and the book at its end. */
async function read(stack: Stack, file: string) {
  const path = join(stack.directory, 'recordings', file);
  const [replayed, at] = [
    await stack.command('replay', path, '--verify', '--json'),
    await stack.command('at', path, '--json'),
  ];
  expect([replayed.stderr, replayed.code, at.code]).toEqual(['', 0, 0]);
  const report = JSON.parse(replayed.stdout) as {
    readonly from: number;
    readonly to: number;
    readonly gaps: readonly object[];
    readonly checksums: string;
    readonly end: { readonly kind: string };
  };
  expect(at.stderr === '').toBe(report.end.kind === 'complete');
  const { levels } = JSON.parse(at.stdout) as { readonly levels: Levels };
  return { ...report, book: textOf(levels) };
}

it('a service killed while it records loses nothing acknowledged, and the next one continues in a file that lists the gap', async () => {
  await using directory = await temporaryDirectory();
  await using venue = new Program(VENUE, {
    cwd: directory.path,
    env: {
      VENUE_PORT: '0',
      VENUE_CONTROL_PORT: '0',
      VENUE_PACE: 'step',
      VENUE_COINS: 'BTC,ETH',
      VENUE_SIZE: '0.02',
      VENUE_STATUS_RATE: '0.1',
    },
  });
  // A separate process, so that the exchange continues when the service is killed.
  const [, info = '', l4 = '', control = ''] = await venue.printed(/^venue: info (\S+), l4Book (\S+), control (\S+)$/);
  const market = new Market(new VenueControl(control));
  await market.step(1);
  await using stack = await Stack.start({
    env: {
      UPSTREAM: 'exchange',
      UPSTREAM_INFO_URL: info,
      UPSTREAM_L4_URL: l4,
      UPSTREAM_WEIGHT_PER_MINUTE: '1000000',
      // Blocks delayed by a loaded machine are not lost.
      L4_REORDER_MS: '2000',
      RECORD_COINS: 'BTC',
    },
  });
  await acknowledged(stack, 0);
  await market.step(30);
  const cutFile = await acknowledged(stack, market.changedAt);
  const cutHeight = market.changedAt;
  // Killed while blocks are being written to the file.
  const moving = market.step(30);
  await stack.stop('SIGKILL');
  await moving;
  await market.step(5);

  await stack.start();
  await acknowledged(stack, market.changedAt);
  await market.step(30);
  const nextFile = await acknowledged(stack, market.changedAt);
  expect((await stack.stop()).code).toBe(0);

  const cut = await read(stack, cutFile);
  expect(cut).toMatchObject({ checksums: 'equal', end: { kind: 'cut' } });
  expect(cut.to).toBeGreaterThanOrEqual(cutHeight);
  expect(cut.book).toEqual(market.bookAt(cut.to));
  const next = await read(stack, nextFile);
  expect(nextFile).not.toBe(cutFile);
  expect(next).toMatchObject({ checksums: 'equal', end: { kind: 'complete' } });
  expect(next.to).toBeGreaterThanOrEqual(market.changedAt);
  expect(next.gaps[0]).toEqual({ after: cut.to, before: next.from, reason: 'recorder-failed' });
  expect(next.book).toEqual(market.bookAt(next.to));
});
