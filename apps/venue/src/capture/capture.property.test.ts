import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NaiveRow, playNaively } from '../test-support/naive-capture.ts';
import {
  type CaptureLayout,
  DIFFS,
  FILLS,
  generateCapture,
  SNAPSHOT,
  STATUSES,
  writeCapture,
} from '../test-support/write-capture.ts';
import { CaptureError } from './capture-error.ts';
import { CaptureSource } from './capture-source.ts';

const made = generateCapture({ coins: ['XRP'], blocks: 8, seed: 'mutated' });

/** A change of a file at a share of its length: a character is inserted, removed or replaced, or whole lines are moved. */
type Mutation =
  | { readonly kind: 'put' | 'change'; readonly at: number; readonly text: string }
  | { readonly kind: 'take' | 'cut'; readonly at: number }
  | { readonly kind: 'drop line' | 'repeat line' | 'swap lines'; readonly at: number }
  | { readonly kind: 'value'; readonly at: number; readonly text: string };

const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const scrap = fc.constantFrom(...'0123456789.-e"[]{},: abxBA\n'.split(''), '\u0000', 'é', '"x":1,', 'null');

/** Values of many types that could appear in a field. */
const value = fc.constantFrom(
  '0',
  '-1',
  '1.5',
  '1e400',
  '9007199254740993',
  '"0.0"',
  '"1.0"',
  '"1e5"',
  '"B"',
  '"A"',
  'null',
  '{}',
  '[]',
  'true',
  '"remove"',
);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constantFrom('put' as const, 'change' as const), at, text: scrap }),
  fc.record({ kind: fc.constantFrom('take' as const, 'cut' as const), at }),
  fc.record({ kind: fc.constantFrom('drop line' as const, 'repeat line' as const, 'swap lines' as const), at }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('value' as const), at, text: value }) },
);

function mutate(text: string, mutated: Mutation): string {
  const place = Math.floor(mutated.at * text.length);
  switch (mutated.kind) {
    case 'put':
      return text.slice(0, place) + mutated.text + text.slice(place);
    case 'change':
      return text.slice(0, place) + mutated.text + text.slice(place + 1);
    case 'take':
      return text.slice(0, place) + text.slice(place + 1);
    case 'cut':
      return text.slice(0, place);
    case 'value': {
      const found = /:("[^"]*"|-?\d+|true|false|null)/.exec(text.slice(place));
      if (found === null) return text;
      const from = place + found.index + 1;
      return text.slice(0, from) + mutated.text + text.slice(from + (found[1] ?? '').length);
    }
    default:
      return moveLines(text, mutated.kind, mutated.at);
  }
}

function moveLines(text: string, kind: 'drop line' | 'repeat line' | 'swap lines', share: number): string {
  const lines = text.split('\n');
  const index = Math.floor(share * (lines.length - 1));
  const [line = '', next = ''] = lines.slice(index, index + 2);
  if (kind === 'drop line') lines.splice(index, 1);
  else if (kind === 'repeat line') lines.splice(index, 0, line);
  else lines.splice(index, 2, next, line);
  return lines.join('\n');
}

type Books = ReadonlyMap<string, readonly (readonly NaiveRow[])[]>;

/** The result of opening a directory: the books at the end of its replay, or the error. */
async function outcomeOf(directory: string): Promise<Books | CaptureError> {
  let source: CaptureSource;
  try {
    source = await CaptureSource.open(directory);
  } catch (error) {
    if (error instanceof CaptureError) return error;
    throw error;
  }
  // A capture that was accepted must play to its end.
  while (source.advance() !== null);
  return new Map(
    source.coins.map(({ name }) => [
      name,
      (source.book(name) ?? []).map((side) =>
        side.map(({ user, oid, limitPx, sz }): NaiveRow => [user ?? '', oid, limitPx, sz]),
      ),
    ]),
  );
}

/**
 * The problem with an outcome: a different book than expected, or an error that does not say where the problem is. Null
 * if it is right.
 */
function problemOf(outcome: Books | CaptureError, expected: () => Books, directory: string): string | null {
  if (!(outcome instanceof CaptureError)) {
    return JSON.stringify([...outcome]) === JSON.stringify([...expected()]) ? null : 'another book';
  }
  const { file, line, message } = outcome;
  // The file, or the directory if something is missing.
  if (!file.startsWith(directory) || !message.startsWith(file)) return `names no file: ${message}`;
  // The snapshot is one text; every other file that is not compressed has lines.
  const hasLines = file !== directory && !/snapshot_|\.gz/.test(file);
  return hasLines && line === null ? `names no line: ${message}` : null;
}

describe('a capture with one of its files changed', () => {
  it('gives the same book as a plain reading of its texts, or is refused with file and line', async () => {
    let refused = 0;
    let read = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(SNAPSHOT, DIFFS, DIFFS, STATUSES, FILLS), mutation, async (file, mutated) => {
        const files = new Map(made.files).set(file, mutate(made.files.get(file) ?? '', mutated));
        await using directory = await writeCapture(files);
        const outcome = await outcomeOf(directory.path);
        if (outcome instanceof CaptureError) refused += 1;
        else read += 1;
        expect(problemOf(outcome, () => playNaively(files), directory.path)).toBeNull();
      }),
      { numRuns: 60 },
    );
    expect(Math.min(refused, read)).toBeGreaterThan(3);
  });

  it('compressed and with a byte changed, gives the same book or is refused with its file', async () => {
    const whole = playNaively(made.files);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<CaptureLayout>('gz', 'tar.gz'),
        fc.nat(),
        at,
        fc.integer({ min: 1, max: 255 }),
        async (layout, which, share, flipped) => {
          await using directory = await writeCapture(made.files, layout);
          const names = (await readdir(directory.path, { recursive: true }))
            .filter((name) => name.endsWith('gz'))
            .sort();
          const file = join(directory.path, names[which % names.length] ?? '');
          const bytes = await readFile(file);
          const place = Math.floor(share * bytes.length);
          bytes[place] = (bytes[place] ?? 0) ^ flipped;
          await writeFile(file, bytes);
          const outcome = await outcomeOf(directory.path);
          expect(problemOf(outcome, () => whole, directory.path)).toBeNull();
        },
      ),
      { numRuns: 20 },
    );
  });
});
