import { readSort } from '../../ui/table/table-column.ts';
import type { FundingPeriod, History } from './entries.ts';
import { ENTRY_COLUMNS, type EntryRow } from './entries-panel.tsx';
import { type CoinLoad, historyIn, holds } from './loads.ts';
import { partOf } from './search.ts';

export function rowOf(histories: readonly History[], key: string | undefined): EntryRow | undefined {
  for (const [at, history] of histories.entries()) {
    const entry = key?.startsWith(`${history.coin}.`) ? history.entries.find((each) => each.key === key) : undefined;
    if (entry !== undefined) return { entry, history, at };
  }
  return undefined;
}

interface Asked {
  readonly zoom?: string | undefined;
  readonly sort?: string | undefined;
  readonly row?: string | undefined;
}

interface Fetched {
  readonly coin: string;
  readonly load: CoinLoad | undefined;
}

/** Parameters of the address that refer to nothing, as written: a part outside of the period, a column, an entry. */
export function refusedChoices(
  { zoom, sort, row }: Asked,
  period: FundingPeriod,
  coins: readonly Fetched[],
): readonly string[] {
  const part = partOf(zoom);
  const isOutside = part !== undefined && (part.to <= period.from || part.from >= period.to);
  return [
    isOutside ? `zoom=${zoom}` : [],
    sort !== undefined && readSort(sort, ENTRY_COLUMNS) === undefined ? `sort=${sort}` : [],
    row !== undefined && coins.every((fetched) => hasNot(fetched, row, period)) ? `row=${row}` : [],
  ].flat();
}

/** Whether a coin certainly lacks the entry: the entry is of another coin, or the whole period was loaded without it. */
function hasNot({ coin, load }: Fetched, row: string, period: FundingPeriod): boolean {
  if (!row.startsWith(`${coin}.`)) return true;
  return holds(load, period) && rowOf([historyIn(coin, load, period)], row) === undefined;
}
