import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedCapture, PlainReplay, realCapture, temporaryDirectory } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordCapture } from '../../replay/test-support/recorded-capture.ts';
import { openRecordingFile } from '../recording-file.ts';
import { openQueries, type QueryCell, type RecordingQueries } from './duckdb.ts';
import {
  beforeSweep,
  cancelsAndTrades,
  factsOf,
  lifetimes,
  replaced,
  survivors,
  units,
} from './test-support/plain-results.ts';

const FOLDER = join(import.meta.dirname, '../../../../../docs/research');

/** The questions of docs/research.md, by the names of their files. */
const QUESTIONS: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER)
    .sort()
    .map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]),
);

/** Result columns that hold amounts. */
const DECIMALS = new Set(['net_size']);

const duckDb = await import('@duckdb/node-api').then(
  () => ['DuckDB'],
  () => [],
);

const captures = [generatedCapture(), realCapture()].filter((capture) => capture !== undefined);

it('docs/research.md links to each', () => {
  const page = readFileSync(join(FOLDER, '..', 'research.md'), 'utf8');
  expect([...page.matchAll(/\(research\/(.+\.sql)\)/g)].map(([, name]) => name)).toEqual([...QUESTIONS.keys()]);
});

describe.each(duckDb.flatMap((name) => captures.map((capture) => ({ name: `${name} on ${capture.name}`, capture }))))(
  'the questions of docs/research.md, with $name',
  ({ capture }) => {
    const { batches, levels } = capture;
    let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
    let queries: RecordingQueries;
    beforeAll(async () => {
      folder = await temporaryDirectory();
      // Several keyframes.
      const recording = recordCapture(capture, folder.path, { keyframeMs: 2_000 });
      recording.record(batches);
      recording.end();
      using file = await openRecordingFile(recording.path);
      queries = await openQueries(file.recording);
    });
    afterAll(async () => {
      queries.close();
      await folder[Symbol.asyncDispose]();
    });

    const ask = async (number: number): Promise<readonly Readonly<Record<string, QueryCell>>[]> => {
      const sql = [...QUESTIONS].find(([title]) => title.startsWith(`${number}-`))?.[1] ?? '';
      const { columns, rows } = await queries.run(sql);
      return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])));
    };

    const facts = factsOf(batches, levels);

    /** Columns of a result, with decimals as whole billionths. */
    const cells = async (number: number, names: readonly string[]) =>
      (await ask(number)).map((row) =>
        names.map((name) => (DECIMALS.has(name) ? units(String(row[name])) : (row[name] ?? null))),
      );

    it.each([...QUESTIONS.keys()])('%s', async (title) => {
      expect((await ask(Number.parseInt(title, 10))).length).toBeGreaterThan(0);
    });

    it('counts lifetimes as a plain count does', async () => {
      const told = (await ask(2)).map(({ owner, orders, median_ms, filled }) => [owner, orders, median_ms, filled]);
      expect(told).toEqual(lifetimes(facts));
    });

    it('returns exact executed sizes', async () => {
      const told = await ask(5);
      const total = told.reduce((sum, { size }) => sum + units(String(size)), 0n);
      expect(total).toBe(facts.reduce((sum, { executed }) => sum + executed, 0n));
    });

    it('sums who moved the book before the largest sweep as a plain sum does', async () => {
      expect(await cells(1, ['owner', 'placed', 'withdrawn', 'net_size'])).toEqual(beforeSweep(facts));
    });

    it('counts orders that survive in their queue as a plain count does', async () => {
      expect(await cells(3, ['age_ms', 'watched', 'resting'])).toEqual(survivors(facts));
    });

    it('counts who cancels and who trades as a plain count does', async () => {
      expect(await cells(4, ['owner', 'placed', 'cancelled', 'executions'])).toEqual(cancelsAndTrades(facts));
    });

    it('finds who replaces an order at its price, as a scan of every order does', async () => {
      expect(await cells(6, ['owner', 'replaced', 'median_ms'])).toEqual(replaced(facts));
    });

    it('lists the longest times between two blocks as unknown', async () => {
      const told = (await ask(8)).map(({ what, reason }) => [what, reason].map(String).join(' '));
      const pauses = batches.map(({ time }, index) => time - (batches[index - 1]?.time ?? time)).slice(1);
      const longest = pauses.toSorted((a, b) => b - a).slice(0, 5);
      expect(told.toSorted()).toEqual(longest.map((ms) => `quiet ${ms} ms`).toSorted());
    });

    it('returns the final book of a plain replay', async () => {
      const plain = new PlainReplay(levels);
      for (const batch of batches) plain.apply(batch);
      const sides = await ask(7);
      for (const [at, side] of (['B', 'A'] as const).entries()) {
        const orders = plain.levels()[at] ?? [];
        const shown = sides.filter((row) => row.side === side);
        expect(shown.reduce((sum, row) => sum + Number(row.orders), 0)).toBe(orders.length);
        const first = orders.filter(({ limitPx }) => limitPx === orders[0]?.limitPx);
        expect(shown[0]).toMatchObject({ orders: first.length });
        expect(units(String(shown[0]?.px))).toBe(units(first[0]?.limitPx ?? ''));
        expect(units(String(shown[0]?.size))).toBe(first.reduce((sum, { sz }) => sum + units(sz), 0n));
      }
    });
  },
);
