import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import { Pool, type PoolClient, DatabaseError as ServerError, TypeOverrides, types } from 'pg';
import { DatabaseError } from './database-error.ts';
import { migrate, type Opened } from './migrate.ts';
import type { Tables } from './tables.ts';

/** The most connections of one part of a service. Three parts have a pool each. */
const CONNECTIONS_MAX = 4;

/** How long connecting may take, and how long a statement may take beyond the wait for a lock. */
const CONNECT_MS_MAX = 3000;
const STATEMENT_MS = 2000;

const IDLE_MS = 30_000;

const IDLE_IN_TRANSACTION_MS = 5000;

function nameOf(url: string): string {
  if (!URL.canParse(url)) return 'PostgreSQL database of DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `PostgreSQL database ${host}${pathname}`;
}

/** Opens a PostgreSQL database by its URL. See `openDatabase`. */
export function openPostgres(url: string, lockWaitMs: number): Promise<Opened> {
  const name = nameOf(url);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connectionPool(url, name, lockWaitMs) }) });
  return migrate(db, name, (error) => databaseError(error, name));
}

/** Connections that name an error's cause. One in doubt is not used again: a paused server may still execute. */
function connectionPool(url: string, name: string, lockWaitMs: number): PostgresPool {
  const config = {
    connectionString: url,
    max: CONNECTIONS_MAX,
    application_name: 'l4desk',
    connectionTimeoutMillis: CONNECT_MS_MAX,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    lock_timeout: lockWaitMs,
    query_timeout: lockWaitMs + STATEMENT_MS,
    // A process that hangs inside a transaction must not block an account's row for all others.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    types: numbersAsNumbers(),
  };
  let pool: Pool;
  try {
    pool = new Pool(config);
  } catch (error) {
    throw databaseError(error, name);
  }
  // A connection that breaks while idle is replaced by the next query.
  const ignored = () => {};
  pool.on('error', ignored);
  pool.on('connect', (client) => client.on('error', ignored));
  return {
    async connect() {
      try {
        return new GuardedClient(await pool.connect(), name);
      } catch (error) {
        throw databaseError(error, name);
      }
    },
    end: () => pool.end(),
  };
}

class GuardedClient implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #name: string;
  #doubt: DatabaseError | undefined;

  constructor(client: PoolClient, name: string) {
    this.#client = client;
    this.#name = name;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== 'string') throw new Error('cursors are not used');
    return this.#run(sql, parameters);
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<never>> {
    // Do not wait for the rollback of a transaction whose connection is gone.
    if (this.#doubt !== undefined) throw this.#doubt;
    try {
      const { command, rowCount, rows } = await this.#client.query<never>(sql, [...parameters]);
      return { command: commandOf(command), rowCount: rowCount ?? 0, rows };
    } catch (error) {
      const failure = databaseError(error, this.#name);
      if (failure.code === 'unreachable') this.#doubt = failure;
      throw failure;
    }
  }

  release(): void {
    this.#client.release(this.#doubt !== undefined);
  }
}

function commandOf(command: string): PostgresQueryResult<never>['command'] {
  const counted = ['UPDATE', 'DELETE', 'INSERT', 'MERGE'] as const;
  return counted.find((one) => one === command) ?? 'SELECT';
}

/** 64-bit integers are numbers here, as in the embedded database; one that does not fit is an error. */
function numbersAsNumbers(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, (text) => {
    const value = Number(text);
    if (Number.isSafeInteger(value)) return value;
    throw new DatabaseError('failed', `The number ${text} in the database is too large.`);
  });
  return overrides;
}

/** Errors of PostgreSQL that are handled differently, by SQLSTATE. */
const STATES: readonly (readonly [pattern: RegExp, code: DatabaseError['code'], problem: string])[] = [
  [/^(08|57P0[1-5]|53300)/, 'unreachable', 'does not accept connections'],
  // A standby, or a server that was one until a moment ago. The next connection may find the leader.
  [/^25006/, 'unreachable', 'is read-only'],
  [/^(55P03|57014|40001|40P01|25P03)/, 'locked', 'was locked by another process and was not released in time'],
  [/^(53|58)/, 'unwritable', 'cannot be written'],
  [/^(28|3D)/, 'failed', 'refused the login; check user, password and database name in DATABASE_URL'],
  [/^42501/, 'failed', 'does not allow its user to use or create the tables'],
];

/** Any other error of PostgreSQL; its own message says what is wrong. */
const OTHER_STATE: (typeof STATES)[number] = [/^/, 'failed', 'failed'];

/** Returns any error of the driver as a sentence with its cause. */
function databaseError(error: unknown, name: string): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const state = error instanceof ServerError ? (error.code ?? '') : '';
  if (error instanceof ServerError) {
    const [, code, problem] = STATES.find(([pattern]) => pattern.test(state)) ?? OTHER_STATE;
    return new DatabaseError(code, `The ${name} ${problem}: ${error.message} (${state}).`, error);
  }
  // Anything else comes from the connection: refused, cut, or silent for too long.
  return new DatabaseError('unreachable', `The ${name} cannot be reached: ${reason(error)}.`, error);
}

/** Connecting to a name with several addresses fails with one error per address. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return reason(error.errors[0]);
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
