import {
  createInfoClient,
  createLog,
  type Dashboard,
  type InfoClientOptions,
  type Replaced,
  readSettings,
  type Service,
  type ServiceDeps,
  type Settings,
  startService,
} from '@l4desk/bff';
import {
  type CredentialKind,
  DEFAULT_PLAN,
  issueKey,
  KyselyLedger,
  KyselyStore,
  KyselyUsageReader,
  Ledger,
  type Meter,
  newAccount,
  openDatabase,
  type Store,
  type UsageReader,
} from '@l4desk/ledger';
import type { Variables } from '@l4desk/runtime/node';
import { temporaryDirectory } from '../temporary-directory.ts';
import { FakeExchange } from './fake-exchange.ts';
import { FakeFeed } from './fake-feed.ts';

/** Limits that no test reaches by accident on a busy machine. A test of one of them sets its own. */
const PATIENT: Variables = {
  UPSTREAM_TIMEOUT_MS: '30000',
  WALLET_TIMEOUT_MS: '30000',
  BATCH_TIMEOUT_MS: '40000',
};

/** Returns the settings for a set of variables. Fails the test if they are invalid. */
export function settingsOf(variables: Variables): Settings {
  const result = readSettings(variables);
  if (result.kind === 'problems') throw new Error(JSON.stringify(result.problems));
  return result.settings;
}

export interface TestServiceOptions {
  readonly env?: Variables;
  readonly dashboard?: Dashboard;
  readonly meter?: Meter;
  /** Replaces the reader of the database for the usage endpoint. */
  readonly usage?: UsageReader;
  /** The folder of its database. Defaults to a directory of its own. */
  readonly directory?: string;
  readonly source?: ServiceDeps['source'];
  readonly exampleWallets?: ServiceDeps['exampleWallets'];
  readonly recordings?: ServiceDeps['recordings'];
  /** Replaces fields of the service's context. */
  readonly replaced?: Replaced;
  /** Differences of the upstream: its dialect, a key, a request limit. */
  readonly upstream?: Partial<InfoClientOptions>;
  /** Changes the exchange before the service's first query. */
  readonly prepare?: (exchange: FakeExchange) => void;
  /** How often the lists of coins are loaded. Default: once. */
  readonly universeRefreshMs?: number;
}

/** The service on a free port, with a real database file, a real socket to a fake exchange, and a controllable clock. */
export interface TestService extends AsyncDisposable {
  /** Its address on this machine, whatever PUBLIC_URL is. */
  readonly url: string;
  readonly port: number;
  readonly service: Service;
  readonly store: Store;
  readonly feed: FakeFeed;
  readonly exchange: FakeExchange;
  readonly directory: string;
  readonly logs: string[];
  readonly pass: (ms: number) => void;
  /** Sets its clock back, as an operator or a time server does, without time passing. */
  readonly setBack: (ms: number) => void;
  readonly now: () => number;
  /** Creates an account with a key of each kind. */
  readonly account: (name: string) => Promise<{ readonly id: string; readonly api: string; readonly service: string }>;
  readonly key: (accountId: string, kind: CredentialKind) => Promise<{ readonly id: string; readonly key: string }>;
}

export async function startTestService({
  env = {},
  dashboard,
  prepare,
  upstream,
  ...given
}: TestServiceOptions = {}): Promise<TestService> {
  const temporary = await temporaryDirectory();
  const directory = given.directory ?? temporary.path;
  const exchange = await FakeExchange.start();
  prepare?.(exchange);
  const settings = settingsOf({ PORT: '0', LOG_LEVEL: 'trace', DATA_DIR: directory, ...PATIENT, ...env });
  const logs: string[] = [];
  const log = createLog(settings.LOG_LEVEL, { write: (line) => void logs.push(line) });
  const store = new KyselyStore(await openDatabase(directory));
  const table = new KyselyLedger(await openDatabase(directory));
  const usage = given.usage ?? new KyselyUsageReader(await openDatabase(directory));
  const info = createInfoClient({
    url: exchange.infoUrl,
    timeoutMs: settings.UPSTREAM_TIMEOUT_MS,
    dialect: 'exchange',
    log,
    ...upstream,
  });
  const feed = new FakeFeed();
  let clock = Date.UTC(2026, 10, 20, 12);
  // Not 0, which caches take for no time at all.
  let passed = 1;
  const now = () => clock;
  const elapsed = () => passed;
  const meter = given.meter ?? new Ledger({ table, now, elapsed, log });
  const parts: ServiceDeps = {
    store,
    usage,
    meter,
    info,
    feed,
    dashboard,
    recordings: given.recordings,
    source: given.source ?? { kind: 'simulated' },
    exampleWallets: given.exampleWallets,
    log,
    universeRefreshMs: given.universeRefreshMs ?? 3_600_000,
    now,
    elapsed,
  };
  const service = await startService(settings, parts, given.replaced);
  const { port } = service;
  const key = (accountId: string, kind: CredentialKind) => issueKey(store, accountId, kind, 'test', clock);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    service,
    store,
    feed,
    exchange,
    directory,
    logs,
    now,
    key,
    pass: (ms) => {
      clock += ms;
      passed += ms;
    },
    setBack: (ms) => {
      clock -= ms;
    },
    async account(name) {
      const created = await store.createAccount(newAccount(name, DEFAULT_PLAN, clock));
      if (created === undefined) throw new Error(`the account ${name} exists`);
      const [api, serviceKey] = [await key(created.id, 'api'), await key(created.id, 'service')];
      return { id: created.id, api: api.key, service: serviceKey.key };
    },
    async [Symbol.asyncDispose]() {
      await service.close(0);
      await info[Symbol.asyncDispose]();
      await table.close();
      await usage.close();
      await store.close();
      await exchange[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}
