import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, dataSource, type SessionWallets, sessionWallets, z } from '@l4desk/protocol';
import { backoffMs } from '@l4desk/runtime';
import type { Variables } from '@l4desk/runtime/node';
import type { Logger } from '../../log/log.ts';

/** The simulated exchange could not be started. The message includes its last output. */
export class VenueStartError extends Error {
  /** Exit code of the process; 2 means that a setting or a capture is invalid. */
  readonly exitCode: number | null;

  constructor(message: string, exitCode: number | null) {
    super(message);
    this.name = 'VenueStartError';
    this.exitCode = exitCode;
  }
}

export interface VenueOptions {
  readonly program: string;
  /** The environment it runs in, `VENUE_*` included. Without `VENUE_CONTROL_PORT`: 4411, or a free port if that is in use. */
  readonly environment: Variables;
  readonly log: Logger;
  readonly random?: () => number;
}

/** The default control port, fixed so that a person can find it. */
const CONTROL_PORT = '4411';

const RESTART = { firstMs: 500, longestMs: 30_000 };

/** A venue that ran this long counts as healthy, and the next wait is short again. */
const HEALTHY_MS = 60_000;

/** How long the venue may take to exit before it is killed. */
const END_MS = 3000;

const LAST_LINES = 20;

const readyMessage = z.object({
  kind: z.literal('ready'),
  infoUrl: z.url(),
  l4Url: z.url(),
  channelsUrl: z.url(),
  controlUrl: z.url(),
  /** Whether it simulates a market or replays a recording. */
  source: dataSource,
});

type ReadyMessage = z.infer<typeof readyMessage>;

/** The simulated exchange as a child process on loopback. It ends with this process, however this one ends. */
export type VenueProcess = AsyncDisposable & Omit<ReadyMessage, 'kind'>;

interface Ports {
  readonly port: string;
  readonly controlPort: string;
  /** Whether the venue takes a free control port if that one is in use. It then listens on it at once, so that no other does. */
  readonly mayFallBack: boolean;
}

/** Starts the venue and waits until it listens. Rejects with VenueStartError. */
export async function startVenue(options: VenueOptions): Promise<VenueProcess> {
  const { log, random = Math.random } = options;
  const end = new AbortController();
  const { VENUE_PORT: port = '0', VENUE_CONTROL_PORT: controlPort } = options.environment;
  const first = { port, controlPort: controlPort ?? CONTROL_PORT, mayFallBack: controlPort === undefined };
  let running = await launch(options, first);
  const { infoUrl, l4Url, channelsUrl, controlUrl, source } = running.ready;
  const ports: Ports = { port: portOf(infoUrl), controlPort: portOf(controlUrl), mayFallBack: false };
  log.info({ info: infoUrl, l4: l4Url, control: controlUrl }, 'venue ready');

  /** Restarts an exited venue on the same ports, without limit. Each wait is longer, so a broken venue costs little. */
  async function keepAlive(): Promise<void> {
    let failures = 0;
    while (!end.signal.aborted) {
      const code = await running.ended;
      if (end.signal.aborted) return;
      failures = performance.now() - running.startedAt > HEALTHY_MS ? 1 : failures + 1;
      const wait = backoffMs(failures, RESTART, random);
      log.error({ code, waitMs: Math.round(wait) }, 'venue exited, restarting');
      await sleep(wait, undefined, { signal: end.signal }).catch(() => {});
      if (end.signal.aborted) return;
      try {
        running = await launch(options, ports);
        log.info({ control: controlUrl }, 'venue ready');
      } catch (error) {
        log.error({ err: error }, 'venue restart failed');
      }
    }
  }

  const kept = keepAlive();
  return {
    infoUrl,
    l4Url,
    channelsUrl,
    controlUrl,
    source,
    async [Symbol.asyncDispose]() {
      end.abort();
      await stop(running);
      await kept;
      // Also stops a venue that was being restarted in the meantime.
      await stop(running);
    },
  };
}

async function stop({ child, ended }: Running): Promise<void> {
  const killer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(killer);
}

interface Running {
  readonly child: ChildProcess;
  readonly ready: ReadyMessage;
  readonly startedAt: number;
  /** Resolves with the exit code, null after a signal. */
  readonly ended: Promise<number | null>;
}

function launch({ program, environment, log }: VenueOptions, ports: Ports): Promise<Running> {
  const child = fork(program, [], {
    env: {
      ...environment,
      VENUE_HOST: '127.0.0.1',
      VENUE_PORT: ports.port,
      VENUE_CONTROL_PORT: ports.controlPort,
      VENUE_CONTROL_FALLBACK: ports.mayFallBack ? '1' : '0',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lastLines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      log.info({ line }, 'venue');
      lastLines.push(line);
      if (lastLines.length > LAST_LINES) lastLines.shift();
    });
  }
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const ended = new Promise<number | null>((done) => {
      // `close` and not `exit`: by then its last output has been read.
      child.once('close', (code) => {
        done(code);
        const output = lastLines.length === 0 ? '' : `\n${lastLines.join('\n')}`;
        reject(
          new VenueStartError(
            `The simulated exchange exited before it was listening (code ${code ?? 'none'}).${output}`,
            code,
          ),
        );
      });
    });
    child.once('error', (error) =>
      reject(new VenueStartError(`The simulated exchange could not be started: ${error.message}.`, null)),
    );
    child.on('message', (message) => {
      const parsed = readyMessage.safeParse(message);
      if (parsed.success) resolve({ child, ready: parsed.data, startedAt, ended });
    });
  });
}

function portOf(url: string): string {
  return new URL(url).port;
}

/** The environment variables passed to the venue process. Everything else, including keys, is left out. */
const PASSED_ON = /^(?:PATH|NODE_.*|VENUE_.*)$/;

/** The environment of the simulated exchange: its `VENUE_*` values from `.env`, overridden by the process environment. */
export function venueEnvironment(environment: Variables, envFile: Variables): Variables {
  const own = Object.entries(envFile).filter(([name]) => name.startsWith('VENUE_'));
  const set = Object.entries(environment).filter(([name, value]) => PASSED_ON.test(name) && value !== '');
  return { ...Object.fromEntries(own), ...Object.fromEntries(set) };
}

/** Number of wallets per role that a demo shows; more for `spot`. */
const OF_A_ROLE = 3;
const OF_SPOT = 12;

const TIMEOUT_MS = 10_000;

/** Loads a few wallets of each role, in the simulated exchange's order, from its control port. */
export async function exampleWallets(controlUrl: string): Promise<SessionWallets> {
  const wallets = sessionWallets.shape.wallets.safeParse(await ask(`${controlUrl}/wallets`));
  if (!wallets.success) throw unknown(wallets.error);
  const taken = new Map<string, number>();
  const few = wallets.data.filter(({ role }) => {
    const before = taken.get(role) ?? 0;
    taken.set(role, before + 1);
    return before < (role === 'spot' ? OF_SPOT : OF_A_ROLE);
  });
  return { wallets: few };
}

async function ask(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return await response.json();
  } catch (error) {
    throw unknown(error);
  }
}

function unknown(cause: unknown): ApiError {
  return new ApiError('upstream_error', 'The simulated exchange did not return its example wallets.', { cause });
}
