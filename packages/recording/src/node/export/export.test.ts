import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { generatedCapture, realCapture, temporaryDirectory } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AMOUNTS, awkwardRecording } from '../../replay/test-support/awkward-recording.ts';
import { recordCapture } from '../../replay/test-support/recorded-capture.ts';
import { openRecordingFile } from '../recording-file.ts';
import { exportCsv } from './csv.ts';
import { exportParquet, openQueries, queryRecording } from './duckdb.ts';
import { exportHftbacktest } from './hftbacktest.ts';

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeAll(async () => {
  folder = await temporaryDirectory();
});

afterAll(() => folder[Symbol.asyncDispose]());

/** Removes trailing zeros of a decimal. */
function shortest(text: string): string {
  const [whole = '', decimals = ''] = text.split('.');
  const kept = decimals.replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** Whether two decimals have the same value. */
function isEqual(a: string, b: string): boolean {
  return shortest(a) === shortest(b);
}

/** The cells of a CSV file, read by an independent parser. */
function csvRows(path: string): readonly Readonly<Record<string, string | null>>[] {
  const rows: (string | null)[][] = [[]];
  const text = readFileSync(path, 'utf8');
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain === '' ? null : plain) : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
  }
  const [names = [], ...cells] = rows.slice(0, -1);
  return cells.map((row) => Object.fromEntries(row.map((cell, at) => [names[at] ?? '', cell])));
}

const duckDb = await import('@duckdb/node-api').then(
  () => ['DuckDB'],
  () => [],
);

