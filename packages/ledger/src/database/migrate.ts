import { type Kysely, Migrator } from 'kysely';
import { DatabaseError } from './database-error.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './tables.ts';

/** An open database, and the migrations that were just applied. */
export interface Opened {
  readonly db: Kysely<Tables>;
  readonly applied: readonly string[];
}

/**
 * Migrates a database's schema. Any number of processes may do so at once: the embedded database holds its write lock meanwhile,
 * PostgreSQL an advisory lock. `name` is the name of the database in messages. Closes the database if it fails.
 */
export async function migrate(
  db: Kysely<Tables>,
  name: string,
  toDatabaseError: (error: unknown) => DatabaseError,
): Promise<Opened> {
  const migrator = new Migrator({
    db,
    provider: migrations,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error === undefined) return { db, applied: results.map(({ migrationName }) => migrationName) };
  await db.destroy();
  if (error instanceof Error && error.message.startsWith('corrupted migrations'))
    throw new DatabaseError('newer', `The ${name} was written by a newer version of this program.`, error);
  throw toDatabaseError(error);
}
