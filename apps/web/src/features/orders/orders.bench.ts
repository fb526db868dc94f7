import type { BenchRow } from '@l4desk/config/bench';
import type { Address } from '@l4desk/protocol';
import { makeVocabularies, OrderChunk } from './order-chunk.ts';
import { type OrderFilter, OrderTable } from './order-table.ts';
import { statisticsSteps } from './statistics.ts';
import { generatedEntries, responseOf } from './test-support/orders.ts';

const WALLETS = 300;
const ORDERS = 2_000;
const BAR_MS = 100;
/** A task that blocks the page for longer than this is noticeable. */
const TASK_BAR_MS = 50;
const ROUNDS = 7;

const FILTERS: readonly (readonly [string, OrderFilter])[] = [
  [
    'three facets',
    {
      facets: { coin: ['BTC', 'ETH'], side: ['B'], status: ['canceled', 'filled'] },
      search: '',
      placedFrom: undefined,
      placedBefore: undefined,
    },
  ],
  ['one facet that half pass', { facets: { side: ['A'] }, search: '', placedFrom: undefined, placedBefore: undefined }],
  ['an oid being typed', { facets: {}, search: '3981', placedFrom: undefined, placedBefore: undefined }],
  ['no filter', { facets: {}, search: '', placedFrom: undefined, placedBefore: undefined }],
];

const SORTS = ['limitPx', 'sz', 'oid', 'placed', 'status', 'updated', 'share', 'wallet'] as const;

/** Filter, sort and facet counts of 300 wallets × 2,000 orders, including the first sort by a column. */
export default async function* bench(): AsyncGenerator<BenchRow> {
  const vocabularies = makeVocabularies();
  const reads: number[] = [];
  const chunks = Array.from({ length: WALLETS }, (_, at) => {
    const address: Address = `0x${at.toString(16).padStart(40, '0')}`;
    const given = responseOf(generatedEntries(ORDERS, at + 1), 'historicalOrders', address);
    const start = performance.now();
    const chunk = new OrderChunk(given, vocabularies);
    reads.push(performance.now() - start);
    return chunk;
  });
  yield row(`read one response of ${ORDERS} orders into columns`, reads);

  const [, everything] = FILTERS[FILTERS.length - 1] ?? never();
  const [, threeFacets] = FILTERS[0] ?? never();
  const joins: number[] = [];
  const singles: number[] = [];
  const sortedSingles: number[] = [];
  const lists: number[] = [];
  const firsts: number[] = [];
  const times = FILTERS.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    // Garbage of earlier rounds must not be collected in this one.
    globalThis.gc?.();
    let table = new OrderTable(chunks, vocabularies);
    joins.push(
      timed(() => {
        table = new OrderTable(chunks, vocabularies);
        table.view(everything, undefined);
      }),
    );
    const [first = never(), ...others] = chunks;
    const anew = new OrderChunk(first.response, vocabularies);
    singles.push(
      timed(() => {
        table = new OrderTable([anew, ...others], vocabularies, table);
        table.view(everything, undefined);
      }),
    );
    const again = new OrderChunk(first.response, vocabularies);
    sortedSingles.push(
      timed(() => {
        const joined = new OrderTable([again, ...others], vocabularies, table);
        joined.view(threeFacets, { column: 'limitPx', descending: true });
      }),
    );
    for (const column of SORTS) {
      const sort = { column, descending: true };
      firsts.push(timed(() => table.view(everything, sort)));
      for (const [at, [, filter]] of FILTERS.entries()) times[at]?.push(timed(() => table.view(filter, sort)));
    }
    const view = table.view(threeFacets, undefined);
    lists.push(timed(() => view.countsOf('status')));
  }
  for (const [at, [name]] of FILTERS.entries()) {
    yield row(`filter and sort of 600,000 orders, ${name}`, times[at] ?? []);
  }
  yield row('the same, no filter, the first time by a column', firsts);
  yield row('a facet’s list opens: its values counted', lists);
  yield row('one wallet’s response is new: joined, sorted, filtered', singles);
  yield row('the same by a column, three facets', sortedSingles);
  const reading = sum(reads);
  yield {
    ...row(`all ${WALLETS} responses are new at once: joined, sorted, filtered`, joins),
    limit: `reading them ${(reading / 1_000).toFixed(1)} s`,
    bar: '–',
    pass: true,
  };
  const table = new OrderTable(chunks, vocabularies);
  const view = table.view(everything, undefined);
  const steps = statisticsSteps(table, view);
  const pieces: number[] = [];
  for (;;) {
    const start = performance.now();
    const { done } = steps.next();
    pieces.push(performance.now() - start);
    if (done === true) break;
  }
  const longest = Math.max(...pieces);
  yield {
    item: 'outcome statistics of 600,000 orders: longest piece',
    ours: `${longest.toFixed(1)} ms (all ${pieces.length}: ${sum(pieces).toFixed(0)} ms)`,
    limit: `${TASK_BAR_MS} ms`,
    ratio: null,
    bar: `< ${TASK_BAR_MS} ms`,
    pass: longest < TASK_BAR_MS,
  };
}

/** The median against the limit, and the slowest time. */
function row(item: string, times: readonly number[]): BenchRow {
  const ms = median(times);
  const ours = `${ms.toFixed(1)} ms (slowest of ${times.length}: ${Math.max(...times).toFixed(1)})`;
  return { item, ours, limit: `${BAR_MS} ms`, ratio: null, bar: `< ${BAR_MS} ms`, pass: ms < BAR_MS };
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function never(): never {
  throw new Error('there is such a filter');
}
