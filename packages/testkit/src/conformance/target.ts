import { issueKeys } from '../keys.ts';
import { Stack, type StackOptions, type VenueControl } from '../stack/index.ts';

/**
 * A service to test against the specification: by default the real one with a small simulated market, and a second one
 * above it. `L4DESK_CONFORMANCE_URL` and `_KEY` select another; `_WS_URL`, `_SERVICE_KEY`, `_COINS` (three lively
 * perps) and `_WALLETS` (one with open orders, one with a history of more than 2,000) override what differs there.
 */
export interface ConformanceTarget {
  /** Base URL, without a path. */
  readonly url: string;
  readonly infoUrl: string;
  /** Full URL of the stream, without the key. */
  readonly streamUrl: string;
  readonly apiKey: string;
  readonly serviceKey: string;
  readonly coins: readonly [string, string, string];
  /** One wallet with open orders and a history, and one with a history of more than 2,000. */
  readonly wallets: { readonly trader: string; readonly archive: string };
}

const NOBODY = `0x${'0'.repeat(40)}`;

/** A target: its name, and a function that opens it. */
type NamedTarget = readonly [name: string, open: () => Promise<ConformanceTarget>];

/** The targets of a run. Disposing of it stops everything that was started for them. */
export interface ConformanceTargets extends AsyncDisposable {
  readonly named: readonly NamedTarget[];
}

/** Returns the target that the environment selects, or our own two. */
export function conformanceTargets(): ConformanceTargets {
  const { env } = process;
  const url = env.L4DESK_CONFORMANCE_URL;
  if (url !== undefined) {
    return { named: [[url, async () => foreignTarget(url, env)]], [Symbol.asyncDispose]: async () => {} };
  }
  const ours = new OwnTargets();
  return {
    named: [
      ['the service', () => ours.service()],
      ['the service behind another', () => ours.behind()],
    ],
    [Symbol.asyncDispose]: () => ours[Symbol.asyncDispose](),
  };
}

/** A service with a small simulated market, and one that has it as its upstream. */
class OwnTargets implements AsyncDisposable {
  readonly #stacks: Promise<Stack>[] = [];
  #service: Promise<ConformanceTarget> | undefined;

  service(): Promise<ConformanceTarget> {
    this.#service ??= this.#startService();
    return this.#service;
  }

  async behind(): Promise<ConformanceTarget> {
    const hosted = await this.service();
    const stack = await this.#start({
      UPSTREAM: 'service',
      UPSTREAM_INFO_URL: hosted.infoUrl,
      UPSTREAM_L4_URL: hosted.streamUrl,
      UPSTREAM_API_KEY: hosted.apiKey,
    });
    return targetOf(stack, 'desk', hosted.wallets);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A stack stops before the one it depends on. A stack that is still starting is stopped once it has started.
    for (const starting of this.#stacks.toReversed()) {
      const stack = await starting.catch(() => undefined);
      await stack?.[Symbol.asyncDispose]();
    }
  }

  async #startService(): Promise<ConformanceTarget> {
    const stack = await this.#start({
      VENUE_PACE: '3',
      VENUE_SIZE: '0.02',
      VENUE_STATUS_RATE: '0.2',
      VENUE_SEED: 'conformance',
    });
    return targetOf(stack, 'demo', await walletsOf(stack.venue));
  }

  #start(env: NonNullable<StackOptions['env']>): Promise<Stack> {
    const starting = Stack.start({ env });
    this.#stacks.push(starting);
    return starting;
  }
}

async function targetOf(
  stack: Stack,
  account: string,
  wallets: ConformanceTarget['wallets'],
): Promise<ConformanceTarget> {
  return {
    ...urls(stack.url, undefined),
    ...(await issueKeys(stack.directory, account)),
    coins: ['BTC', 'ETH', 'SOL'],
    wallets,
  };
}

async function walletsOf(venue: VenueControl): Promise<ConformanceTarget['wallets']> {
  const wallets = await venue.wallets();
  const trader = wallets.find(({ openOrders, history }) => openOrders > 0 && history > 1);
  const archive = wallets.find(({ history }) => history > 2_000);
  if (trader === undefined || archive === undefined) throw new Error('the exchange lacks a wallet to ask about');
  return { trader: trader.address, archive: archive.address };
}

function foreignTarget(url: string, env: NodeJS.ProcessEnv): ConformanceTarget {
  const { L4DESK_CONFORMANCE_KEY: apiKey = '', L4DESK_CONFORMANCE_SERVICE_KEY: serviceKey = '' } = env;
  const [trader = NOBODY, archive = trader] = env.L4DESK_CONFORMANCE_WALLETS?.split(',') ?? [];
  const [first = 'BTC', second = 'ETH', third = 'SOL'] = env.L4DESK_CONFORMANCE_COINS?.split(',') ?? [];
  return {
    ...urls(url, env.L4DESK_CONFORMANCE_WS_URL),
    apiKey,
    serviceKey,
    coins: [first, second, third],
    wallets: { trader, archive },
  };
}

function urls(url: string, wsUrl = url.replace(/^http/, 'ws')) {
  return { url, infoUrl: `${url}/info`, streamUrl: `${wsUrl}/ws` };
}

/** Sends one query: returns status, headers, and the body, parsed if it is JSON. */
export async function askInfo(
  target: Pick<ConformanceTarget, 'infoUrl' | 'apiKey'>,
  body: unknown,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string; readonly json: unknown }> {
  const response = await fetch(target.infoUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${target.apiKey}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}
