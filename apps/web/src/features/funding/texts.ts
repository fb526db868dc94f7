import type { DecimalString } from '@l4desk/protocol';
import { counted, padded, percentText, wholeText } from '../../ui/format.ts';
import { type Entry, type FundingWindow, type History, type Silence, textOf } from './entries.ts';
import { type Completeness, intervalsPerYear, intervalText, missingOf, YEAR_MS } from './interval.ts';
import type { PaneKind } from './search.ts';

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
function completenessText(completeness: Completeness): string {
  const { received, duplicates } = completeness;
  const missing =
    completeness.interval === undefined ? 'missing unknown' : `${wholeText(missingOf(completeness))} missing`;
  return `${wholeText(received)} received, ${missing}, ${wholeText(duplicates.length)} duplicate`;
}

/** What is shown where the exchange reports no number (D46). */
export const NOT_REPORTED = 'not reported';

/** What the panes below the rates show of an entry: `+0.0123 %`. */
export function paneValueText(kind: PaneKind, history: History, entry: Entry): string {
  const value = kind === 'premium' ? entry.premium : textOf(history, entry.cumulative);
  return value === undefined ? NOT_REPORTED : signedPercent(value);
}

/** `2 of 168 not reported`: the premiums that the exchange gives no number for; empty where it does for all. */
export function unreportedText({ counted: entries }: History): string {
  const unreported = entries.filter(({ premium }) => premium === undefined).length;
  return unreported === 0 ? '' : `${wholeText(unreported)} of ${wholeText(entries.length)} ${NOT_REPORTED}`;
}

/** What is said in place of numbers that nobody knows. */
export const SILENCE_TEXTS: Readonly<Record<Silence, string>> = {
  unasked: 'not asked yet',
  waiting: 'no answer yet',
  stopped: 'stopped before an answer',
  failed: 'did not answer',
};

/** `did not answer: nothing is known of this window`; undefined where something is. */
export function silenceText({ silence }: History): string | undefined {
  return silence && `${SILENCE_TEXTS[silence]}: nothing is known of this window`;
}

/** How much of a coin came, or why nothing did. */
export function receivedText({ silence, completeness }: History): string {
  return silence === undefined ? completenessText(completeness) : SILENCE_TEXTS[silence];
}

/** How much of each coin came; coins of which the same is to be said together. */
export function allReceivedText(histories: readonly History[]): string {
  const coins = new Map<string, History[]>();
  for (const history of histories) {
    const says = receivedText(history);
    coins.set(says, [...(coins.get(says) ?? []), history]);
  }
  return [...coins].map(([says, those]) => `${namesOf(those)}: ${says}`).join(' · ');
}

/** Why no entry is in sight, coin by coin: an empty answer and none at all are two things. */
export function emptyText(
  histories: readonly History[],
  { from, to }: FundingWindow,
  second: (time: number) => string,
): string {
  const answered = histories.filter(({ silence }) => silence === undefined);
  const parts: string[] = [];
  if (answered.length > 0) {
    const has = answered.length === 1 ? 'has' : 'have';
    parts.push(`${namesOf(answered)} ${has} no entry between ${second(from)} and ${second(to)}.`);
  }
  for (const silence of ['failed', 'stopped', 'waiting'] as const) {
    const those = histories.filter((history) => history.silence === silence);
    if (those.length > 0) parts.push(`${namesOf(those)} ${SILENCE_TEXTS[silence]}: nothing is known of this window.`);
  }
  const unasked = histories.filter(({ silence }) => silence === 'unasked');
  if (unasked.length > 0) {
    parts.push(`${namesOf(unasked)} is fetched once you agree to the price above; a shorter window costs less.`);
  } else if (answered.length === histories.length) parts.push('Choose another window or coin.');
  return parts.join(' ');
}

const namesOf = (histories: readonly History[]) => histories.map(({ coin }) => coin).join(', ');
