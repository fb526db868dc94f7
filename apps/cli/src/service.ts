import { type Client, createClient, type FollowEvent, type Follower, type FollowOptions, follow } from '@l4desk/client';
import { z } from '@l4desk/protocol';
import { refusedStatus } from '@l4desk/runtime';
import { localUrl, runningServices, timeoutSignal } from '@l4desk/runtime/node';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { WebSocket } from 'ws';
import type { CliContext } from './context.ts';
import { argument, CliFailure, EXIT, interruptedFailure } from './outcome.ts';
import type { ShellCommands } from './settings.ts';

/** The options that select a running service and the key to use. */
export interface ServiceOptions {
  readonly url?: string;
  readonly key?: string;
}

/** A running service that a command calls. */
export interface RunningService {
  readonly client: Client;
  /** Its URL as shown in messages. */
  readonly url: string;
  readonly commands: ShellCommands;
}

/** Adds `--url` and `--key`. */
export function withServiceOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--url <url>',
        'URL of the service (or L4DESK_URL; default: the service on the same DATA_DIR and PORT)',
      ),
    )
    .addOption(new Option('--key <key>', 'API key (prefer L4DESK_KEY: other users can see command lines)'));
}

/** The service of the options, else of the environment, else the one with the same settings. */
export function runningService(context: CliContext, options: ServiceOptions): RunningService {
  const { variable, commands } = context;
  const baseUrl = options.url ?? variable('L4DESK_URL') ?? sameService(context);
  const apiKey = options.key ?? variable('L4DESK_KEY');
  if (apiKey === undefined || apiKey === '') {
    throw new CliFailure(
      `API key required: set L4DESK_KEY. Create one: ${commands.l4desk} keys create --kind api --account <name>`,
      EXIT.usage,
    );
  }
  // No key has such a character. A request with some of them cannot be sent, which looks like a lost connection.
  if (!/^[!-~]+$/.test(apiKey))
    throw new CliFailure(
      'The API key contains a space, a line break or another character that no key has.',
      EXIT.usage,
    );
  try {
    return { client: createClient({ baseUrl, apiKey, WebSocket }), url: new URL(baseUrl).origin, commands };
  } catch {
    throw new CliFailure('The URL of the service must look like http://127.0.0.1:4400.', EXIT.usage);
  }
}

/**
 * The service with the same `DATA_DIR` and `PORT`. Without a `PORT`, or with 0, it is the last one started on the data
 * directory, whatever its port.
 */
function sameService({ variable, settings, commands }: CliContext): string {
  const { DATA_DIR, HOST, PORT } = settings();
  const running = runningServices(DATA_DIR);
  const isAny = PORT === 0 || variable('PORT') === undefined;
  const found = running.find(({ port }) => port === PORT) ?? (isAny ? running[0] : undefined);
  if (found !== undefined) return found.url;
  if (PORT !== 0) return localUrl(HOST, PORT);
  throw new CliFailure(
    `No service is running on the data directory ${DATA_DIR}. Start one with ${commands.start}, or pass --url or L4DESK_URL.`,
    EXIT.unavailable,
  );
}

/** Parses coin arguments: separate or comma-separated, without duplicates. */
export function coinsArgument(text: string, before: readonly string[] = []): readonly string[] {
  const coins = text.split(',').map((coin) => coin.trim());
  const named = coins.filter((coin) => coin !== '');
  // An empty text is a variable that is not set, and no request for every coin.
  if (named.length === 0) throw new InvalidArgumentError('It must name a coin.');
  return [...new Set([...before, ...named])];
}

/** Creates a parser for whole-number arguments. */
export function wholeArgument(from: number, to: number): (text: string) => number {
  const problem = `must be a whole number from ${from} to ${to}`;
  return argument(
    z
      .string()
      .regex(/^\d{1,9}$/, problem)
      .transform(Number)
      .refine((value) => value >= from && value <= to, problem),
  );
}

/** Available to a command while it follows coins. */
export interface Following {
  readonly follower: Follower;
  /** Resolves once `holds` returns true; checked now and after every event. Rejects with the signal's reason. */
  readonly until: (holds: () => boolean, signal: AbortSignal) => Promise<void>;
}

/** Waits until a coin's book is live. Throws CliFailure on timeout or when the user interrupts. */
export async function liveBook({ follower, until }: Following, coin: string, { interrupted, timeout }: Patience) {
  try {
    const isLive = () => follower.coin(coin)?.state.kind === 'live';
    await until(isLive, AbortSignal.any([interrupted, timeout.signal]));
  } catch (reason) {
    if (interrupted.aborted) throw interruptedFailure();
    if (!timeout.signal.aborted) throw reason;
    const { kind, detail } = follower.coin(coin)?.state ?? {};
    const problem = `No live book of ${coin} within ${timeout.seconds} s: it is ${kind} (${detail}).`;
    throw new CliFailure(problem, EXIT.unavailable, 'timeout');
  }
}

