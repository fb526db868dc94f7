import { type Kysely, type Migration, type MigrationProvider, Migrator } from 'kysely';
import { DatabaseError } from './database-error.ts';
import type { Tables } from './tables.ts';

/** The schema's history, in order. A released migration never changes, and uses only what both databases know. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-accounts': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('accounts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull().unique())
        .addColumn('plan', 'text', (column) => column.notNull())
        .addColumn('max_credits', 'bigint', (column) => column.notNull())
        .addColumn('flex_limit', 'bigint', (column) => column.notNull())
        .addColumn('free_credits', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();

      await db.schema
        .createTable('credentials')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('label', 'text', (column) => column.notNull())
        .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
        .addColumn('prefix', 'text', (column) => column.notNull())
        .addColumn('last_four', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .execute();
      await db.schema.createIndex('credentials_of_account').on('credentials').column('account_id').execute();

      await db.schema
        .createTable('sessions')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('token_hash', 'text', (column) => column.notNull().unique())
        .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
        .addColumn('api_credential_id', 'text', (column) => column.references('credentials.id'))
        .addColumn('service_credential_id', 'text', (column) => column.references('credentials.id'))
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute();

      await db.schema
        .createTable('sign_in_tokens')
        .addColumn('token_hash', 'text', (column) => column.primaryKey())
        .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
        .addColumn('api_credential_id', 'text', (column) => column.references('credentials.id'))
        .addColumn('service_credential_id', 'text', (column) => column.references('credentials.id'))
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '0002-usage': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('usage')
        .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('credential_id', 'text', (column) => column.notNull().references('credentials.id'))
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('free_credits', 'bigint', (column) => column.notNull())
        .addColumn('premium_credits', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('usage_key', ['account_id', 'day', 'credential_id', 'kind'])
        .execute();

      await db.schema
        .createTable('usage_months')
        .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
        .addColumn('month', 'text', (column) => column.notNull())
        .addColumn('free_credits', 'bigint', (column) => column.notNull())
        .addColumn('premium_credits', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('usage_months_key', ['account_id', 'month'])
        .execute();
    },
  },
  '0003-sessions-of-account': {
    async up(db: Kysely<unknown>) {
      await db.schema.createIndex('sessions_of_account').on('sessions').columns(['account_id', 'created_at']).execute();
    },
  },
  '0004-charge-batches': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('charge_writers')
        .addColumn('writer', 'text', (column) => column.primaryKey())
        .addColumn('number', 'bigint', (column) => column.notNull())
        .addColumn('charged', 'text', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('charge_replays')
        .addColumn('writer', 'text', (column) => column.notNull())
        .addColumn('number', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('charge_replays_key', ['writer', 'number'])
        .execute();
    },
  },
  '0005-charge-batch-times': {
    async up(db: Kysely<{ readonly charge_writers: { at: number }; readonly charge_replays: { at: number } }>) {
      for (const table of ['charge_writers', 'charge_replays'] as const) {
        await db.schema
          .alterTable(table)
          .addColumn('at', 'bigint', (column) => column.notNull().defaultTo(0))
          .execute();
        // The age of these rows is unknown, so it counts from now.
        await db.updateTable(table).set({ at: Date.now() }).execute();
      }
    },
  },
  '0006-documents': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('documents')
        .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
        .addColumn('version', 'bigint', (column) => column.notNull())
        .addColumn('text', 'text', (column) => column.notNull())
        .execute();
    },
  },
};

const migrations: MigrationProvider = {
  getMigrations: () => Promise.resolve({ ...MIGRATIONS }),
};

/** An open database, and the migrations that were just applied. */
export interface Opened {
  readonly db: Kysely<Tables>;
  readonly applied: readonly string[];
}

/** Migrates a schema, any number of processes at once. `name` is the database's in messages. Closes it on failure. */
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
