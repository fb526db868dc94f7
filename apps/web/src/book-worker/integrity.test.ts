import type { CoinState, ConnectionState } from '@l4desk/client';
import { describe, expect, it } from 'vitest';
import { integrityOf, QUIET_AFTER_MS, STALE_AFTER_MS } from './integrity.ts';
import type { LiveStatus } from './messages.ts';
import { liveStatus } from './test-support/live-status.ts';

const NOW = Date.UTC(2026, 4, 5, 17, 39, 12);

const live: CoinState = { kind: 'live', reason: null, detail: '', since: NOW - 60_000 };

const status = (change: Partial<LiveStatus> = {}): LiveStatus => liveStatus(NOW, change);

const waiting = (reason: Extract<ConnectionState, { kind: 'waiting' }>['reason']): ConnectionState => ({
  kind: 'waiting',
  attempt: 3,
  reason,
  since: NOW - 500,
  retryAt: NOW + 1_000,
});

describe('integrity of the numbers', () => {
  it('is live, written EXACT, while every block is applied and messages arrive', () => {
    expect(integrityOf(status(), NOW, 'simulated')).toMatchObject({
      state: 'live',
      headline: 'EXACT',
      since: NOW - 60_000,
    });
  });

  it('is quiet when the last block is old but messages still arrive', () => {
    const lastBlockAt = NOW - QUIET_AFTER_MS - 1;
    const quiet = integrityOf(status({ lastBlockAt }), NOW, 'simulated');
    expect(quiet).toMatchObject({ state: 'live', headline: 'EXACT, quiet 5 s' });
  });

  it('is stale when no message arrives, however exact the book was', () => {
    const lastMessageAt = NOW - STALE_AFTER_MS - 1;
    const stale = integrityOf(status({ lastBlockAt: lastMessageAt, lastMessageAt }), NOW, 'simulated');
    expect(stale).toMatchObject({ state: 'stale', headline: 'STALE 5 s', since: lastMessageAt });
    const quiet = integrityOf(status({ lastBlockAt: NOW - 90_000, lastMessageAt }), NOW, 'simulated');
    expect(quiet).toMatchObject({ state: 'stale', headline: 'STALE 1 m', since: NOW - 90_000 });
  });

  it('is stale since the last block when the service lost the source, even if the connection is alive', () => {
    const source = {
      kind: 'stale',
      reason: 'the service is disconnected from the exchange’s feed',
      since: NOW - 9_000,
    } as const;
    for (const lastBlockAt of [NOW - 100, NOW - 60_000]) {
      const lost = integrityOf(status({ source, lastBlockAt }), NOW, 'simulated');
      const headline = lastBlockAt === NOW - 100 ? 'STALE 0 s' : 'STALE 1 m';
      expect(lost).toEqual({ state: 'stale', reason: source.reason, since: lastBlockAt, headline });
    }
    const well = { kind: 'live', at: NOW } as const;
    expect(integrityOf(status({ source: well, lastBlockAt: NOW - 60_000 }), NOW, 'simulated').state).toBe('live');
  });

  it('counts the age from the last block, although the snapshot with it has just arrived', () => {
    const state: CoinState = { kind: 'stale', reason: 'disconnected', detail: '', since: NOW - 3_000 };
    const lost = (source: 'live' | 'simulated' | 'recorded', old: number) => {
      const position = { height: 9, seq: 1, epoch: '3f2a0000-0000-4000-8000-000000000000', blockTime: NOW - old };
      return integrityOf(status({ state, position, lastBlockAt: NOW - 4_000 }), NOW, source).headline;
    };
    expect(lost('live', 21_000)).toBe('STALE 21 s');
    expect(lost('live', 900_000)).toBe('STALE 15 m');
    expect(lost('simulated', 21_000)).toBe('STALE 21 s');
    expect(lost('recorded', 21_000)).toBe('STALE 4 s');
  });

  it('says that a book is missing because the service has lost the exchange', () => {
    const state: CoinState = { kind: 'building', reason: null, detail: '', since: NOW - 8_000 };
    const reason = (connected: boolean) => {
      const upstream = { time: NOW, connected, ageMs: null, blocks: null, heardAt: NOW };
      const times = { ...status().times, upstream };
      return integrityOf(status({ state, position: undefined, times }), NOW, 'live').reason;
    };
    expect(reason(true)).toBe('fetching the snapshot, usually within seconds');
    expect(reason(false)).toMatch(/^the service is disconnected from the exchange’s feed; the book is fetched/);
  });

  it('does not call a book quiet that was only just built', () => {
    const state: CoinState = { ...live, since: NOW - 100 };
    expect(integrityOf(status({ state, lastBlockAt: undefined }), NOW, 'simulated').headline).toBe('EXACT');
  });

  it.each([
    [waiting({ kind: 'failed', message: '' }), 'the service does not respond'],
    [waiting({ kind: 'closed', code: 1001, message: 'going away' }), 'the connection was closed: going away'],
    [waiting({ kind: 'closed', code: 1006, message: '' }), 'the connection was closed (1006)'],
    [waiting({ kind: 'silent', silentMs: 8_000 }), 'the connection went silent'],
    [waiting({ kind: 'malformed', message: 'no JSON' }), 'a message could not be read (no JSON)'],
  ])(
    'makes the last book stale after a lost connection, with the reason and the age of what is shown (%#)',
    (connection, reason) => {
      const lost = status({ connection, state: { ...live, kind: 'stale', reason: 'disconnected' } });
      expect(integrityOf(lost, NOW, 'simulated')).toEqual({
        state: 'stale',
        reason,
        since: NOW - 60,
        headline: 'STALE 0 s',
      });
    },
  );

  it('keeps counting the age across reconnection attempts', () => {
    const connecting: ConnectionState = { kind: 'connecting', attempt: 9, since: NOW };
    const state: CoinState = { ...live, kind: 'stale', reason: 'disconnected' };
    expect(integrityOf(status({ connection: connecting, state }), NOW, 'simulated')).toMatchObject({
      state: 'stale',
      reason: 'connecting',
      since: NOW - 60,
    });
  });

  it.each(['waiting', 'building', 'stale', 'rebuilding', 'unavailable'] as const)(
    'shows %s as the client’s own state, never as exact',
    (kind) => {
      const state: CoinState = { kind, reason: null, detail: '', since: NOW - 1_000 };
      const integrity = integrityOf(status({ state, lastBlockAt: NOW - 1_000 }), NOW, 'simulated');
      expect(integrity).toMatchObject({ state: kind, since: NOW - 1_000, headline: `${kind.toUpperCase()} 1 s` });
      expect(integrity.reason).not.toBe('');
    },
  );

  it('reports a gap with its numbers', () => {
    const state: CoinState = { kind: 'rebuilding', reason: 'upstream-gap', detail: 'prev_seq 14, had 12', since: NOW };
    expect(integrityOf(status({ state }), NOW, 'simulated').reason).toBe(
      'fetching a fresh snapshot: prev_seq 14, had 12',
    );
  });

  it.each([
    [{ kind: 'credential', code: 'unauthorized', message: 'key revoked' }, 'the session is over: key revoked'],
    [{ kind: 'credits', message: 'resets on 1 June' }, 'no credits are left: resets on 1 June'],
    [{ kind: 'closed' }, 'signed out'],
  ] as const)('gives the reason when the connection stopped for good (%#)', (reason, text) => {
    const connection: ConnectionState = { kind: 'stopped', reason, since: NOW };
    const state: CoinState = { ...live, kind: 'stale', reason: 'stopped' };
    expect(integrityOf(status({ connection, state }), NOW, 'simulated')).toMatchObject({
      state: 'stale',
      reason: text,
    });
  });

  it('says so when the service does not stream a coin', () => {
    const state: CoinState = { kind: 'unavailable', reason: 'refused', detail: 'unknown coin', since: NOW };
    expect(integrityOf(status({ state }), NOW, 'simulated')).toMatchObject({
      state: 'unavailable',
      reason: 'the service does not stream BTC: unknown coin',
    });
  });

  it('is waiting before the worker’s first status', () => {
    expect(integrityOf(undefined, NOW, 'simulated')).toMatchObject({
      state: 'waiting',
      reason: 'starting',
      since: undefined,
    });
  });
});
