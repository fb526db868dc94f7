import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { endWith } from '../servers/reaper.ts';
import { freePort } from '../stack/free-port.ts';
import { until } from '../until.ts';

/** The workspace that contains this file. */
const WORKSPACE = join(import.meta.dirname, '..', '..', '..', '..');

export interface NatsServerOptions {
  /** The largest message that the server accepts, in bytes. */
  readonly payloadMax?: number | undefined;
  /** Further lines of its configuration file. */
  readonly moreConfig?: string;
}

/** A real nats-server with JetStream stored in files, in a directory of its own and on a loopback port. */
export class NatsServer implements AsyncDisposable {
  readonly #directory: string;
  readonly port: number;
  #child: ChildProcess | undefined;

  private constructor(directory: string, port: number) {
    this.#directory = directory;
    this.port = port;
  }

  /** Starts a server. It ends with this process at the latest. */
  static async start({ payloadMax = 1_048_576, moreConfig = '' }: NatsServerOptions = {}): Promise<NatsServer> {
    const directory = await mkdtemp(join(tmpdir(), 'l4desk-nats-'));
    endWith(process.pid, directory, join(directory, 'pid'));
    const server = new NatsServer(directory, await freePort());
    writeFileSync(server.#config, `max_payload: ${payloadMax}\n${moreConfig}\n`);
    await server.launch();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  async launch(): Promise<void> {
    const log = openSync(this.#log, 'a');
    const data = join(this.#directory, 'data');
    const args = ['-c', this.#config, '-a', '127.0.0.1', '-p', String(this.port), '-js', '-sd', data];
    const child = spawn(natsProgram(), args, { detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    child.unref();
    this.#child = child;
    writeFileSync(join(this.#directory, 'pid'), `${child.pid}\n`);
    await until('NATS accepts connections', async () => {
      if (child.exitCode !== null) throw new Error(`nats-server did not start: ${readFileSync(this.#log, 'utf8')}`);
      return this.#greets();
    });
  }

  /** Ends the server: gracefully with `SIGTERM`, at once with `SIGKILL`. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const ended = once(child, 'exit');
    // Keeps a program alive that waits for nothing else.
    child.ref();
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  }

  /** Freezes the server like a machine that hangs. Returns a function that resumes it. */
  pause(): () => void {
    const child = this.#child;
    if (child === undefined) throw new Error('the server does not run');
    child.kill('SIGSTOP');
    return () => child.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Whether it sends its greeting, as to each connection, and the greeting includes JetStream. */
  async #greets(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    try {
      const [greeting] = (await once(socket, 'data')) as [Buffer];
      return greeting.toString().includes('"jetstream":true');
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }

  get #config(): string {
    return join(this.#directory, 'config');
  }

  get #log(): string {
    return join(this.#directory, 'log');
  }
}

/** Returns the path of the program. `npm test` installs it. */
function natsProgram(): string {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, 'nats-server'));
  const got = ['sbin', 'bin'].map((name) => join(WORKSPACE, '.cache', 'nats-server', 'usr', name, 'nats-server'));
  const path = [process.env.NATS_SERVER_PATH ?? '', ...onPath, ...got].find((one) => one !== '' && existsSync(one));
  if (path === undefined) throw new Error('there is no nats-server: `node scripts/nats-server.mjs` gets one');
  return path;
}
