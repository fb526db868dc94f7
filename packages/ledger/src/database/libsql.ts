import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDirectory } from '@l4desk/runtime/node';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import Database from 'libsql';
import { LRUCache } from 'lru-cache';
import { createDatabaseFile } from '../create-database-file.ts';
import { DatabaseError } from './database-error.ts';
import { migrate, type Opened } from './migrate.ts';
import type { Tables } from './tables.ts';

/** Transactions take the write lock at once, because one that reads first and then writes could not wait for it. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** A full disk makes SQLite roll back on its own. The original error is the one to report. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!reason(error).includes('no transaction is active')) throw error;
    }
  }
}

/** SQLite's DDL is transactional. Declaring that runs a migration inside the write lock, so two processes never run it twice. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class LibsqlDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new ImmediateDriver({ database: this.#database });
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/** Prepared statements to keep. There are few queries, and preparing one costs as much as running it. */
const STATEMENTS_MAX = 200;

/** The database as Kysely uses it, with cached prepared statements, and errors that name the file and the cause. */
function databaseOfKysely(database: Database.Database, path: string): SqliteDatabase {
  const guard = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw databaseError(error, path);
    }
  };
  const prepare = (sql: string): SqliteStatement => {
    const statement = guard(() => database.prepare(sql));
    return {
      reader: statement.reader,
      all: (parameters) => guard(() => statement.all(parameters)),
      run: (parameters) => guard(() => statement.run(parameters)),
      iterate: (parameters) => guard(() => statement.iterate(parameters)),
    };
  };
  const ready = new LRUCache<string, SqliteStatement>({ max: STATEMENTS_MAX, memoMethod: prepare });
  return {
    close: () => database.close(),
    prepare: (sql) => ready.memo(sql),
  };
}

/**
 * Opens `l4desk.db` of a directory in this thread, creates what is missing, for its owner only, and migrates it.
 * Statements block the thread and wait up to `busyTimeoutMs` for another process. Rejects with DatabaseError.
 */
export async function openEmbedded(directory: string, busyTimeoutMs: number): Promise<Opened> {
  const path = join(directory, 'l4desk.db');
  try {
    makeDirectory(directory);
    createDatabaseFile(path);
  } catch (error) {
    throw new DatabaseError(
      'unwritable',
      `The data directory ${directory} cannot be written: ${reason(error)}.`,
      error,
    );
  }
  const db = new Kysely<Tables>({
    dialect: new LibsqlDialect(databaseOfKysely(await connect(path, busyTimeoutMs), path)),
  });
  return migrate(db, `database ${path}`, (error) => databaseError(error, path));
}

/** Writes the side file into `l4desk.db`, which is the whole database after that. Throws DatabaseError. */
export function checkpointEmbedded(directory: string, busyTimeoutMs: number): void {
  const path = join(directory, 'l4desk.db');
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: busyTimeoutMs });
    database.prepare('pragma wal_checkpoint(truncate)').all();
  } catch (error) {
    throw databaseError(error, path);
  } finally {
    database?.close();
  }
  const { size } = statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size > 0) throw lockedError(path);
}

/** Opens a connection with the safest settings: committed data is on disk, and other processes are waited for. */
async function connect(path: string, busyTimeoutMs: number): Promise<Database.Database> {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: busyTimeoutMs });
    await enterWal(database, busyTimeoutMs);
    database.exec('pragma synchronous = full; pragma foreign_keys = on');
    return database;
  } catch (error) {
    database?.close();
    throw databaseError(error, path);
  }
}

/** SQLite does not wait for another process when it turns WAL on, so this code does. */
async function enterWal(database: Database.Database, busyTimeoutMs: number): Promise<void> {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}

/** Returns any error of the database as a sentence with its cause. */
function databaseError(error: unknown, path: string): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const code = errorCode(error);
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return new DatabaseError(
      'corrupt',
      `The file ${path} is damaged or is not a database. Restore a backup, or move it away to start with an empty database.`,
      error,
    );
  if (isBusy(error)) return lockedError(path, error);
  if (
    code.startsWith('SQLITE_READONLY') ||
    code.startsWith('SQLITE_CANTOPEN') ||
    code === 'SQLITE_FULL' ||
    code.startsWith('SQLITE_IOERR')
  )
    return new DatabaseError('unwritable', `The database ${path} cannot be written (${code}).`, error);
  if (reason(error).includes('ConnectionFailed'))
    return new DatabaseError('unwritable', `The database ${path} cannot be opened.`, error);
  return new DatabaseError('failed', `The database ${path} failed: ${reason(error)}.`, error);
}

function lockedError(path: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    'locked',
    `The database ${path} is locked by another process and was not released in time.`,
    cause,
  );
}

function isBusy(error: unknown): boolean {
  const code = errorCode(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
