import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchRow } from '@l4desk/config/bench';
import { startL4Feed } from '@l4desk/feed';
import { KeptLog } from '@l4desk/testkit';
import { BOOK_COINS, startBenchBooks } from './test-support/bench-books.ts';
import { startBenchExchange } from './test-support/bench-exchange.ts';
import { type Load, LoadGenerator, quantile } from './test-support/bench-load.ts';
import { startBenchService } from './test-support/bench-service.ts';
import { PACKAGE } from './test-support/child.ts';

const CALLS_PER_SECOND = 250;
const CALLS = 1_000;

const ORDERS = Array.from({ length: 512 }, (_, n) =>
  JSON.stringify({ type: 'openOrders', user: `0x${n.toString(16).padStart(40, 'a')}` }),
);
const SNAPSHOTS = BOOK_COINS.map((coin) => JSON.stringify({ type: 'l4BookSnapshot', coin }));

/** Measures how much small queries are delayed while large books are parsed, built, serialized, compressed and sent. */
export default async function* snapshotLoad(): AsyncGenerator<BenchRow> {
  await using exchange = await startBenchExchange();
  await using books = await startBenchBooks();
  await using feed = startL4Feed(
    {
      upstream: { dialect: 'l4Book', url: books.url },
      pinnedCoins: [],
      lingerMs: 600_000,
      auditMs: 600_000,
      reorderMs: 200,
      rebuildMaxMs: 30_000,
    },
    new KeptLog(),
    { workerUrl: pathToFileURL(join(PACKAGE, 'dist', 'l4-worker.js')) },
  );
  await using service = await startBenchService(exchange.url, feed);
  await using small = new LoadGenerator();
  await using large = new LoadGenerator();
  const { port, headers } = service;
  const queries: Load = {
    port,
    headers,
    bodies: ORDERS,
    connections: 8,
    calls: CALLS,
    perSecond: CALLS_PER_SECOND,
  };
  const snapshots: Load = {
    port,
    headers: { ...headers, 'Accept-Encoding': 'br' },
    bodies: SNAPSHOTS,
    connections: 1,
    calls: SNAPSHOTS.length,
  };
  await small.run(queries);
  const [quiet, [busy]] = [await small.run(queries), await Promise.all([small.run(queries), large.run(snapshots)])];
  const p99 = quantile(busy.latencies, 0.99);
  yield {
    item: 'small queries while four books of 51,000 orders are parsed, serialised and compressed, p99',
    ours: `${p99.toFixed(2)} ms (p50 ${quantile(busy.latencies, 0.5).toFixed(2)})`,
    limit: `without the books ${quantile(quiet.latencies, 0.99).toFixed(2)} ms`,
    ratio: p99 / quantile(quiet.latencies, 0.99),
    bar: '≤ 25 ms',
    pass: p99 <= 25,
  };
}
