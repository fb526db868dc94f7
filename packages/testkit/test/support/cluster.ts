import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, Program, type ProgramResult, VenueControl } from '@l4desk/testkit/stack';

/** The built programs. `node scripts/build.mjs` builds them. */
const APPS = join(import.meta.dirname, '..', '..', '..', '..', 'apps');

interface ClusterOptions {
  readonly natsUrl: string;
  readonly databaseUrl: string;
  readonly sequencers: number;
  readonly gateways: number;
  /** Extra settings of every gateway and sequencer, and of the exchange, besides those that tests always set. */
  readonly env?: Readonly<Record<string, string>>;
  readonly venueEnv?: Readonly<Record<string, string>>;
}

/** One process of a cluster. It can be ended, paused, and started again at the same address. */
export class ClusterMember {
  readonly url: string;
  readonly #program: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #directory: string;
  #running: Program;

  constructor(port: number, directory: string, env: Readonly<Record<string, string>>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#program = join(APPS, 'bff', 'dist', 'main.js');
    this.#directory = directory;
    this.#env = { ...env, PORT: String(port), DATA_DIR: join(directory, String(port)) };
    this.#running = this.#run();
  }

  /** Everything printed since its last start. */
  get log(): string {
    return this.#running.log;
  }

  get isRunning(): boolean {
    return this.#running.running;
  }

  /** Waits until it reports that it is ready. */
  async ready(): Promise<void> {
    await this.#running.printed(/^L4 Desk (?:sequencer )?ready at \S+$/);
  }

  /** Ends the process. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<ProgramResult> {
    return this.#running.stop(signal);
  }

  /** Starts the ended process again, at the same address with the same data. */
  start(): void {
    this.#running = this.#run();
  }

  /** Pauses the process like a machine that hangs; `false` resumes it. */
  pause(isPaused: boolean): void {
    this.#running.signal(isPaused ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Returns the JSON of an operator's page, whatever its status. */
  async page(path: string): Promise<unknown> {
    return (await fetch(`${this.url}${path}`)).json();
  }

  /** Returns the value of a metric without labels. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  }

  #run(): Program {
    return new Program(this.#program, { env: this.#env, cwd: this.#directory });
  }
}

/** Sequencers and gateways in separate processes, with one NATS server, one database and one simulated exchange. */
export class Cluster implements AsyncDisposable {
  readonly sequencers: readonly ClusterMember[];
  readonly gateways: readonly ClusterMember[];
  readonly venue: VenueControl;
  readonly #exchange: Program;
  readonly #directory: string;
  readonly #databaseUrl: string;

  private constructor(
    directory: string,
    databaseUrl: string,
    exchange: Program,
    control: string,
    members: Pick<Cluster, 'sequencers' | 'gateways'>,
  ) {
    this.#directory = directory;
    this.#databaseUrl = databaseUrl;
    this.#exchange = exchange;
    this.venue = new VenueControl(control);
    this.sequencers = members.sequencers;
    this.gateways = members.gateways;
  }

  /** Starts everything and waits until each process is ready. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const directory = await mkdtemp(join(tmpdir(), 'l4desk-cluster-'));
    const exchange = new Program(join(APPS, 'venue', 'dist', 'main.js'), {
      env: { VENUE_PORT: '0', VENUE_CONTROL_PORT: '0', VENUE_PACE: 'step', ...options.venueEnv },
      cwd: directory,
    });
    const [, info = '', l4 = '', control = ''] = await exchange.printed(
      /^venue: info (\S+), l4Book (\S+), control (\S+)$/,
    );
    const common = {
      NATS_URL: options.natsUrl,
      UPSTREAM: 'exchange',
      UPSTREAM_INFO_URL: info,
      UPSTREAM_L4_URL: l4,
      UPSTREAM_WEIGHT_PER_MINUTE: '1000000',
      ...options.env,
    };
    const some = async (count: number, env: Readonly<Record<string, string>>) => {
      const members: ClusterMember[] = [];
      for (let made = 0; made < count; made += 1)
        members.push(new ClusterMember(await freePort(), directory, { ...common, ...env }));
      return members;
    };
    const sequencers = await some(options.sequencers, { ROLE: 'sequencer' });
    const gateways = await some(options.gateways, { ROLE: 'gateway', DATABASE_URL: options.databaseUrl });
    const cluster = new Cluster(directory, options.databaseUrl, exchange, control, { sequencers, gateways });
    try {
      await Promise.all([...sequencers, ...gateways].map((member) => member.ready()));
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Runs the command line on the cluster's database until it ends. */
  command(...args: readonly string[]): Promise<ProgramResult> {
    return new Program(join(APPS, 'cli', 'dist', 'main.js'), {
      args,
      env: { DATABASE_URL: this.#databaseUrl },
      cwd: this.#directory,
    }).ended;
  }

  /** Creates an account with a key of a kind, as an operator does. */
  async key(kind: 'api' | 'service', account = 'desk'): Promise<{ readonly id: string; readonly key: string }> {
    await this.command('accounts', 'create', account);
    const { code, stdout, stderr } = await this.command(
      'keys',
      'create',
      '--json',
      '--kind',
      kind,
      '--account',
      account,
    );
    if (code !== 0) throw new Error(`keys create ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as { readonly id: string; readonly key: string };
  }

  /** Returns the leading sequencer, or undefined if there is none. */
  async leader(): Promise<ClusterMember | undefined> {
    for (const member of this.sequencers) {
      const role = await member.page('/readyz').then(
        (state) => (state as { readonly role?: string }).role,
        () => undefined,
      );
      if (role === 'leader') return member;
    }
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const members = [...this.gateways, ...this.sequencers];
    for (const member of members) member.pause(false);
    await Promise.all(members.map((member) => member.end('SIGTERM')));
    await this.#exchange.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
