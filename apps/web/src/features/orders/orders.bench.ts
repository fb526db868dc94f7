import type { BenchRow } from '@l4desk/config/bench';
import type { Address } from '@l4desk/protocol';
import { makeVocabularies, OrderChunk } from './order-chunk.ts';
import { type OrderFilter, OrderTable } from './order-table.ts';
import { statisticsOf } from './statistics.ts';
import { answer, generatedEntries } from './test-support/orders.ts';

const WALLETS = 300;
const ORDERS = 2_000;
const BAR_MS = 100;
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

const SORTS = ['limitPx', 'status', 'updated', 'share'] as const;

/** Filter, facet counts and sort of 300 wallets × 2,000 orders, the first look by a column included. */
export default async function* bench(): AsyncGenerator<BenchRow> {
  const vocabularies = makeVocabularies();
  let slowestRead = 0;
  const chunks = Array.from({ length: WALLETS }, (_, at) => {
    const address: Address = `0x${at.toString(16).padStart(40, '0')}`;
    const given = answer(generatedEntries(ORDERS, at + 1), 'historicalOrders', address);
    const start = performance.now();
    const chunk = new OrderChunk(given, vocabularies);
    if (at > 20) slowestRead = Math.max(slowestRead, performance.now() - start);
    return chunk;
  });
  yield absolute(`read one answer of ${ORDERS} orders into columns, slowest`, slowestRead);

  // Once for every set of answers, before the first look.
  const table = new OrderTable(chunks, vocabularies);
  table.view(FILTERS[0]?.[1] ?? never(), undefined);
  for (const [name, filter] of FILTERS) {
    let first = 0;
    const later: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const column of SORTS) {
        const fresh = new OrderTable(chunks, vocabularies);
        fresh.view(FILTERS[0]?.[1] ?? never(), undefined);
        first = Math.max(
          first,
          timed(() => fresh.view(filter, { column, descending: true })),
        );
        later.push(timed(() => fresh.view(filter, { column, descending: true })));
      }
    }
    yield absolute(`filter, counts and sort of 600,000 orders, ${name}: median`, median(later));
    yield absolute(`the same, first by a column, slowest of ${ROUNDS * SORTS.length}`, first);
  }
  yield absolute(
    'new answers: columns joined, the newest first',
    timed(() => new OrderTable(chunks, vocabularies).view(FILTERS[3]?.[1] ?? never(), undefined)),
  );
  const view = table.view(FILTERS[3]?.[1] ?? never(), undefined);
  const took = timed(() => statisticsOf(table, view));
  yield {
    item: 'outcome statistics of 600,000 orders',
    ours: `${took.toFixed(1)} ms`,
    limit: 'no bar',
    ratio: null,
    bar: '–',
    pass: true,
  };
}

function absolute(item: string, ms: number): BenchRow {
  return {
    item,
    ours: `${ms.toFixed(1)} ms`,
    limit: `${BAR_MS} ms`,
    ratio: null,
    bar: `< ${BAR_MS} ms`,
    pass: ms < BAR_MS,
  };
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function never(): never {
  throw new Error('there is such a filter');
}
