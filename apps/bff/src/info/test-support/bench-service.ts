import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { L4Feed } from '@l4desk/feed';
import { issueKey, Ledger, newAccount, openDatabaseThread } from '@l4desk/ledger';
import { FakeFeed } from '@l4desk/testkit/service';
import { pino } from 'pino';
import { readSettings } from '../../config/read-settings.ts';
import { createInfoClient } from '../../exchange/info-client.ts';
import { createLog } from '../../log/log.ts';
import { startService } from '../../server.ts';
import { PACKAGE } from './child.ts';

/** More credits than a benchmark spends. */
const PLAN = { plan: 'bench', maxCredits: 1e12, flexLimit: 0, freeCredits: 0 };

export interface BenchService extends AsyncDisposable {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts the service as `npm start` does, with additional settings: databases in threads, log written, ledger on disk. */
export async function startBenchService(
  infoUrl: string,
  feed: L4Feed = liveFeed(),
  env: Readonly<Record<string, string>> = {},
): Promise<BenchService> {
  const read = readSettings({ PORT: '0', UPSTREAM: 'sim', ...env });
  if (read.kind === 'problems') throw new Error(JSON.stringify(read.problems));
  const { settings } = read;
  const directory = join(PACKAGE, 'node_modules', '.cache', `info-bench-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  const workerUrl = pathToFileURL(join(PACKAGE, 'dist', 'db-worker.js'));
  const onLoss = (error: Error) => {
    throw error;
  };
  const store = await openDatabaseThread('store', workerUrl, directory, onLoss);
  const table = await openDatabaseThread('ledger', workerUrl, directory, onLoss);
  const usage = await openDatabaseThread('usage', workerUrl, directory, onLoss);
  const log = createLog('info', pino.destination({ dest: '/dev/null', sync: false }));
  const info = createInfoClient({
    url: infoUrl,
    timeoutMs: settings.UPSTREAM_TIMEOUT_MS,
    dialect: 'exchange',
    log,
  });
  const meter = new Ledger({ table, now: Date.now, log });
  const service = await startService(settings, {
    store,
    usage,
    meter,
    info,
    feed,
    dashboard: undefined,
    source: { kind: 'simulated' },
    log,
  });
  const { port } = service;
  const account = newAccount('bench', PLAN, Date.now());
  await store.createAccount(account);
  const { key } = await issueKey(store, account.id, 'api', '', Date.now());
  return {
    port,
    headers: { Authorization: `Bearer ${key}` },
    async [Symbol.asyncDispose]() {
      await service.close(1000);
      await meter.settled();
      await info[Symbol.asyncDispose]();
      await table.close();
      await usage.close();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function liveFeed(): FakeFeed {
  const feed = new FakeFeed();
  feed.makeLive('SMALL');
  return feed;
}
