import { closeSync, fdatasyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { BenchRow } from '@l4desk/config/bench';
import { KeptLog } from '@l4desk/testkit';
import { DEFAULT_PLAN, issueKey, newAccount } from '../accounts/new-account.ts';
import { openDatabaseThread } from '../database/database-thread.ts';
import { Ledger, LedgerError } from './ledger.ts';

const CALLS_PER_SECOND = 1000;
const SECONDS = 4;
const KEYS = 8;
/** The package's folder. A benchmark runs as a bundle in `node_modules/.cache/bench`. */
const PACKAGE = join(import.meta.dirname, '..', '..', '..');
/** On the project's disk: /tmp may be in memory, where nothing waits for a disk. */
const DIRECTORY = join(PACKAGE, 'node_modules', '.cache', `ledger-bench-${process.pid}`);

/** The time that a durable charge adds to a call, at a steady rate from the keys of several accounts. */
export default async function* ledger(): AsyncGenerator<BenchRow> {
  mkdirSync(DIRECTORY, { recursive: true });
  const workerUrl = pathToFileURL(join(PACKAGE, '..', '..', 'apps', 'bff', 'dist', 'db-worker.js'));
  try {
    const bare = bareWrites();
    const latencies = await charges(workerUrl);
    for (const [name, at, barMs] of [
      ['p50', 0.5, 3],
      ['p99', 0.99, 15],
    ] as const) {
      const [mine, limit] = [quantile(latencies, at), quantile(bare, at)];
      yield {
        item: `ledger: latency of a durable charge at 1,000 calls/s, ${name}`,
        ours: `${mine.toFixed(2)} ms`,
        limit: `bare write + fdatasync ${limit.toFixed(2)} ms`,
        ratio: mine / limit,
        bar: `≤ ${barMs} ms`,
        pass: mine <= barMs,
      };
    }
  } finally {
    rmSync(DIRECTORY, { recursive: true, force: true });
  }
}

async function charges(workerUrl: URL): Promise<number[]> {
  const noLoss = () => {};
  const store = await openDatabaseThread('store', workerUrl, DIRECTORY, noLoss);
  const table = await openDatabaseThread('ledger', workerUrl, DIRECTORY, noLoss);
  const meter = new Ledger({ table, now: Date.now, log: new KeptLog() });
  const principals: { readonly accountId: string; readonly credentialId: string }[] = [];
  for (let index = 0; index < KEYS; index += 1) {
    const account = newAccount(`bench ${index}`, DEFAULT_PLAN, Date.now());
    await store.createAccount(account);
    const { id } = await issueKey(store, account.id, 'api', '', Date.now());
    principals.push({ accountId: account.id, credentialId: id });
  }
  const call = async (number: number): Promise<number> => {
    const principal = principals[number % KEYS];
    if (principal === undefined) throw new Error('no key');
    const began = performance.now();
    const held = await meter.reserve(principal, 'openOrders', 1);
    if (held instanceof LedgerError) throw held;
    await held.charge();
    return performance.now() - began;
  };
  await Promise.all(principals.map((_, index) => call(index)));
  const calls: Promise<number>[] = [];
  const began = performance.now();
  while (calls.length < CALLS_PER_SECOND * SECONDS) {
    const due = Math.floor(((performance.now() - began) / 1000) * CALLS_PER_SECOND);
    while (calls.length < Math.min(due, CALLS_PER_SECOND * SECONDS)) calls.push(call(calls.length));
    await sleep(1);
  }
  const latencies = await Promise.all(calls);
  await table.close();
  await store.close();
  return latencies;
}

/** The minimum cost of a durable record here: one page appended and synced at a time. */
function bareWrites(): number[] {
  const file = openSync(join(DIRECTORY, 'bare'), 'w');
  const page = Buffer.alloc(4096, 1);
  const times: number[] = [];
  for (let index = 0; index < 1000; index += 1) {
    const began = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    times.push(performance.now() - began);
  }
  closeSync(file);
  return times;
}

function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}
