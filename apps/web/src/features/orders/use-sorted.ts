import { useEffect, useMemo, useState } from 'react';
import type { TableSort } from '../../ui/table/table-column.ts';
import type { OrderRow } from './order-rows.ts';
import type { OrderTable } from './order-table.ts';

/** Above this many rows they are sorted in a worker: below, it takes less than 100 ms. */
const IN_WORKER_FROM = 100_000;

interface Sorted {
  readonly of: unknown;
  readonly rows: readonly OrderRow[];
}

/**
 * All rows of the table in the order of a column. While a worker sorts very many, those of before are shown, if they are `of` the
 * same request, else the table's own.
 */
export function useSorted(table: OrderTable, sort: TableSort | undefined, of: unknown): readonly OrderRow[] {
  const isLarge = table.rows.length > IN_WORKER_FROM;
  const atOnce = useMemo(() => (isLarge ? undefined : table.sorted(sort)), [isLarge, table, sort]);
  const [last, setLast] = useState<Sorted>();
  useEffect(() => {
    if (!isLarge) return undefined;
    const worker = new Worker(new URL('./sort-worker.ts', import.meta.url), { type: 'module', name: 'l4-sort' });
    worker.addEventListener('message', ({ data }: MessageEvent<Uint32Array>) => {
      setLast({ of, rows: table.inOrder(data) });
      worker.terminate();
    });
    worker.postMessage({ length: table.rows.length, keys: table.keysOf(sort) });
    return () => worker.terminate();
  }, [isLarge, table, sort, of]);
  const before = last !== undefined && last.of === of ? last.rows : table.rows;
  return atOnce ?? before;
}
