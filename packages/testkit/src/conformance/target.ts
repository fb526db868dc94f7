import { type Program, Stack, type VenueControl } from '../stack/index.ts';

/**
 * A service to hold against the specification. By default the real one is started for it, with a small simulated market
 * at the exchange's own pace, and another instance with that one as its upstream. `L4DESK_CONFORMANCE_URL` and `L4DESK_CONFORMANCE_KEY` name another one, of whatever make;
 * `L4DESK_CONFORMANCE_WS_URL`, `L4DESK_CONFORMANCE_SERVICE_KEY` and `L4DESK_CONFORMANCE_COINS` (three lively perps) and
 * `L4DESK_CONFORMANCE_WALLETS` (one with open orders and a history, one with a history of more than 2,000) what is different
 * there.
 */
export interface ConformanceTarget extends AsyncDisposable {
  /** Base URL, without a path. */
  readonly url: string;
  readonly infoUrl: string;
  /** Whole URL of the stream, without the key. */
  readonly streamUrl: string;
  readonly apiKey: string;
  readonly serviceKey: string;
  /** Perps that change in most blocks. */
  readonly coins: readonly [string, string, string];
  /** One with open orders and a history, and one with a history of more than 2,000. */
  readonly wallets: { readonly trader: string; readonly archive: string };
}

const NOBODY = `0x${'0'.repeat(40)}`;

/** A kind of target: its name, and how to get one. */
export type NamedTarget = readonly [name: string, open: () => Promise<ConformanceTarget>];

/** The targets of a run: the one that the environment names, or the two that are ours. */
export function conformanceTargets(): readonly NamedTarget[] {
  const { env } = process;
  const url = env.L4DESK_CONFORMANCE_URL;
  if (url !== undefined) return [[url, () => foreignTarget(url, env)]];
  return [
    ['the service', ownTarget],
    ['the service behind another', targetBehind],
  ];
}

async function ownTarget(): Promise<ConformanceTarget> {
  const stack = await Stack.start({
    env: { VENUE_PACE: '1', VENUE_SIZE: '0.02', VENUE_STATUS_RATE: '0.2', VENUE_SEED: 'conformance' },
  });
  return targetOf(stack, 'demo', await walletsOf(stack.venue), []);
}

/** An instance whose upstream is another instance. */
async function targetBehind(): Promise<ConformanceTarget> {
  const hosted = await ownTarget();
  const stack = await Stack.start({
    env: {
      UPSTREAM: 'service',
      UPSTREAM_INFO_URL: hosted.infoUrl,
      UPSTREAM_L4_URL: hosted.streamUrl,
      UPSTREAM_API_KEY: hosted.apiKey,
    },
  });
  const created = await stack.command('accounts', 'create', 'desk');
  if (created.code !== 0) throw new Error(`accounts create ended with ${created.code}: ${created.stderr}`);
  return targetOf(stack, 'desk', hosted.wallets, [hosted]);
}

/** A stack with a key of each kind; whatever it stands on ends with it. */
async function targetOf(
  stack: Stack,
  account: string,
  wallets: ConformanceTarget['wallets'],
  under: readonly AsyncDisposable[],
): Promise<ConformanceTarget> {
  const end = async () => {
    await stack[Symbol.asyncDispose]();
    for (const part of under) await part[Symbol.asyncDispose]();
  };
  const createKey = async (kind: 'api' | 'service') =>
    keyOf(await stack.command('keys', 'create', '--json', '--kind', kind, '--account', account));
  try {
    return {
      ...urls(stack.url, undefined),
      apiKey: await createKey('api'),
      serviceKey: await createKey('service'),
      coins: ['BTC', 'ETH', 'SOL'],
      wallets,
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function walletsOf(venue: VenueControl): Promise<ConformanceTarget['wallets']> {
  const wallets = await venue.wallets();
  const trader = wallets.find(({ openOrders, history }) => openOrders > 0 && history > 1);
  const archive = wallets.find(({ history }) => history > 2_000);
  if (trader === undefined || archive === undefined) throw new Error('the exchange lacks a wallet to ask about');
  return { trader: trader.address, archive: archive.address };
}

function keyOf({ code, stdout, stderr }: Awaited<Program['ended']>): string {
  if (code !== 0) throw new Error(`keys create ended with ${code}: ${stderr}`);
  return (JSON.parse(stdout) as { readonly key: string }).key;
}

async function foreignTarget(url: string, env: NodeJS.ProcessEnv): Promise<ConformanceTarget> {
  const { L4DESK_CONFORMANCE_KEY: apiKey = '', L4DESK_CONFORMANCE_SERVICE_KEY: serviceKey = '' } = env;
  const [trader = NOBODY, archive = trader] = env.L4DESK_CONFORMANCE_WALLETS?.split(',') ?? [];
  const [first = 'BTC', second = 'ETH', third = 'SOL'] = env.L4DESK_CONFORMANCE_COINS?.split(',') ?? [];
  return {
    ...urls(url, env.L4DESK_CONFORMANCE_WS_URL),
    apiKey,
    serviceKey,
    coins: [first, second, third],
    wallets: { trader, archive },
    [Symbol.asyncDispose]: async () => {},
  };
}

function urls(url: string, wsUrl = url.replace(/^http/, 'ws')) {
  return { url, infoUrl: `${url}/info`, streamUrl: `${wsUrl}/ws` };
}

/** One call of the query endpoint: status, headers, and the body as JSON where it is JSON. */
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