describe('the export of a recording', () => {
  it('as CSV writes every row, and decimals as they were printed', async () => {
    const [path, out] = [join(folder.path, 'awkward.l4rec'), join(folder.path, 'csv')];
    awkwardRecording(path);
    using file = await openRecordingFile(path);
    const { tables } = await exportCsv(file.recording, out);
    const rows = Object.fromEntries(tables.map((table) => [table.table, csvRows(table.path)]));
    for (const { table, rows: count } of tables) expect([table, rows[table]?.length]).toEqual([table, count]);
    expect(rows.recording).toMatchObject([
      { coin: 'BTC', source: 'a "test", of commas', from_height: '100', to_height: '110' },
    ]);
    expect(rows.gaps).toEqual([{ after: '102', before: '110', reason: 'missing-block' }]);
    expect(rows.orders?.filter(({ height, side }) => height === '100' && side === 'B').map(({ sz }) => sz)).toEqual([
      ...AMOUNTS,
    ]);
    const resizes = rows.changes?.filter(({ kind }) => kind === 'resize');
    expect(resizes?.map(({ from_sz }) => from_sz)).toEqual([...AMOUNTS]);
    expect(resizes?.map(({ to_sz }) => to_sz)).toEqual([...AMOUNTS.slice(1), '0.2']);
    expect(rows.changes?.at(-1)).toMatchObject({
      kind: 'remove',
      oid: '10',
      from_sz: '0.3',
      to_sz: null,
      status: 'filled',
    });
    await expect(exportCsv(file.recording, out)).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it('for hftbacktest writes its events with flags, times in ns and floats', async () => {
    const path = join(folder.path, 'awkward-npz.l4rec');
    awkwardRecording(path);
    using file = await openRecordingFile(path);
    const [written, ...others] = await exportHftbacktest(file.recording, join(folder.path, 'npz'));
    expect(others).toEqual([]);
    const events = readNpz(written?.path ?? '');
    expect(events).toHaveLength(written?.events ?? 0);
    const [bid, ask] = [0xe0000000, 0xd0000000];
    const start = 1_790_000_000_123_000_000n;
    expect(events.slice(0, 3)).toEqual([
      { ev: bid + 3, exch: start, local: start, px: 0, qty: 0, oid: 0n },
      { ev: ask + 3, exch: start, local: start, px: 0, qty: 0, oid: 0n },
      { ev: bid + 10, exch: start, local: start, px: 0.1, qty: 0.1, oid: 10n },
    ]);
    // Shrunk without a status: a trade on the other side, a fill, and the remainder.
    const at = events.findIndex(({ ev, oid }) => ev === bid + 13 && oid === 13n);
    expect(events.slice(at - 1, at + 2).map(({ ev, qty, oid }) => [ev, qty, oid])).toEqual([
      [ask + 2, Number('9007075797951980.876544'), 0n],
      [bid + 13, Number('9007075797951980.876544'), 13n],
      [bid + 12, Number('123456789012.123456'), 13n],
    ]);
    // Grown: nothing was executed.
    expect(events.some(({ ev, oid }) => ev === bid + 13 && oid === 12n)).toBe(false);
    const removal = events.findIndex(({ ev, oid }) => ev === bid + 11 && oid === 10n);
    expect(events.slice(removal - 2, removal).map(({ ev, qty }) => [ev, qty])).toEqual([
      [ask + 2, 0.3],
      [bid + 13, 0.3],
    ]);
    const clears = events.flatMap(({ ev }, index) => (ev === bid + 3 ? [index] : []));
    expect(clears).toHaveLength(2);
    expect(events.slice(clears[1]).map(({ ev }) => ev & 0xff)).toEqual([3, 3, ...Array.from({ length: 8 }, () => 10)]);
  });
});

describe.each(duckDb)('with %s', () => {
  it('Parquet keeps every digit of every decimal in a round trip', async () => {
    const path = join(folder.path, 'awkward-parquet.l4rec');
    awkwardRecording(path);
    using file = await openRecordingFile(path);
    const csv = await exportCsv(file.recording, join(folder.path, 'beside-parquet'));
    const tables = await exportParquet(file.recording, join(folder.path, 'parquet'));
    const queries = await openQueries(file.recording);
    for (const { table, path: written, rows } of tables) {
      const types = await queries.run(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${written}')`);
      expect(JSON.stringify(types.rows)).not.toMatch(/DOUBLE|FLOAT|REAL/);
      const read = await queries.run(`SELECT * FROM '${written}'`);
      expect([table, read.rows.length]).toEqual([table, rows]);
      const expected = csvRows(csv.tables.find((one) => one.table === table)?.path ?? '');
      for (const [index, row] of read.rows.entries()) {
        for (const [at, name] of read.columns.entries()) {
          const [cell, wanted] = [row[at] ?? null, expected[index]?.[name] ?? null];
          const isSame = cell === null || wanted === null ? cell === wanted : isEqual(String(cell), wanted);
          expect([table, name, cell, isSame]).toEqual([table, name, cell, true]);
        }
      }
    }
    queries.close();
    await expect(exportParquet(file.recording, join(folder.path, 'parquet'))).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it('SQL returns exact decimals and whole numbers, and a refused query reports the reason', async () => {
    const path = join(folder.path, 'awkward-sql.l4rec');
    awkwardRecording(path);
    using file = await openRecordingFile(path);
    expect(
      await queryRecording(file.recording, 'SELECT sum(sz) AS total, max(height) AS last FROM executions'),
    ).toEqual({
      columns: ['total', 'last'],
      // The sizes by which three orders shrank, and the filled 0.3.
      rows: [['9007199254822300.19999999', 102]],
    });
    // DuckDB itself would return the result of the first of these.
    expect(await queryRecording(file.recording, 'SELECT 1 AS one; SELECT 2 AS two;')).toEqual({
      columns: ['two'],
      rows: [[2]],
    });
    // As in a join. Otherwise the second column would replace the first one in an object.
    expect(await queryRecording(file.recording, 'SELECT 5 AS height, 6 AS height')).toEqual({
      columns: ['height', 'height:1'],
      rows: [[5, 6]],
    });
    for (const refused of ['SELECT nothing FROM nowhere', 'SELECT 1; SELECT nothing FROM nowhere'])
      await expect(queryRecording(file.recording, refused)).rejects.toMatchObject({
        code: 'query_failed',
        message: expect.stringContaining('nowhere'),
      });
  });

  it.each([realCapture(), generatedCapture()].filter((one) => one !== undefined).slice(0, 1))(
    '$name gives the same book in Parquet, with every price and size exact',
    async (capture) => {
      const recording = recordCapture(capture, folder.path, { keyframeMs: 1e9 });
      recording.record(capture.batches);
      recording.end();
      using file = await openRecordingFile(recording.path);
      const queries = await openQueries(file.recording);
      // The keyframe's orders and later ones, without those that left. An order rests with its last size.
      const { rows } = await queries.run(`
        WITH sizes AS (
          SELECT oid, side, sz, height, -1 AS n FROM orders
          UNION ALL SELECT oid, side, to_sz, height, n FROM changes
        )
        SELECT side, count(*) FROM (SELECT side, arg_max(coalesce(sz, -1), (height, n)) AS sz FROM sizes GROUP BY oid, side)
        WHERE sz >= 0 GROUP BY side ORDER BY side DESC`);
      expect(rows).toEqual([
        ['B', capture.end.bids],
        ['A', capture.end.asks],
      ]);
      // Compares every price and size of the file with the capture itself.
      const tables = await exportParquet(file.recording, join(folder.path, 'parquet-of-capture'));
      const cellsOf = async (table: string, columns: string) => {
        const path = tables.find((one) => one.table === table)?.path ?? '';
        const read = await queries.run(`SELECT ${columns} FROM '${path}' ORDER BY height, n`);
        return read.rows.map((row) => row.map((cell) => (cell === null ? null : shortest(String(cell)))));
      };
      const sizes = new Map<number, string>(capture.levels.flat().map(({ oid, sz }) => [oid, sz]));
      const resting = await cellsOf('orders', 'oid, px, sz, 0 AS n, height');
      expect(resting.map(([oid, px, sz]) => `${oid} ${px} ${sz}`).toSorted()).toEqual(
        capture.levels
          .flat()
          .map(({ oid, limitPx, sz }) => `${oid} ${shortest(limitPx)} ${shortest(sz)}`)
          .toSorted(),
      );
      const changes = capture.batches.flatMap((batch) =>
        batch.changes.map((change) => {
          const { oid, px } = change;
          const to = change.kind === 'insert' ? change.sz : change.kind === 'resize' ? change.newSz : null;
          const from = change.kind === 'insert' ? null : (sizes.get(oid) ?? '');
          sizes.set(oid, to ?? '');
          return [String(oid), shortest(px), from && shortest(from), to && shortest(to)];
        }),
      );
      expect(await cellsOf('changes', 'oid, px, from_sz, to_sz')).toEqual(changes);
      queries.close();
    },
  );
});

/** The events of a .npz file, read by an independent parser. */
function readNpz(path: string) {
  const zip = readFileSync(path);
  expect(zip.readUInt32LE(0)).toBe(0x04034b50);
  const [stored, nameLength] = [zip.readUInt32LE(18), zip.readUInt16LE(26)];
  expect(zip.toString('latin1', 30, 30 + nameLength)).toBe('data.npy');
  const npy = inflateRawSync(zip.subarray(30 + nameLength, 30 + nameLength + stored));
  expect(npy.toString('latin1', 0, 8)).toBe('\x93NUMPY\x01\x00');
  const start = 10 + npy.readUInt16LE(8);
  expect(start % 64).toBe(0);
  expect(npy.toString('latin1', 10, start)).toMatch(/^\{'descr': \[\('ev', '<u8'\), .*'shape': \(\d+,\), \} *\n$/);
  const events = [];
  for (let at = start; at < npy.length; at += 64) {
    events.push({
      ev: Number(npy.readBigUInt64LE(at)),
      exch: npy.readBigInt64LE(at + 8),
      local: npy.readBigInt64LE(at + 16),
      px: npy.readDoubleLE(at + 24),
      qty: npy.readDoubleLE(at + 32),
      oid: npy.readBigUInt64LE(at + 40),
    });
  }
  return events;
}
