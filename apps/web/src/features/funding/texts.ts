import { counted, signedPercent, wholeText } from '../../ui/format.ts';
import { groupBy } from '../../ui/group-by.ts';
import { type Entry, type FundingPeriod, type History, type Silence, textOf } from './entries.ts';
import { type Completeness, intervalsPerYear, intervalText, missingOf, type Piece, YEAR_MS } from './interval.ts';
import type { PaneKind } from './search.ts';

/** `1 h interval, 8,760 a year; 3 gaps`: the measured interval, since when, and the gaps of the period. */
export function measuredText(completeness: Completeness, day: (time: number) => string): string {
  const { pieces, received, gaps, duplicates, offBeat } = completeness;
  const [piece, ...earlier] = pieces.toReversed();
  if (piece === undefined) return received === 0 ? 'no entries in view' : 'only one entry, so the interval is unknown';
  const { interval, from } = piece;
  const parts = [
    ...(from === undefined ? [] : earlier.map((one) => pieceText(one, day))),
    gaps.length === 0 ? 'no gaps' : counted(gaps.length, 'gap'),
  ];
  if (duplicates.length > 0) parts.push(counted(duplicates.length, 'duplicate'));
  if (offBeat > 0) parts.push(`${wholeText(offBeat)} off-interval`);
  const even = YEAR_MS % interval === 0 ? '' : 'about ';
  const since = from === undefined ? '' : ` since ${day(from)}`;
  return `${intervalText(interval)} interval${since}, ${even}${wholeText(intervalsPerYear(interval))} a year; ${parts.join(', ')}`;
}

function pieceText({ interval, from, to }: Piece, day: (time: number) => string): string {
  const since = from === undefined ? '' : ` since ${day(from)}`;
  return `${intervalText(interval)}${since}${to === undefined ? '' : ` until ${day(to)}`}`;
}

/** The interval of a part of a history; empty if it has one interval only. */
export function partText({ completeness: { pieces } }: History, day: (time: number) => string): string {
  const [piece, ...others] = pieces;
  const isPart = piece !== undefined && others.length === 0 && (piece.from ?? piece.to) !== undefined;
  return isPart ? pieceText(piece, day) : '';
}

/** `719 received, 1 missing, 0 duplicates`. */
function completenessText(completeness: Completeness): string {
  const { received, duplicates, pieces, unlisted } = completeness;
  const missing = pieces.length === 0 ? 'missing count unknown' : `${wholeText(missingOf(completeness))} missing`;
  const early = unlisted === undefined ? '' : `, ${wholeText(unlisted.intervals)} not listed yet`;
  return `${wholeText(received)} received, ${missing}, ${counted(duplicates.length, 'duplicate')}${early}`;
}

/** Shown if the exchange reports no number (D46). */
export const NOT_REPORTED = 'not reported';

/** The value of an entry in the panes below the rates: `+0.0123 %`. */
export function paneValueText(kind: PaneKind, history: History, entry: Entry): string {
  const value = kind === 'premium' ? entry.premium : textOf(history, entry.cumulative);
  return value === undefined ? NOT_REPORTED : signedPercent(value);
}

/** `2 of 168 not reported`: the number of premiums without a value; empty if all have one. */
export function unreportedText({ counted: entries }: History): string {
  const unreported = entries.filter(({ premium }) => premium === undefined).length;
  return unreported === 0 ? '' : `${wholeText(unreported)} of ${wholeText(entries.length)} ${NOT_REPORTED}`;
}

export const SILENCE_TEXTS: Readonly<Record<Silence, string>> = {
  unrequested: 'not requested yet',
  waiting: 'no data yet',
  stopped: 'stopped before any data arrived',
  failed: 'failed to load',
};

/** `failed to load; data for this period is unknown`; undefined if some of it is known. */
export function silenceText({ silence }: History): string | undefined {
  return silence && `${SILENCE_TEXTS[silence]}; data for this period is unknown`;
}

/** How much of a coin was received, or why nothing was. */
export function receivedText({ silence, completeness }: History): string {
  return silence === undefined ? completenessText(completeness) : SILENCE_TEXTS[silence];
}

/** How much of each coin was received; coins with the same text are listed together. */
export function allReceivedText(histories: readonly History[]): string {
  return [...groupBy(histories, receivedText)].map(([says, those]) => `${namesOf(those)}: ${says}`).join(' · ');
}

/** Why no entries are in view, coin by coin: an empty response is not the same as no response. */
export function emptyText(
  histories: readonly History[],
  { from, to }: FundingPeriod,
  second: (time: number) => string,
): string {
  const loaded = histories.filter(({ silence }) => silence === undefined);
  const parts: string[] = [];
  if (loaded.length > 0) {
    const has = loaded.length === 1 ? 'has' : 'have';
    parts.push(`${namesOf(loaded)} ${has} no entries between ${second(from)} and ${second(to)}.`);
  }
  for (const silence of ['failed', 'stopped', 'waiting'] as const) {
    const those = histories.filter((history) => history.silence === silence);
    if (those.length > 0) parts.push(`${namesOf(those)}: ${SILENCE_TEXTS[silence]}; data for this period is unknown.`);
  }
  const unrequested = histories.filter(({ silence }) => silence === 'unrequested');
  if (unrequested.length > 0) {
    parts.push(`${namesOf(unrequested)}: not loaded until you accept the price above. A shorter period costs less.`);
  } else if (loaded.length === histories.length) parts.push('Choose another period or coin.');
  return parts.join(' ');
}

const namesOf = (histories: readonly History[]) => histories.map(({ coin }) => coin).join(', ');
