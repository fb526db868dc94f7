import { z } from '@l4desk/protocol';
import { pageSearch, searchDay, searchDecimal, searchList, searchText } from '../../state/page-search.ts';

export const DAYS = ['1', '7', '30', '90', '365'] as const;
export const UNITS = ['interval', '8h', 'simple', 'compound'] as const;
export const PANE_KINDS = ['premium', 'cumulative'] as const;
const TABS = ['statistics', 'hours', 'carry', 'entries', 'coins'] as const;

/** The query string of the funding page. */
export const fundingSearch = pageSearch({
  coin: searchList(z.string().min(1).max(64)).refine((coins) => coins.length <= 8),
  /** The number of last days; `from` and `to`, UTC days, take precedence. */
  days: z.enum(DAYS),
  from: searchDay,
  to: searchDay,
  /** The part of the period in view: `ms-ms`. */
  zoom: z
    .string()
    .regex(/^\d{1,15}-\d{1,15}$/)
    .refine((text) => partOf(text) !== undefined),
  unit: z.enum(UNITS),
  over: z.enum(PANE_KINDS),
  tab: z.enum(TABS),
  /** Notional of the position whose carry is computed. */
  notional: searchDecimal.refine((text) => !text.startsWith('-')),
  side: z.enum(['long', 'short']),
  sort: searchText,
  row: searchText,
});

export type Unit = (typeof UNITS)[number];
/** What the panes below the rates show. */
export type PaneKind = (typeof PANE_KINDS)[number];

/** Parses `ms-ms` as a time range; undefined if its end is not after its start. */
export function partOf(text: string | undefined): { readonly from: number; readonly to: number } | undefined {
  const [from, to] = (text ?? '').split('-').map((part) => Number.parseInt(part, 10));
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
}
