import { type Program, Stack } from '../stack/index.ts';

/**
 * A service to hold against the specification. By default the real one is started for it, with a small simulated market
 * at the exchange's own pace. `L4DESK_CONFORMANCE_URL` and `L4DESK_CONFORMANCE_KEY` name another one, of whatever make;
 * `L4DESK_CONFORMANCE_WS_URL`, `L4DESK_CONFORMANCE_SERVICE_KEY` and `L4DESK_CONFORMANCE_COINS` (three lively perps) what is
 * different there.
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
}

export async function conformanceTarget(): Promise<ConformanceTarget> {
  const { env } = process;
  const url = env.L4DESK_CONFORMANCE_URL;
  return url === undefined ? ownTarget() : foreignTarget(url, env);
}

async function ownTarget(): Promise<ConformanceTarget> {
  const stack = await Stack.start({
    env: { VENUE_PACE: '1', VENUE_SIZE: '0.02', VENUE_STATUS_RATE: '0.2', VENUE_SEED: 'conformance' },
  });
  const createKey = async (kind: 'api' | 'service'): Promise<string> => {
    const result = await stack.command('keys', 'create', '--json', '--kind', kind, '--account', 'demo');
    return keyOf(result);
  };
  try {
    return {
      ...urls(stack.url, undefined),
      apiKey: await createKey('api'),
      serviceKey: await createKey('service'),
      coins: ['BTC', 'ETH', 'SOL'],
      [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
    };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}

function keyOf({ code, stdout, stderr }: Awaited<Program['ended']>): string {
  if (code !== 0) throw new Error(`keys create ended with ${code}: ${stderr}`);
  return (JSON.parse(stdout) as { readonly key: string }).key;
}

function foreignTarget(url: string, env: NodeJS.ProcessEnv): ConformanceTarget {
  const { L4DESK_CONFORMANCE_KEY: apiKey = '', L4DESK_CONFORMANCE_SERVICE_KEY: serviceKey = '' } = env;
  const [first = 'BTC', second = 'ETH', third = 'SOL'] = env.L4DESK_CONFORMANCE_COINS?.split(',') ?? [];
  return {
    ...urls(url, env.L4DESK_CONFORMANCE_WS_URL),
    apiKey,
    serviceKey,
    coins: [first, second, third],
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
