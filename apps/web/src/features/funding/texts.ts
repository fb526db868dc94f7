import type { DecimalString } from '@l4desk/protocol';
import { counted, padded, percentText, wholeText } from '../../ui/format.ts';
import { type Completeness, intervalsPerYear, intervalText, missingOf, YEAR_MS } from './interval.ts';

/** A fraction as percent with its sign always seen and no digit lost: `+0.00125 %`, `−0.02 %`, `0.00 %`. */
export function signedPercent(fraction: DecimalString, decimals = 0): string {
  const text = percentText(padded(fraction, decimals) as DecimalString);
  return text.startsWith('−') || !/[1-9]/.test(text) ? text : `+${text}`;
}

/** `1 h measured, 8,760 a year; 3 gaps`: how the interval was found, and what the window lacks. */
export function measuredText(completeness: Completeness): string {
  const { interval, received, gaps, duplicates, offBeat } = completeness;
  if (interval === undefined) return received === 0 ? 'no entry in sight' : 'one entry: no interval to measure';
  const parts = [gaps.length === 0 ? 'no gap' : counted(gaps.length, 'gap')];
  if (duplicates.length > 0) parts.push(`${wholeText(duplicates.length)} twice`);
  if (offBeat > 0) parts.push(`${wholeText(offBeat)} off the beat: the interval changes here`);
  const even = YEAR_MS % interval === 0 ? '' : 'about ';
  return `${intervalText(interval)} measured, ${even}${wholeText(intervalsPerYear(interval))} a year; ${parts.join(', ')}`;
}

/** `719 received, 1 missing, 0 duplicate`. */
export function completenessText(completeness: Completeness): string {
  const { received, duplicates } = completeness;
  return `${wholeText(received)} received, ${wholeText(missingOf(completeness))} missing, ${wholeText(duplicates.length)} duplicate`;
}
