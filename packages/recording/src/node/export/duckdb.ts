import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { RecordingReader } from '../../format/index.ts';
import { type CsvExport, type ExportedTable, exportCsv } from './csv.ts';
import { columnsOf, type TableName } from './tables.ts';

/** Thrown when DuckDB, an optional dependency, is not installed. */
export class DuckDbMissing extends Error {
  readonly code = 'duckdb_missing';
  readonly retryable = false;

  constructor(options?: ErrorOptions) {
    super('DuckDB is not installed here: npm install @duckdb/node-api', options);
    this.name = 'DuckDbMissing';
  }
}

/** Thrown when DuckDB refuses a query. The message is DuckDB's. */
export class QueryFailed extends Error {
  readonly code = 'query_failed';
  readonly retryable = false;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'QueryFailed';
  }
}

/** The most digits that DuckDB's DECIMAL holds, and the most that fit in eight bytes. */
const DECIMAL_DIGITS_MAX = 38;
const DECIMAL_DIGITS_SHORT = 18;

/**
 * Writes the tables of a recording as Parquet, one file each, into a folder that is created if missing. Prices and sizes are
 * DECIMALs with as many digits as the recording needs, so every value is exact. Throws RecordingError, DuckDbMissing or the
 * system's error.
 */
export async function exportParquet(recording: RecordingReader, folder: string): Promise<readonly ExportedTable[]> {
  return withDuckDb(async (connection, scratch) => {
    const exported = await exportCsv(recording, scratch);
    mkdirSync(folder, { recursive: true });
    const written: ExportedTable[] = [];
    for (const { table, path: csv, rows } of exported.tables) {
      const path = join(folder, `${table}.parquet`);
      // Fails if the file exists, because DuckDB would overwrite it.
      closeSync(openSync(path, 'wx'));
      await run(
        connection,
        `COPY (SELECT * FROM ${readCsv(table, csv, exported)}) TO ${quoted(path)} (FORMAT parquet, COMPRESSION zstd)`,
      );
      written.push({ table, path, rows });
    }
    return written;
  });
}

/** The result of an SQL query. Decimals, and whole numbers beyond 2^53, are texts. */
export interface QueryResult {
  /** Each name occurs once: a second `height` is `height:1`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly QueryCell[])[];
}

export type QueryCell = string | number | boolean | null | readonly QueryCell[];

/**
 * Runs SQL on the tables of a recording, and on the view `executions` over them, in an in-memory database. With several
 * statements, the result is that of the last one. Throws RecordingError, DuckDbMissing and QueryFailed.
 */
export async function queryRecording(recording: RecordingReader, sql: string): Promise<QueryResult> {
  const query = await openQueries(recording);
  try {
    return await query.run(sql);
  } finally {
    query.close();
  }
}

/** A recording loaded into an in-memory database. */
export interface RecordingQueries {
  run(sql: string): Promise<QueryResult>;
  close(): void;
}

/** Loads a recording for several queries. Throws RecordingError and DuckDbMissing. */
export async function openQueries(recording: RecordingReader): Promise<RecordingQueries> {
  const connection = await withDuckDb(async (opened, scratch) => {
    const exported = await exportCsv(recording, scratch);
    for (const { table, path } of exported.tables)
      await run(opened, `CREATE TABLE ${table} AS SELECT * FROM ${readCsv(table, path, exported)}`);
    await run(opened, EXECUTIONS);
    return opened;
  });
  return {
    async run(sql) {
      const reader = await runEach(connection, sql);
      return { columns: reader.deduplicatedColumnNames(), rows: reader.getRows().map((row) => row.map(cellOf)) };
    },
    close: () => connection.closeSync(),
  };
}

/** A maker's partial fill comes without a status. Every other reduction of an order has one. */
const EXECUTIONS = `CREATE VIEW executions AS
  SELECT height, time_ms, n, oid, owner, side, px, from_sz - coalesce(to_sz, 0) AS sz
  FROM changes
  WHERE (kind = 'remove' AND status = 'filled' AND from_sz > 0)
     OR (kind = 'resize' AND to_sz < from_sz AND (status IS NULL OR status = 'filled'))`;

async function run(connection: DuckDBConnection, sql: string) {
  try {
    return await connection.runAndReadAll(sql);
  } catch (error) {
    throw new QueryFailed(error);
  }
}

/** Runs every statement and returns the result of the last one, which DuckDB itself does only sometimes. */
async function runEach(connection: DuckDBConnection, sql: string) {
  // What cannot be split is refused by `run`, which says why.
  const statements = await connection.extractStatements(sql).catch(() => undefined);
  if (statements === undefined || statements.count < 2) return run(connection, sql);
  try {
    const last = statements.count - 1;
    for (let at = 0; at < last; at += 1) await (await statements.prepare(at)).run();
    return await (await statements.prepare(last)).runAndReadAll();
  } catch (error) {
    throw new QueryFailed(error);
  }
}

async function withDuckDb<T>(act: (connection: DuckDBConnection, scratch: string) => Promise<T>): Promise<T> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch((error: unknown) => {
    throw new DuckDbMissing({ cause: error });
  });
  const scratch = mkdtempSync(join(tmpdir(), 'l4desk-export-'));
  try {
    const instance = await DuckDBInstance.create(':memory:');
    return await act(await instance.connect(), scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns SQL that reads a table's CSV file with the types that this recording needs. */
function readCsv(table: TableName, path: string, exported: CsvExport): string {
  const types = { whole: 'BIGINT', text: 'VARCHAR', flag: 'BOOLEAN' } as const;
  const columns = columnsOf(table).map(([name, type]) => {
    const sql = type === 'px' || type === 'sz' ? decimalType(exported[type]) : types[type];
    return `${quoted(name)}: ${quoted(sql)}`;
  });
  return `read_csv(${quoted(path)}, header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, columns = {${columns.join(', ')}})`;
}

/** Throws RangeError if DECIMAL cannot hold that many digits. */
function decimalType({ whole, decimals }: CsvExport['px']): string {
  const digits = whole + decimals;
  if (digits > DECIMAL_DIGITS_MAX)
    throw new RangeError(`a decimal of the recording needs ${digits} digits; DuckDB has ${DECIMAL_DIGITS_MAX}`);
  return `DECIMAL(${digits <= DECIMAL_DIGITS_SHORT ? DECIMAL_DIGITS_SHORT : DECIMAL_DIGITS_MAX},${decimals})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function cellOf(value: DuckDBValue): QueryCell {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if ('items' in value && Array.isArray(value.items)) return value.items.map(cellOf);
  return value.toString();
}
