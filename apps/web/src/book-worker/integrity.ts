import type { CoinStateReason, ConnectionState, DisconnectReason } from '@l4desk/client';
import { wholeText } from '../ui/format.ts';
import type { CreditShortage, LiveStatus } from './messages.ts';

/**
 * What the numbers on the screen are worth, in five words (WEB-1). `exact` and `quiet` are proven: the sequence has no
 * gap, the transport is alive, and so is its source where no block says so. `quiet` only says that this coin has not changed lately, which is not the same as
 * `stale`: two clocks, the age of the coin's last block and the age of the transport.
 */
export type IntegrityKind = 'exact' | 'quiet' | 'syncing' | 'stale' | 'stopped';

export interface Integrity {
  readonly kind: IntegrityKind;
  /** One short sentence: why, and what it means for the numbers on the screen. */
  readonly reason: string;
  /** Since when, ms since the Unix epoch; undefined where there is nothing to count from. */
  readonly since: number | undefined;
}

/** Without a change for this long a coin is called quiet. */
export const QUIET_AFTER_MS = 5_000;

/** Without any message for this long, pongs included, the transport counts as dead. The worker pings every two seconds. */
export const STALE_AFTER_MS = 5_000;

/** The state of what is shown, at the time `now`. */
export function integrityOf(status: LiveStatus | undefined, now: number): Integrity {
  if (status === undefined) return { kind: 'syncing', reason: 'starting', since: undefined };
  const { connection, shortage, state } = status;
  if (shortage !== undefined) return { kind: 'stopped', reason: shortageText(shortage), since: shortage.since };
  if (connection.kind === 'stopped') return stopped(connection);
  if (state.reason === 'refused') {
    return {
      kind: 'stopped',
      reason: `the service does not stream ${status.coin}: ${state.detail}`,
      since: state.since,
    };
  }
  if (connection.kind !== 'open') return offline(connection, status);
  if (state.kind !== 'exact') return syncing(status);
  const silent = status.lastMessageAt === undefined ? 0 : now - status.lastMessageAt;
  if (silent > STALE_AFTER_MS) {
    return { kind: 'stale', reason: 'nothing comes over the connection', since: status.lastMessageAt };
  }
  if (status.source?.kind === 'lost') {
    return { kind: 'stale', reason: status.source.reason, since: status.source.since };
  }
  const changed = Math.max(status.lastBlockAt ?? 0, state.since);
  if (now - changed > QUIET_AFTER_MS) {
    return { kind: 'quiet', reason: `exact; no change in ${status.coin}`, since: changed };
  }
  return { kind: 'exact', reason: 'every block since the snapshot applied, no gap', since: state.since };
}

function shortageText({ credits }: CreditShortage): string {
  if (credits === undefined) return 'no credits are left';
  return `no credits are left: ${wholeText(credits.used)} of ${wholeText(credits.limit)} of this month are used`;
}

/** Whether the numbers may be trusted to the last digit. */
export function isProven(kind: IntegrityKind): boolean {
  return kind === 'exact' || kind === 'quiet';
}

function stopped(connection: Extract<ConnectionState, { kind: 'stopped' }>): Integrity {
  const { reason, since } = connection;
  switch (reason.kind) {
    case 'closed':
      return { kind: 'stopped', reason: 'signed out', since };
    case 'credential':
      return { kind: 'stopped', reason: `the session is over: ${reason.message}`, since };
    case 'credits':
      return { kind: 'stopped', reason: `no credits are left: ${reason.message}`, since };
  }
}

function offline(
  connection: Exclude<ConnectionState, { kind: 'open' | 'stopped' }>,
  { position, lastMessageAt }: LiveStatus,
): Integrity {
  // The age of what is shown counts, over all attempts to connect again.
  const since = lastMessageAt ?? connection.since;
  const kind = position === undefined ? 'syncing' : 'stale';
  if (connection.kind === 'connecting') return { kind, reason: 'connecting', since };
  return { kind, reason: disconnectText(connection.reason), since };
}

/** Why the socket is gone, for people. */
export function disconnectText(reason: DisconnectReason): string {
  switch (reason.kind) {
    case 'failed':
      return 'the service does not answer';
    case 'closed':
      return `the connection was closed${reason.message === '' ? ` (${reason.code})` : `: ${reason.message}`}`;
    case 'silent':
      return 'the connection went silent';
    case 'malformed':
      return `a message could not be read (${reason.message})`;
  }
}

function syncing({ state }: LiveStatus): Integrity {
  const step = {
    idle: 'subscribing',
    buffering: 'buffering blocks until the snapshot comes',
    snapshot: 'fetching the snapshot',
    aligning: 'joining snapshot and blocks',
    suspect: 'waiting for a fresh snapshot',
    rebuilding: 'fetching a fresh snapshot',
    exact: 'exact',
  }[state.kind];
  const reason = USUAL.has(state.reason) ? step : `${step}: ${state.detail}`;
  return { kind: 'syncing', reason, since: state.since };
}

/** Causes that are the usual course of things; any other one says what went wrong. */
const USUAL: ReadonlySet<CoinStateReason> = new Set<CoinStateReason>([
  'start',
  'followed',
  'connection-lost',
  'snapshot-arrived',
  'joined',
]);
