import { count, decimal, type ExportColumn, flag, text } from '../../ui/export/csv.ts';
import { textOf } from './entries.ts';
import type { EntryRow } from './entries-panel.tsx';
import { rateIn } from './rates.ts';

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
