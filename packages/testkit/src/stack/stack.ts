import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { Program, type ProgramResult } from './program.ts';
import { VenueControl } from './venue-control.ts';

/** The built service and its command line. `node scripts/build.mjs` builds them. */
const DIST = join(import.meta.dirname, '..', '..', '..', '..', 'apps', 'bff', 'dist');

export interface StackOptions {
  /** Extra settings of the service besides those that tests always set: demo mode, a port and a data directory of its own. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of the built service. A bundled benchmark is not in the folder of this file. */
  readonly dist?: string;
  /** Runs the service and its exchange with the lowest priority. */
  readonly inBackground?: boolean;
}

/** The real service over the simulated exchange. Blocks are stepped, and books not audited, unless set. */
export class Stack implements AsyncDisposable {
  readonly #env: Readonly<Record<string, string>>;
  readonly #dist: string;
  readonly #inBackground: boolean;
  #service: Program;
  #venue: VenueControl | undefined;
  #signInLink = '';

  readonly directory: string;

  /** The service's address, which stays the same across restarts. */
  readonly url: string;

  private constructor(directory: string, port: number, { env, dist = DIST, inBackground = false }: StackOptions) {
    this.directory = directory;
    this.#dist = dist;
    this.#inBackground = inBackground;
    this.url = `http://127.0.0.1:${port}`;
    this.#env = {
      PORT: String(port),
      DATA_DIR: directory,
      UPSTREAM: 'sim',
      VENUE_CONTROL_PORT: '0',
      VENUE_PACE: 'step',
      // An audit would report that a market stands still between two steps.
      L4_AUDIT_MS: '0',
      ...env,
    };
    this.#service = this.#run();
  }

  /** Starts everything and waits until it is ready. */
  static async start(options: StackOptions = {}): Promise<Stack> {
    const directory = await mkdtemp(join(tmpdir(), 'l4desk-'));
    const stack = new Stack(directory, await freePort(), options);
    try {
      await stack.#ready();
      return stack;
    } catch (error) {
      await stack[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The one-time sign-in link that the last start printed. */
  get signInLink(): string {
    return this.#signInLink;
  }

  /** The control port of the simulated exchange. */
  get venue(): VenueControl {
    if (this.#venue === undefined) throw new Error('the stack is not ready, or has no exchange of its own');
    return this.#venue;
  }

  /** Everything the service has printed since its last start. */
  get log(): string {
    return this.#service.log;
  }

  /** Runs the command line on the same data directory until it ends. */
  command(...args: readonly string[]): Promise<ProgramResult> {
    return new Program(join(this.#dist, '..', '..', 'cli', 'dist', 'main.js'), {
      args,
      env: this.#env,
      cwd: this.directory,
    }).ended;
  }

  /** Ends the service and the exchange with it. Resolves with the result. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<ProgramResult> {
    return this.#service.stop(signal);
  }

  /** Starts the stopped service again: same address, same data, a new exchange. */
  async start(): Promise<void> {
    await this.stop();
    this.#service = this.#run();
    await this.#ready();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  #run(): Program {
    return new Program(join(this.#dist, 'main.js'), {
      env: this.#env,
      cwd: this.directory,
      inBackground: this.#inBackground,
    });
  }

  async #ready(): Promise<void> {
    await this.#service.printed(/^L4 Desk ready at \S+$/);
    // Only the simulation is a demo with an exchange of its own.
    if (this.#env.UPSTREAM !== 'sim') return;
    const [signIn, venue] = await Promise.all([
      this.#service.printed(/^Sign in: (\S+)$/),
      this.#service.logged('venue ready'),
    ]);
    this.#signInLink = signIn[1] ?? '';
    this.#venue = new VenueControl(String(venue.control));
  }
}
