import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '@l4desk/runtime/node';
import { type Kysely, sql } from 'kysely';
import { DatabaseError } from './database-error.ts';
import { checkpointEmbedded } from './libsql.ts';
import { LOCK_WAIT_MS, openDatabase } from './open-database.ts';
import type { Tables } from './tables.ts';

/** Writes a consistent snapshot to a new file while services use the database. Rejects with DatabaseError. */
export async function backUpDatabase(directory: string, file: string): Promise<void> {
  // Opening it would create an empty database and back that up.
  if (!existsSync(join(directory, 'l4desk.db')))
    throw new DatabaseError('failed', `There is no database in ${directory}.`);
  const db = await openDatabase(directory);
  try {
    // Created here, so that other users cannot read it. An existing empty file is filled.
    closeSync(openSync(file, 'wx', 0o600));
    await copyInto(db, file);
  } finally {
    await db.destroy();
  }
}

/** Copies a database into an empty file. Removes the file if that fails. */
async function copyInto(db: Kysely<Tables>, file: string): Promise<void> {
  try {
    await sql`vacuum into ${file}`.execute(db);
    sync(file);
  } catch (error) {
    rmSync(file, { force: true });
    // The database itself is only read: it is the disk of the backup that is full.
    if (error instanceof DatabaseError && error.code === 'unwritable')
      throw new DatabaseError(
        'failed',
        `The backup ${file} cannot be written${inParentheses(codeOf(error.cause))}.`,
        error.cause,
      );
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** A code at the end of a sentence; nothing without one. */
function inParentheses(code: string | undefined): string {
  return code === undefined ? '' : ` (${code})`;
}

const COPY_PREFIX = 'restore-';

/** Matches only names that `mkdtemp` makes. */
const COPY_NAME = new RegExp(`^${COPY_PREFIX}[A-Za-z0-9]{6}$`);

/** Replaces the database of a directory, whose services are stopped. A damaged or newer backup changes nothing. */
export async function restoreDatabase(directory: string, file: string): Promise<void> {
  makeDirectory(directory);
  // A restore that was killed leaves a whole copy of the ledger, which nothing else deletes.
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory() && COPY_NAME.test(entry.name)) rmSync(join(directory, entry.name), { recursive: true });
  }
  const place = mkdtempSync(join(directory, COPY_PREFIX));
  try {
    const copy = join(place, 'l4desk.db');
    try {
      copyFileSync(file, copy);
      chmodSync(copy, 0o600);
    } catch (error) {
      throw new DatabaseError('failed', `The backup ${file} cannot be read: ${reason(error)}.`, error);
    }
    const db = await openDatabase(place).catch((error: unknown) => {
      throw ofBackup(error, file);
    });
    try {
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
      if (rows[0]?.integrity_check !== 'ok') throw new DatabaseError('corrupt', `The backup ${file} is damaged.`);
    } finally {
      await db.destroy();
    }
    sync(copy);
    const target = join(directory, 'l4desk.db');
    checkpointOld(directory);
    // The old database's side files would be taken for those of the new one.
    for (const side of ['-wal', '-shm', '-journal']) rmSync(`${target}${side}`, { force: true });
    renameSync(copy, target);
    sync(directory);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** An error of the copy that was opened, as one of the backup: the copy is gone when it is read. */
function ofBackup(error: unknown, file: string): unknown {
  if (!(error instanceof DatabaseError)) return error;
  switch (error.code) {
    case 'corrupt':
      return new DatabaseError('corrupt', `The backup ${file} is damaged or is not a database.`, error);
    case 'newer':
      return new DatabaseError('newer', `The backup ${file} was written by a newer version of this program.`, error);
    default:
      return error;
  }
}

/** Merges the old side file, which is deleted first. A database that cannot be read is just replaced. */
function checkpointOld(directory: string): void {
  if (!existsSync(join(directory, 'l4desk.db'))) return;
  try {
    checkpointEmbedded(directory, LOCK_WAIT_MS);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code === 'locked') throw error;
  }
}

/** Waits until a file, or the names in a folder, are on disk. */
function sync(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
