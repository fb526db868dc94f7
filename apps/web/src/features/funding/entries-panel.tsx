import { useMemo } from 'react';
import { count, decimal, type ExportColumn, flag, text } from '../../ui/export/csv.ts';
import { columnDecimals, signedPercent } from '../../ui/format.ts';
import { Empty } from '../../ui/page/states.tsx';
import { ColumnChooser } from '../../ui/table/column-chooser.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { decimalKeys, sortedIndexes } from '../../ui/table/sorted-indexes.ts';
import type { RowState, TableColumn, TableSort } from '../../ui/table/table-column.ts';
import { useTableColumns } from '../../ui/table/use-table-columns.ts';
import { type TimeTexts, useTime } from '../../ui/use-time.ts';
import { type Entry, type FundingPeriod, type History, textOf } from './entries.ts';
import { rateIn, UNIT_TEXTS } from './rates.ts';
import { UNITS } from './search.ts';
import { lookOf } from './series.tsx';
import { emptyText, NOT_REPORTED } from './texts.ts';

export interface EntryRow {
  readonly entry: Entry;
  readonly history: History;
  readonly at: number;
}

/** All entries in view, newest first unless sorted otherwise; entries without a value come last in either direction. */
export function rowsOf(histories: readonly History[], sort: TableSort | undefined): readonly EntryRow[] {
  const rows = histories.flatMap((history, at) => history.entries.map((entry) => ({ entry, history, at })));
  const times = rows.map(({ entry }) => entry.time);
  const keys = [
    { values: valuesOf(rows, sort?.column) ?? times, descending: sort?.descending ?? true },
    { values: times, descending: true },
  ];
  return Array.from(sortedIndexes(rows.length, keys), (at) => rows[at]).filter((row) => row !== undefined);
}

function valuesOf(rows: readonly EntryRow[], column: string | undefined) {
  switch (column) {
    case 'coin':
      return rows.map(({ at }) => at);
    case 'rate':
      return decimalKeys(rows.map(({ entry }) => entry.fundingRate));
    case 'premium':
      return decimalKeys(rows.map(({ entry }) => entry.premium));
    case 'cumulative':
      return decimalKeys(rows.map(({ entry, history }) => textOf(history, entry.cumulative)));
    default:
      return undefined;
  }
}

interface EntriesPanelProps {
  readonly histories: readonly History[];
  readonly rows: readonly EntryRow[];
  readonly view: FundingPeriod;
  readonly sort: TableSort | undefined;
  readonly selected: string | undefined;
  readonly onSort: (sort: TableSort | undefined) => void;
  readonly onOpen: (row: EntryRow) => void;
}

const keyOf = ({ entry }: EntryRow) => entry.key;
const stateOf = ({ entry }: EntryRow): RowState =>
  entry.isDuplicate ? { kind: 'stale', text: 'same interval as the previous entry; counted once' } : { kind: 'ok' };

/** The table for the chart: every entry in view, with all digits. */
export function EntriesPanel({ histories, rows, view, sort, selected, onSort, onOpen }: EntriesPanelProps) {
  const time = useTime();
  const all = useMemo(() => makeColumns(histories, time), [histories, time]);
  const columns = useTableColumns('funding', all);
  return (
    <>
      <div className="flex justify-end border-b border-line px-2 py-0.5">
        <ColumnChooser columns={columns} />
      </div>
      <DataTable
        name="Entries"
        columns={columns.shown}
        rows={rows}
        keyOf={keyOf}
        stateOf={stateOf}
        sort={sort}
        onSort={onSort}
        selected={selected}
        onOpen={onOpen}
        empty={<Empty>{emptyText(histories, view, time.second)}</Empty>}
      />
    </>
  );
}

export const ENTRY_COLUMNS = [
  { id: 'time' },
  { id: 'coin' },
  { id: 'rate' },
  { id: 'premium' },
  { id: 'cumulative' },
] as const;

export function makeColumns(histories: readonly History[], time: TimeTexts): readonly TableColumn<EntryRow>[] {
  const entries = histories.flatMap((history) => history.entries);
  const rateDecimals = columnDecimals(entries.map(({ fundingRate }) => fundingRate));
  const premiumDecimals = columnDecimals(entries.flatMap(({ premium }) => premium ?? []));
  return [
    {
      id: 'time',
      title: 'Time',
      width: 212,
      fixed: true,
      sortable: true,
      copied: ({ entry }) => time.moment(entry.time),
      cell: ({ entry }) => <span className="num text-12">{time.moment(entry.time)}</span>,
    },
    {
      id: 'coin',
      title: 'Coin',
      width: 112,
      sortable: true,
      narrow: true,
      copied: ({ entry }) => entry.coin,
      cell: ({ entry, at }) => (
        <>
          <span className="num text-11 font-semibold text-strong">{lookOf(at).letter}</span> {entry.coin}
        </>
      ),
    },
    {
      id: 'rate',
      title: 'Rate, as reported',
      hint: 'Per interval, in percent, with every digit kept',
      width: 144,
      align: 'end',
      sortable: true,
      narrow: true,
      cell: ({ entry }) => signedPercent(entry.fundingRate, rateDecimals),
    },
    {
      id: 'premium',
      title: 'Premium',
      hint: 'Premium of mark over oracle, as reported, in percent',
      width: 144,
      align: 'end',
      sortable: true,
      cell: ({ entry }) =>
        entry.premium === undefined ? (
          <span className="text-dim">{NOT_REPORTED}</span>
        ) : (
          signedPercent(entry.premium, premiumDecimals)
        ),
    },
    {
      id: 'cumulative',
      title: 'Cumulative',
      hint: 'Exact sum of the rates in view up to this one; missing entries are not included',
      width: 144,
      align: 'end',
      sortable: true,
      cell: ({ entry, history }) => signedPercent(textOf(history, entry.cumulative), rateDecimals),
    },
    ...UNITS.filter((unit) => unit !== 'interval').map(
      (unit): TableColumn<EntryRow> => ({
        id: unit,
        title: UNIT_TEXTS[unit].axis,
        hint: UNIT_TEXTS[unit].hint,
        width: 168,
        align: 'end',
        cell: ({ entry }) => {
          const rate = rateIn(unit, entry.fundingRate, entry.interval);
          return rate === undefined ? '–' : signedPercent(rate, unit === 'compound' ? 0 : rateDecimals);
        },
      }),
    ),
  ];
}

/** The exported columns of each entry: the reported values, and the values the page derives, as fractions. */
export const EXPORT_COLUMNS: readonly ExportColumn<EntryRow>[] = [
  { name: 'time', moment: ({ entry }) => entry.time },
  { name: 'coin', value: ({ entry }) => text(entry.coin) },
  { name: 'fundingRate', value: ({ entry }) => decimal(entry.fundingRate) },
  { name: 'premium', value: ({ entry }) => decimal(entry.premium) },
  {
    name: 'rate_8h',
    value: ({ entry }) => decimal(rateIn('8h', entry.fundingRate, entry.interval)),
  },
  {
    name: 'rate_year_simple',
    value: ({ entry }) => decimal(rateIn('simple', entry.fundingRate, entry.interval)),
  },
  {
    name: 'rate_year_compound',
    value: ({ entry }) => decimal(rateIn('compound', entry.fundingRate, entry.interval)),
  },
  { name: 'interval_ms', value: ({ entry }) => count(entry.interval) },
  { name: 'cumulative', value: ({ entry, history }) => decimal(textOf(history, entry.cumulative)) },
  { name: 'duplicate', value: ({ entry }) => flag(entry.isDuplicate) },
];
