import type { Meter } from '@l4desk/ledger';
import { ERROR_CODES, errorBody } from '@l4desk/protocol';
import { until } from '@l4desk/testkit';
import {
  bearer,
  type FakeExchange,
  type FakeQuery,
  type FakeResponse,
  postJson,
  type RawResponse,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '@l4desk/testkit/service';
import { expect } from 'vitest';

/** What became of one reservation. */
interface Metered {
  readonly operation: string;
  readonly credits: number;
  outcome: 'held' | 'charged' | 'released';
}

/** A meter that lets everything through and remembers it. */
class MeterLog implements Meter {
  readonly calls: Metered[] = [];

  reserve: Meter['reserve'] = (_principal, operation, credits) => {
    const call: Metered = { operation, credits, outcome: 'held' };
    this.calls.push(call);
    const settle = (outcome: Metered['outcome']) => {
      if (call.outcome === 'held') call.outcome = outcome;
    };
    return { charge: () => Promise.resolve(settle('charged')), release: () => settle('released') };
  };

  /** Of the last call: what it was, its price, and what became of it. */
  get last(): Metered | undefined {
    return this.calls.at(-1);
  }
}

/** The service over a fake exchange, with everything a test of a query kind asks of it. */
export interface InfoRig extends AsyncDisposable {
  readonly service: TestService;
  readonly exchange: FakeExchange;
  readonly meter: MeterLog;
  readonly key: string;
  /** Posts a query with a good key. */
  ask(body: unknown, headers?: Readonly<Record<string, string>>): Promise<RawResponse>;
  /** The error in a response; checks the one shape of errors on the way. */
  errorOf(response: RawResponse): ReturnType<typeof errorBody.parse>;
  /** What the exchange returns for a kind, and the requests it got since. */
  respond(words: string, response: FakeResponse | ((query: FakeQuery, count: number) => FakeResponse)): void;
  /** What the exchange was asked of a kind. */
  asked(type: string): FakeQuery[];
}

export async function startInfoRig(options: TestServiceOptions = {}): Promise<InfoRig> {
  const meter = new MeterLog();
  const service = await startTestService({ meter, ...options });
  const { api } = await service.account('team');
  const { exchange } = service;
  // From then on the exchange is asked nothing that a test did not cause.
  await until('the coins are known', () => service.logs.some((line) => line.includes('list of coins loaded')));
  return {
    service,
    exchange,
    meter,
    key: api,
    ask: (body, headers = {}) => postJson(`${service.url}/info`, body, { ...bearer(api), ...headers }),
    errorOf(response) {
      expect(response.headers['content-type']).toBe('application/json');
      const body = errorBody.parse(response.json());
      expect(body.code).toBe(response.status);
      expect(body.code).toBe(ERROR_CODES[body.error].status);
      expect(response.text).not.toMatch(/node_modules|at \w+ \(|127\.0\.0\.1|localhost|l4k_/);
      return body;
    },
    respond(words, response) {
      exchange.responses.set(words, response);
    },
    asked: (type) => exchange.asked.filter((query) => query.type === type),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** The n-th of many wallets. */
export function walletOf(n: number): `0x${string}` {
  return `0x${n.toString(16).padStart(40, 'a')}`;
}
