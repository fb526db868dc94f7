import { decimal, type ExportColumn, flag, text } from '../../ui/export/csv.ts';
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
    value: ({ entry, history }) => decimal(rateIn('8h', entry.fundingRate, history.completeness.interval)),
  },
  {
    name: 'rate_year_simple',
    value: ({ entry, history }) => decimal(rateIn('simple', entry.fundingRate, history.completeness.interval)),
  },
  {
    name: 'rate_year_compound',
    value: ({ entry, history }) => decimal(rateIn('compound', entry.fundingRate, history.completeness.interval)),
  },
  { name: 'cumulative', value: ({ entry, history }) => decimal(textOf(history, entry.cumulative)) },
  { name: 'duplicate', value: ({ entry }) => flag(entry.isDuplicate) },
];
