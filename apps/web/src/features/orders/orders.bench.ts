import type { BenchRow } from '@l4desk/config/bench';
import type { Address } from '@l4desk/protocol';
import { OrderChunk } from './order-chunk.ts';
import { type OrderFilter, OrderTable, OrderView } from './order-table.ts';
import { statisticsSteps } from './statistics.ts';
import { generatedEntries, responseOf } from './test-support/orders.ts';

/** The most rows that the page itself sorts: 50 wallets with as many orders as the exchange reports. */
const WALLETS = 50;
const ORDERS = 2_000;
const BAR_MS = 150;
const ROUNDS = 7;

const NO_FILTER: OrderFilter = { facets: {}, search: '', placedFrom: undefined, placedBefore: undefined };
const FACETS: OrderFilter = { ...NO_FILTER, facets: { coin: ['BTC', 'ETH'], side: ['B'], status: ['canceled'] } };

/** Reading, sorting, filtering and counting 100,000 orders. */
export default async function* bench(): AsyncGenerator<BenchRow> {
  const responses = Array.from({ length: WALLETS }, (_, at) => {
    const address: Address = `0x${at.toString(16).padStart(40, '0')}`;
    return responseOf(generatedEntries(ORDERS, at + 1), 'historicalOrders', address);
  });
  const chunks = responses.map((response) => new OrderChunk(response));
  const table = new OrderTable(chunks);
  const price = { column: 'limitPx', descending: true };
  const view = new OrderView(table.sorted(price), FACETS);
  yield row('rows of one response', () => responses.slice(0, 1).map((response) => new OrderChunk(response)));
  yield row('newest first', () => new OrderTable(chunks).sorted(undefined));
  yield row('sorted by price', () => new OrderTable(chunks).sorted(price));
  yield row('three filters', () => new OrderView(table.sorted(price), FACETS));
  yield row('an oid being typed', () => new OrderView(table.sorted(price), { ...NO_FILTER, search: '3981' }));
  yield row('the values of a filter counted', () => view.countsOf('status'));
  yield row('outcome statistics', () => [...statisticsSteps(table.rows)]);
}

/** The median against the bar, and the slowest time. */
function row(item: string, work: () => unknown): BenchRow {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const ms = times[Math.floor(ROUNDS / 2)] ?? 0;
  const ours = `${ms.toFixed(1)} ms (slowest of ${ROUNDS}: ${(times.at(-1) ?? 0).toFixed(1)})`;
  return { item, ours, limit: `${BAR_MS} ms`, ratio: null, bar: `< ${BAR_MS} ms`, pass: ms < BAR_MS };
}