/** The limits of a command's waiting. */
export interface Patience {
  readonly interrupted: AbortSignal;
  readonly timeout: { readonly seconds: number; readonly signal: AbortSignal };
}

/** Starts the timeout now. */
export function patience(interrupted: AbortSignal, seconds: number): Patience {
  return { interrupted, timeout: { seconds, signal: timeoutSignal(seconds * 1_000) } };
}

/**
 * Follows coins while `act` runs. Permanent problems become a CliFailure: an unreachable service at the start, a rejected
 * key, used-up credits, a coin that is not streamed. Connections lost later are reopened.
 */
export async function following<T>(
  service: RunningService,
  coins: readonly string[],
  onEvent: (event: FollowEvent, follower: Follower) => void,
  act: (following: Following) => Promise<T>,
  options: Pick<FollowOptions, 'statuses'> = {},
): Promise<T> {
  const { client } = service;
  const watchers = new Set<() => void>();
  let fail: (failure: CliFailure) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // May be rejected before it is awaited, or never be awaited.
  failed.catch(() => {});
  let wasOpen = false;
  const known: { follower?: Follower } = {};
  const follower = follow({
    ...options,
    client,
    coins,
    onEvent(event) {
      if (event.kind === 'connection' && event.connection.kind === 'open') wasOpen = true;
      const problem = problemOf(event, service, wasOpen);
      if (problem !== undefined) fail(problem);
      // Before `follow` has resolved there are events of the connection only.
      else if (known.follower !== undefined) onEvent(event, known.follower);
      for (const look of watchers) look();
    },
  });
  known.follower = follower;
  const until: Following['until'] = async (holds, signal) => {
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!signal.aborted && !holds()) return;
        watchers.delete(look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      watchers.add(look);
      signal.addEventListener('abort', look);
      look();
    });
    signal.throwIfAborted();
  };
  try {
    return await Promise.race([act({ follower, until }), failed]);
  } finally {
    follower.close();
  }
}

/** The problem, if waiting does not help. */
function problemOf(event: FollowEvent, { url, commands }: RunningService, wasOpen: boolean): CliFailure | undefined {
  if (event.kind === 'refused') {
    // The message repeats the subscription; the reason follows it (WS-17).
    const reason = event.message.slice(event.message.lastIndexOf('}') + 1).replace(/^[: ]+/, '');
    return new CliFailure(`${event.coins.join(', ')} cannot be followed: ${reason}`, EXIT.unavailable, 'refused');
  }
  if (event.kind !== 'connection') return undefined;
  const { connection } = event;
  if (connection.kind === 'stopped' && connection.reason.kind !== 'closed') {
    return rejectedKey(url, connection.reason.kind, connection.reason.message);
  }
  if (connection.kind === 'waiting' && !wasOpen) {
    const { reason } = connection;
    const status = 'message' in reason ? refusedStatus(reason) : undefined;
    if (status !== undefined) {
      const cause = status === 503 ? `; ${url}/readyz says why` : '';
      const problem = `The service at ${url} refuses the stream with status ${status}${cause}.`;
      return new CliFailure(problem, EXIT.unavailable, 'status');
    }
    return unreachable({ url, commands }, 'message' in reason ? reason.message : 'no response');
  }
  return undefined;
}

/** A key that the service rejected, or an account without credits, and what helps. `code` is the service's. */
export function rejectedKey(
  url: string,
  what: 'credential' | 'credits',
  message: string,
  code: string = what === 'credits' ? 'credits_exhausted' : 'unauthorized',
): CliFailure {
  const cure = what === 'credits' ? 'raise them with "accounts set-plan"' : 'see "keys list"';
  const problem = `The service at ${url} rejected the key: ${message.replace(/\.$/, '')}; ${cure}.`;
  return new CliFailure(problem, EXIT.unavailable, code);
}

/** A service that does not respond, and what helps. `cause` is the text of the network's error. */
export function unreachable(
  { url, commands }: Omit<RunningService, 'client'>,
  why: string,
  { code = 'network', cause = why }: { readonly code?: string; readonly cause?: string } = {},
): CliFailure {
  // OpenSSL's words for a response that is not TLS.
  if (cause.includes('wrong version number')) {
    const plain = url.replace(/^https:/, 'http:');
    const problem = `The service at ${url} does not respond with TLS. If it uses plain HTTP, use ${plain}.`;
    return new CliFailure(problem, EXIT.unavailable, code);
  }
  const problem = `The service at ${url} cannot be reached (${why}). Start one with ${commands.start}, or pass --url or L4DESK_URL.`;
  return new CliFailure(problem, EXIT.unavailable, code);
}
