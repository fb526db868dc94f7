import { useMemo } from 'react';
import { PHONE, useMedia } from '../../hooks/use-media.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { ExportColumn } from '../../ui/export/csv.ts';
import { columnDecimals, signedPercent } from '../../ui/format.ts';
import { Inspector } from '../../ui/page/page.tsx';
import { Empty } from '../../ui/page/states.tsx';
import { ColumnChooser, useTableColumns } from '../../ui/table/column-chooser.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { sortedBy, unitsOf } from '../../ui/table/sorted-rows.ts';
import {
  type RowState,
  readSort,
  type SortKey,
  sortText,
  type TableColumn,
  type TableSort,
} from '../../ui/table/table-column.ts';
import { type TimeTexts, useTime } from '../../ui/use-time.ts';
import { type Entry, type FundingPeriod, type History, textOf } from './entries.ts';
import { type CoinLoad, historyIn, holds } from './loads.ts';
import { rateIn, UNIT_TEXTS } from './rates.ts';
import { fundingSearch, partOf, UNITS } from './search.ts';
import { lookOf, SeriesMark } from './series.tsx';
import { emptyText, measuredText, NOT_REPORTED } from './texts.ts';

interface EntryRow {
  readonly entry: Entry;
  readonly history: History;
  readonly at: number;
}

/** What the entries can be sorted by, by column. */
const SORTS: Readonly<Record<string, (row: EntryRow) => SortKey>> = {
  time: ({ entry }) => entry.time,
  coin: ({ at }) => at,
  rate: ({ entry }) => unitsOf(entry.fundingRate),
  premium: ({ entry }) => unitsOf(entry.premium),
  cumulative: ({ entry, history }) => unitsOf(textOf(history, entry.cumulative)),
};

export const ENTRY_COLUMNS = Object.keys(SORTS).map((id) => ({ id }));

/** All entries in view, newest first unless sorted otherwise; entries without a value come last in either direction. */
export function rowsOf(histories: readonly History[], sort: TableSort | undefined): readonly EntryRow[] {
  const rows = histories.flatMap((history, at) => history.entries.map((entry) => ({ entry, history, at })));
  const newest = sortedBy(rows, ({ entry }) => entry.time, true);
  const sortBy = sort && SORTS[sort.column];
  return sortBy === undefined ? newest : sortedBy(newest, sortBy, sort?.descending === true);
}

interface EntriesPanelProps {
  readonly histories: readonly History[];
  readonly view: FundingPeriod;
  readonly onOpen: (key: string) => void;
}

const keyOf = ({ entry }: EntryRow) => entry.key;
const stateOf = ({ entry }: EntryRow): RowState =>
  entry.isDuplicate ? { kind: 'stale', text: 'same interval as the previous entry; counted once' } : { kind: 'ok' };

/** The table for the chart: every entry in view, with all digits. */
export function EntriesPanel({ histories, view, onOpen }: EntriesPanelProps) {
  const { choices, change } = usePageSearch(fundingSearch);
  const time = useTime();
  const sort = useMemo(() => readSort(choices.sort, ENTRY_COLUMNS), [choices.sort]);
  const rows = useMemo(() => rowsOf(histories, sort), [histories, sort]);
  const isNarrow = useMedia(PHONE);
  const all = useMemo(() => makeColumns(histories, time, isNarrow), [histories, time, isNarrow]);
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
        onSort={(next) => change({ sort: sortText(next) })}
        selected={choices.row}
        onOpen={({ entry }) => onOpen(entry.key)}
        empty={<Empty>{emptyText(histories, view, time.second)}</Empty>}
      />
    </>
  );
}

export function makeColumns(
  histories: readonly History[],
  time: TimeTexts,
  isNarrow = false,
): readonly TableColumn<EntryRow>[] {
  const entries = histories.flatMap((history) => history.entries);
  const rateDecimals = columnDecimals(entries.map(({ fundingRate }) => fundingRate));
  const premiumDecimals = columnDecimals(entries.flatMap(({ premium }) => premium ?? []));
  return [
    {
      id: 'time',
      title: 'Time',
      width: isNarrow ? 104 : 212,
      fixed: true,
      sortable: true,
      copied: ({ entry }) => time.moment(entry.time),
      cell: ({ entry }) => (
        <span className="num text-12" title={time.moment(entry.time)}>
          {/* On a phone the rate has room beside it; the status line has the year and the zone. */}
          {isNarrow ? time.second(entry.time).slice(5, 16) : time.moment(entry.time)}
        </span>
      ),
    },
    {
      id: 'coin',
      title: 'Coin',
      width: isNarrow ? 92 : 112,
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
  { name: 'coin', text: ({ entry }) => entry.coin },
  { name: 'fundingRate', value: ({ entry }) => entry.fundingRate },
  { name: 'premium', value: ({ entry }) => entry.premium },
  { name: 'rate_8h', value: ({ entry }) => rateIn('8h', entry.fundingRate, entry.interval) },
  { name: 'rate_year_simple', value: ({ entry }) => rateIn('simple', entry.fundingRate, entry.interval) },
  { name: 'rate_year_compound', value: ({ entry }) => rateIn('compound', entry.fundingRate, entry.interval) },
  { name: 'interval_ms', value: ({ entry }) => entry.interval },
  { name: 'cumulative', value: ({ entry, history }) => textOf(history, entry.cumulative) },
  { name: 'duplicate', value: ({ entry }) => entry.isDuplicate },
];

interface EntryInspectorProps {
  readonly row: EntryRow;
  readonly onClose: () => void;
}

/** One entry in every unit, and as reported. */
export function EntryInspector({ row: { entry, history, at }, onClose }: EntryInspectorProps) {
  const time = useTime();
  return (
    <Inspector
      title={
        <>
          <SeriesMark at={at} /> {entry.coin}, {time.second(entry.time)}
        </>
      }
      onClose={onClose}
    >
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1">
        <Fact name="Applied at" value={time.moment(entry.time)} />
        <Fact name="fundingRate" value={entry.fundingRate} copy />
        <Fact name="premium" value={entry.premium ?? NOT_REPORTED} copy={entry.premium !== undefined} />
        {UNITS.map((unit) => {
          const rate = rateIn(unit, entry.fundingRate, entry.interval);
          return (
            <Fact
              key={unit}
              name={UNIT_TEXTS[unit].text}
              value={rate === undefined ? 'interval unknown' : signedPercent(rate)}
            />
          );
        })}
        <Fact name="Premium" value={entry.premium === undefined ? NOT_REPORTED : signedPercent(entry.premium)} />
        <Fact name="Cumulative in view" value={signedPercent(textOf(history, entry.cumulative))} />
      </dl>
      <p className="pt-3 text-12 text-dim">{measuredText(history.completeness, time.day)}.</p>
      {entry.isDuplicate && (
        <p className="pt-1 text-12 text-stale">Same interval as the previous entry, so it is not counted again.</p>
      )}
    </Inspector>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly copy?: boolean;
}

function Fact({ name, value, copy = false }: FactProps) {
  return (
    <>
      <dt className="text-dim">{name}</dt>
      <dd className="num flex items-center justify-end gap-1 text-12 break-all">
        {value}
        {copy && <CopyButton what={name} text={() => value} />}
      </dd>
    </>
  );
}

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
