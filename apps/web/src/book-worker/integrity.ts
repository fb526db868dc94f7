import type { BookState, DisconnectReason, StopReason } from '@l4desk/client';
import type { DataSource } from '@l4desk/protocol';
import { secondsText, wholeText } from '../ui/format.ts';
import { blockAgeOf, suspicionOf } from './clocks.ts';
import { FEED_LOST } from './feed-times.ts';
import type { CreditShortage, LiveStatus } from './messages.ts';

/**
 * State of a book as the page shows it. `suspect` is a live book whose blocks are overdue or late: nothing contradicts it, but
 * nothing confirms that it is current. `recorded` is not a live book: a recording is shown in its place, and the live
 * book is not followed meanwhile.
 */
export type ShownState = BookState | 'suspect' | 'recorded';

/**
 * How each state of a book is written. The page's copy is `live` only while its sequence has no gap, the transport is
 * alive and, if no blocks arrive, the service reports its source as alive. Only then may its numbers be trusted to the last
 * digit.
 */
export const BOOK_STATE_TEXTS = {
  waiting: { sign: '◌', word: 'WAITING', meaning: 'subscribing' },
  building: { sign: '◌', word: 'BUILDING', meaning: 'fetching the snapshot, usually within seconds' },
  live: { sign: '●', word: 'EXACT', meaning: 'every block since the snapshot applied, no gap' },
  stale: { sign: '▲', word: 'STALE', meaning: 'the numbers may be old' },
  rebuilding: { sign: '◌', word: 'REBUILDING', meaning: 'fetching a fresh snapshot' },
  unavailable: { sign: '■', word: 'UNAVAILABLE', meaning: 'there is no book' },
  suspect: { sign: '▲', word: 'SUSPECT', meaning: 'nothing contradicts the book, but its blocks are overdue' },
  recorded: { sign: '▣', word: 'RECORDED', meaning: 'a recording is shown; the live book is not followed meanwhile' },
} as const satisfies Record<ShownState, { readonly sign: string; readonly word: string; readonly meaning: string }>;

export interface Integrity {
  readonly state: ShownState;
  /** One short sentence: why, and what it means for the numbers on the screen. */
  readonly reason: string;
  /** Since when, ms since the Unix epoch; undefined where there is nothing to count from. */
  readonly since: number | undefined;
  /** The state's word, with its age where that matters. */
  readonly headline: string;
}

/**
 * A live book without a change for this long is called quiet. Quiet is not `stale`: that depends on the transport's last message.
 */
export const QUIET_AFTER_MS = 5_000;

/** Without any message for this long, pongs included, the transport counts as dead. The worker pings every two seconds. */
export const STALE_AFTER_MS = 5_000;

export type StatusFacts = Pick<
  LiveStatus,
  'coin' | 'connection' | 'shortage' | 'state' | 'position' | 'times' | 'source' | 'lastBlockAt' | 'lastMessageAt'
> & { readonly recorded?: LiveStatus['recorded'] };

export function integrityOf(status: StatusFacts | undefined, now: number, source: DataSource['kind']): Integrity {
  if (status === undefined) return notLive('waiting', 'starting', undefined, now);
  const { shortage, state } = status;
  if (status.recorded !== undefined) {
    const { word, meaning } = BOOK_STATE_TEXTS.recorded;
    return { state: 'recorded', reason: meaning, since: undefined, headline: word };
  }
  // The age is that of the shown book's last block, however often the state changed since, and although a snapshot is newer.
  const age = blockAgeOf(status, source, now);
  const lastAt = age && now - age.ms;
  if (shortage !== undefined) return stopped(status, shortageText(shortage), lastAt ?? shortage.since, now);
  const since = lastAt ?? state.since;
  if (state.kind !== 'live') return notLive(state.kind, reasonOf(status), since, now);
  const staleReason = staleReasonOf(status, now);
  if (staleReason !== undefined) return notLive('stale', staleReason, since, now);
  const suspicion = suspicionOf(status, now);
  if (suspicion !== undefined) {
    const headline = `${BOOK_STATE_TEXTS.suspect.word} · ${suspicion.text}`;
    return { state: 'suspect', reason: suspicion.reason, since, headline };
  }
  const { word, meaning } = BOOK_STATE_TEXTS.live;
  const changed = Math.max(status.lastBlockAt ?? 0, state.since);
  const quiet = now - changed > QUIET_AFTER_MS ? `, quiet ${secondsText(now - changed)}` : '';
  return { state: 'live', reason: meaning, since: state.since, headline: `${word}${quiet}` };
}

/** Why a book that follows its stream is stale all the same; undefined if it is not. */
export function staleReasonOf(
  { source, lastMessageAt }: Pick<StatusFacts, 'source' | 'lastMessageAt'>,
  now: number,
): string | undefined {
  if (lastMessageAt !== undefined && now - lastMessageAt > STALE_AFTER_MS) return 'nothing comes over the connection';
  return source?.kind === 'stale' ? source.reason : undefined;
}

function notLive(
  state: Exclude<ShownState, 'live' | 'suspect' | 'recorded'>,
  reason: string,
  since: number | undefined,
  now: number,
): Integrity {
  const age = since === undefined ? '' : ` ${secondsText(now - since)}`;
  return { state, reason, since, headline: `${BOOK_STATE_TEXTS[state].word}${age}` };
}

/** Nothing will arrive without a new attempt: the last numbers may still be on the screen. */
export function stopped(
  status: StatusFacts | undefined,
  reason: string,
  since: number | undefined,
  now: number,
): Integrity {
  return notLive(status?.position === undefined ? 'unavailable' : 'stale', reason, since, now);
}

function reasonOf({ coin, connection, state, times }: StatusFacts): string {
  if (connection.kind === 'stopped') return stopText(connection.reason);
  if (state.reason === 'refused') return `the service does not stream ${coin}: ${state.detail}`;
  if (connection.kind === 'connecting') return 'connecting';
  if (connection.kind === 'waiting') return disconnectText(connection.reason);
  if (times.upstream?.connected === false) return `${FEED_LOST}; the book is fetched as soon as it is back`;
  const { meaning } = BOOK_STATE_TEXTS[state.kind];
  return state.reason === null ? meaning : `${meaning}: ${state.detail}`;
}

function shortageText({ credits }: CreditShortage): string {
  if (credits === undefined) return 'no credits are left';
  return `no credits are left: ${wholeText(credits.used)} of ${wholeText(credits.limit)} of this month are used`;
}

function stopText(reason: StopReason): string {
  switch (reason.kind) {
    case 'closed':
      return 'signed out';
    case 'credential':
      return `the session is over: ${reason.message}`;
    case 'credits':
      return `no credits are left: ${reason.message}`;
  }
}

/** Why the socket is disconnected, as user-facing text. */
export function disconnectText(reason: DisconnectReason): string {
  switch (reason.kind) {
    case 'failed':
      return 'the stream cannot be opened';
    case 'closed':
      return `the connection was closed${reason.message === '' ? ` (${reason.code})` : `: ${reason.message}`}`;
    case 'silent':
      return 'the connection went silent';
    case 'malformed':
      return `a message could not be read (${reason.message})`;
  }
}
