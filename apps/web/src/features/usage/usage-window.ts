import { decodeUsageQuery } from '@l4desk/protocol';
import type { UsageAsk } from '../../api/usage.ts';
import { type usageSearch } from './search.ts';

type Choices = ReturnType<typeof usageSearch.read>;

/** The periods that go back from today; `1` is the month so far. */
export const PERIODS = [
  { value: '1', text: 'This month', hint: 'From the first of this month to today, UTC' },
  { value: '3', text: '3 months', hint: 'Three months back from today, UTC' },
  { value: '6', text: '6 months', hint: 'Six months back from today, UTC' },
  { value: '12', text: '12 months', hint: 'Twelve months back from today, UTC' },
] as const;

type Period = (typeof PERIODS)[number]['value'];

const MONTHS = { '1': 1, '3': 3, '6': 6, '12': 12 } as const;

/** The window to request, and the refused parameters of the address, as written. */
export interface AskedWindow {
  readonly ask: UsageAsk;
  /** Undefined for explicit days. */
  readonly period: Period | undefined;
  readonly refused: readonly string[];
}

/**
 * Returns explicit days if the address has both and they form a valid window (D40), else months back from today. `tomorrow` is
 * the day after the page's UTC day: one extra day is accepted, for a service whose clock is ahead; the service decides.
 */
export function askedWindow({ m, from, to }: Choices, tomorrow: string): AskedWindow {
  const period = m ?? '1';
  const back: AskedWindow = { ask: { duration: MONTHS[period] }, period, refused: [] };
  if (from === undefined && to === undefined) return back;
  const decoded = decodeUsageQuery({ from, to }, tomorrow);
  if (decoded.kind === 'window') return { ask: decoded.window, period: undefined, refused: [] };
  const written = Object.entries({ from, to }).flatMap(([name, day]) => (day === undefined ? [] : [`${name}=${day}`]));
  return { ...back, refused: written };
}

export function viewText({ ask, period }: AskedWindow): string {
  return 'from' in ask ? `${ask.from} – ${ask.to}` : (PERIODS.find(({ value }) => value === period)?.text ?? '');
}
