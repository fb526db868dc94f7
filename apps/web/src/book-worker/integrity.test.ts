import type { CoinState, ConnectionState } from '@l4desk/client';
import { describe, expect, it } from 'vitest';
import { type Integrity, integrityOf, QUIET_AFTER_MS, STALE_AFTER_MS } from './integrity.ts';
import type { LiveStatus } from './messages.ts';
import { liveStatus } from './test-support/live-status.ts';

const NOW = Date.UTC(2026, 4, 5, 17, 39, 12);

const EPOCH = '3f2a0000-0000-4000-8000-000000000000';

const status = (change: Partial<LiveStatus> = {}): LiveStatus => liveStatus(NOW, change);

const waiting = (reason: Extract<ConnectionState, { kind: 'waiting' }>['reason']): ConnectionState => ({
  kind: 'waiting',
  attempt: 3,
  reason,
  since: NOW - 500,
  retryAt: NOW + 1_000,
});

/** The coin's state, a second old unless the row says otherwise. */
const coin = (kind: CoinState['kind'], change: Partial<CoinState> = {}) => ({
  state: { kind, reason: null, detail: '', since: NOW - 1_000, ...change },
});

const silent = NOW - STALE_AFTER_MS - 1;
const lost = {
  kind: 'stale',
  reason: 'the service is disconnected from the exchange’s feed',
  since: NOW - 9_000,
} as const;

describe('integrity of the numbers', () => {
  it.each<[string, Partial<LiveStatus>, Partial<Integrity>]>([
    ['live, written EXACT, while all arrives', {}, { state: 'live', headline: 'EXACT', since: NOW - 60_000 }],
    [
      'quiet without blocks',
      { lastBlockAt: NOW - QUIET_AFTER_MS - 1 },
      { state: 'live', headline: 'EXACT, quiet 5 s' },
    ],
    [
      'not quiet just after it was built',
      { ...coin('live', { since: NOW - 100 }), lastBlockAt: undefined },
      { headline: 'EXACT' },
    ],
    [
      'stale without messages',
      { lastBlockAt: silent, lastMessageAt: silent },
      { state: 'stale', headline: 'STALE 5 s', since: silent },
    ],
    [
      'stale since the last block, without messages',
      { lastBlockAt: NOW - 90_000, lastMessageAt: silent },
      { state: 'stale', headline: 'STALE 1 m', since: NOW - 90_000 },
    ],
    ['live while the source is', { source: { kind: 'live', at: NOW }, lastBlockAt: NOW - 60_000 }, { state: 'live' }],
    [
      'stale when the service lost the source, even if the connection is alive',
      { source: lost, lastBlockAt: NOW - 100 },
      { state: 'stale', reason: lost.reason, since: NOW - 100, headline: 'STALE 0 s' },
    ],
    [
      'stale since the last block of a source that is lost',
      { source: lost, lastBlockAt: NOW - 60_000 },
      { state: 'stale', reason: lost.reason, since: NOW - 60_000, headline: 'STALE 1 m' },
    ],
    [
      'stale as long as before while it reconnects',
      { ...coin('stale', { reason: 'disconnected' }), connection: { kind: 'connecting', attempt: 9, since: NOW } },
      { state: 'stale', reason: 'connecting', since: NOW - 60 },
    ],
    [
      'rebuilding after a gap, with its numbers',
      coin('rebuilding', { reason: 'upstream-gap', detail: 'prev_seq 14, had 12' }),
      { reason: 'fetching a fresh snapshot: prev_seq 14, had 12' },
    ],
    [
      'unavailable if the service does not stream the coin',
      coin('unavailable', { reason: 'refused', detail: 'unknown coin' }),
      { state: 'unavailable', reason: 'the service does not stream BTC: unknown coin' },
    ],
  ])('is %s', (_, change, expected) => {
    expect(integrityOf(status(change), NOW, 'simulated')).toMatchObject(expected);
  });

  it('is waiting before the worker’s first status', () => {
    const starting = { state: 'waiting', reason: 'starting', since: undefined };
    expect(integrityOf(undefined, NOW, 'simulated')).toMatchObject(starting);
  });

  it('counts the age from the last block, although the snapshot with it has just arrived', () => {
    const headline = (source: 'live' | 'simulated' | 'recorded', old: number) => {
      const position = { height: 9, seq: 1, epoch: EPOCH, blockTime: NOW - old };
      const change = { ...coin('stale', { reason: 'disconnected' }), position, lastBlockAt: NOW - 4_000 };
      return integrityOf(status(change), NOW, source).headline;
    };
    expect(headline('live', 21_000)).toBe('STALE 21 s');
    expect(headline('live', 900_000)).toBe('STALE 15 m');
    expect(headline('simulated', 21_000)).toBe('STALE 21 s');
    expect(headline('recorded', 21_000)).toBe('STALE 4 s');
  });

  it('says that a book is missing because the service has lost the exchange', () => {
    const reason = (connected: boolean) => {
      const upstream = { time: NOW, connected, ageMs: null, blocks: null, heardAt: NOW };
      const times = { ...status().times, upstream };
      return integrityOf(status({ ...coin('building'), position: undefined, times }), NOW, 'live').reason;
    };
    expect(reason(true)).toBe('fetching the snapshot, usually within seconds');
    expect(reason(false)).toMatch(/^the service is disconnected from the exchange’s feed; the book is fetched/);
  });

  it.each([
    [waiting({ kind: 'failed', message: '' }), 'the stream cannot be opened'],
    [waiting({ kind: 'closed', code: 1001, message: 'going away' }), 'the connection was closed: going away'],
    [waiting({ kind: 'closed', code: 1006, message: '' }), 'the connection was closed (1006)'],
    [waiting({ kind: 'silent', silentMs: 8_000 }), 'the connection went silent'],
    [waiting({ kind: 'malformed', message: 'no JSON' }), 'a message could not be read (no JSON)'],
  ])(
    'makes the last book stale after a lost connection, with the reason and the age of what is shown (%#)',
    (connection, reason) => {
      const change = { connection, ...coin('stale', { reason: 'disconnected' }) };
      const expected = { state: 'stale', reason, since: NOW - 60, headline: 'STALE 0 s' };
      expect(integrityOf(status(change), NOW, 'simulated')).toEqual(expected);
    },
  );

  it.each(['waiting', 'building', 'stale', 'rebuilding', 'unavailable'] as const)(
    'shows %s as the client’s own state, never as exact',
    (kind) => {
      const integrity = integrityOf(status({ ...coin(kind), lastBlockAt: NOW - 1_000 }), NOW, 'simulated');
      expect(integrity).toMatchObject({ state: kind, since: NOW - 1_000, headline: `${kind.toUpperCase()} 1 s` });
      expect(integrity.reason).not.toBe('');
    },
  );

  it.each([
    [{ kind: 'credential', code: 'unauthorized', message: 'key revoked' }, 'the session is over: key revoked'],
    [{ kind: 'credits', message: 'resets on 1 June' }, 'no credits are left: resets on 1 June'],
    [{ kind: 'closed' }, 'signed out'],
  ] as const)('gives the reason when the connection stopped for good (%#)', (reason, text) => {
    const connection: ConnectionState = { kind: 'stopped', reason, since: NOW };
    const stopped = status({ connection, ...coin('stale', { reason: 'stopped' }) });
    expect(integrityOf(stopped, NOW, 'simulated')).toMatchObject({ state: 'stale', reason: text });
  });
});
