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
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';

/** A reservation and its outcome. */
interface Metered {
  readonly operation: string;
  readonly credits: number;
  outcome: 'held' | 'charged' | 'released';
}

/** A meter that allows everything and records it. */
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

  /** Operation, price and outcome of the last call. */
  get last(): Metered | undefined {
    return this.calls.at(-1);
  }
}

/** The service with a fake exchange, and helpers for tests of query kinds. */
export interface InfoRig extends AsyncDisposable {
  readonly service: TestService;
  readonly exchange: FakeExchange;
  readonly meter: MeterLog;
  readonly key: string;
  /** Posts a query with a valid key. */
  ask(body: unknown, headers?: Readonly<Record<string, string>>): Promise<RawResponse>;
  /** Returns the error of a response, and checks that it has the common error form. */
  errorOf(response: RawResponse): ReturnType<typeof errorBody.parse>;
  /** Sets the exchange's response for a kind. */
  respond(words: string, response: FakeResponse | ((query: FakeQuery, count: number) => FakeResponse)): void;
  /** The requests of a kind that the exchange received. */
  asked(type: string): FakeQuery[];
}

export async function startInfoRig(options: TestServiceOptions = {}): Promise<InfoRig> {
  const meter = new MeterLog();
  const service = await startTestService({ meter, ...options });
  const { api } = await service.account('team');
  const { exchange } = service;
  // From now on the exchange gets only requests that a test causes.
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
      expect(body.msg).toBe(body.message);
      expect(body.message).toMatch(/^[A-Z].*\.$/);
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

/** A rig for all tests of a file, there while they run. Each test begins without queries of earlier ones. */
export function sharedInfoRig(options: TestServiceOptions = {}): InfoRig {
  const rig = {} as InfoRig;
  beforeAll(async () => {
    Object.assign(rig, await startInfoRig(options));
  });
  beforeEach(() => {
    rig.exchange.asked.length = 0;
    rig.meter.calls.length = 0;
  });
  afterAll(() => rig[Symbol.asyncDispose]());
  return rig;
}

/** The n-th of many wallets. */
export function walletOf(n: number): `0x${string}` {
  return `0x${n.toString(16).padStart(40, 'a')}`;
}
