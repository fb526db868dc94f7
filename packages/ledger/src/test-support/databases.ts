import { join } from 'node:path';
import { temporaryDirectory } from '@l4desk/testkit';
import { postgresDatabase } from '@l4desk/testkit/postgres';
import Database from 'libsql';
import { Client, types } from 'pg';

/** A new, empty database that can be read without our code. */
export interface TestDatabase extends AsyncDisposable {
  /** See `openDatabase`. */
  readonly place: string;
  /** Returns the rows of a plain SQL query. */
  rows(query: string): Promise<readonly unknown[]>;
  /** Blocks all writes, as another process may, until the returned function is called. */
  lock(): Promise<() => Promise<void>>;
}

/** Both databases, for `describe.each`: both must behave the same. */
export const DATABASES = [
  ['embedded database', embedded],
  ['PostgreSQL', postgres],
] as const satisfies readonly (readonly [name: string, create: () => Promise<TestDatabase>])[];

async function embedded(): Promise<TestDatabase> {
  const directory = await temporaryDirectory();
  const open = () => new Database(join(directory.path, 'l4desk.db'));
  return {
    place: directory.path,
    rows(query) {
      const raw = open();
      try {
        return Promise.resolve(raw.prepare(query).all());
      } finally {
        raw.close();
      }
    },
    lock() {
      const holder = open();
      holder.exec('begin immediate');
      return Promise.resolve(() => {
        holder.exec('rollback');
        holder.close();
        return Promise.resolve();
      });
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

async function postgres(): Promise<TestDatabase> {
  const place = await postgresDatabase();
  const connect = async () => {
    const client = new Client({ connectionString: place });
    client.setTypeParser(types.builtins.INT8, Number);
    client.setTypeParser(types.builtins.NUMERIC, Number);
    await client.connect();
    return client;
  };
  return {
    place,
    async rows(query) {
      const client = await connect();
      try {
        return (await client.query<Record<string, unknown>>(query)).rows;
      } finally {
        await client.end();
      }
    },
    async lock() {
      const holder = await connect();
      await holder.query('begin; lock table accounts, credentials, sessions, usage, usage_months in exclusive mode');
      return () => holder.end();
    },
    // It is removed with its server, at the end of the run.
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
