import type { CoinState, ConnectionState } from '@l4desk/client';
import { describe, expect, it } from 'vitest';
import { integrityOf, isProven, QUIET_AFTER_MS, STALE_AFTER_MS } from './integrity.ts';
import type { LiveStatus } from './messages.ts';
import { liveStatus } from './test-support/live-status.ts';

const NOW = Date.UTC(2026, 4, 5, 17, 39, 12);

const exact: CoinState = { kind: 'exact', reason: 'joined', detail: '', since: NOW - 60_000 };

const status = (change: Partial<LiveStatus> = {}): LiveStatus => liveStatus(NOW, change);

const waiting = (reason: Extract<ConnectionState, { kind: 'waiting' }>['reason']): ConnectionState => ({
  kind: 'waiting',
  attempt: 3,
  reason,
  since: NOW - 500,
  retryAt: NOW + 1_000,
});

describe('what the numbers are worth', () => {
  it('[WEB-1, WEB-7] exact while every block is applied and the transport is young', () => {
    expect(integrityOf(status(), NOW)).toMatchObject({ kind: 'exact', since: NOW - 60_000 });
  });

  it('[WEB-1] quiet when the coin has an old block on a young transport', () => {
    const lastBlockAt = NOW - QUIET_AFTER_MS - 1;
    const quiet = integrityOf(status({ lastBlockAt }), NOW);
    expect(quiet).toMatchObject({ kind: 'quiet', since: lastBlockAt });
    expect(isProven(quiet.kind)).toBe(true);
  });

  it('[WEB-1, WEB-2] stale when nothing at all comes, however exact the book was', () => {
    const lastMessageAt = NOW - STALE_AFTER_MS - 1;
    const stale = integrityOf(status({ lastBlockAt: lastMessageAt, lastMessageAt }), NOW);
    expect(stale).toMatchObject({ kind: 'stale', since: lastMessageAt });
    expect(isProven(stale.kind)).toBe(false);
  });

  it('[WEB-1, WEB-2, WEB-7] stale when the service has lost the source, however lively the connection is', () => {
    const source = { kind: 'lost', reason: 'the exchange’s feed is cut at the service', since: NOW - 9_000 } as const;
    for (const lastBlockAt of [NOW - 100, NOW - 60_000]) {
      const lost = integrityOf(status({ source, lastBlockAt }), NOW);
      expect(lost).toEqual({ kind: 'stale', reason: source.reason, since: source.since });
      expect(isProven(lost.kind)).toBe(false);
    }
    const live = { kind: 'live', at: NOW } as const;
    expect(integrityOf(status({ source: live, lastBlockAt: NOW - 60_000 }), NOW).kind).toBe('quiet');
  });

  it('[WEB-1] a book just built is not quiet before its own time', () => {
    const state: CoinState = { ...exact, since: NOW - 100 };
    expect(integrityOf(status({ state, lastBlockAt: undefined }), NOW).kind).toBe('exact');
  });

  it.each([
    [waiting({ kind: 'failed', message: '' }), 'the service does not answer'],
    [waiting({ kind: 'closed', code: 1001, message: 'going away' }), 'the connection was closed: going away'],
    [waiting({ kind: 'closed', code: 1006, message: '' }), 'the connection was closed (1006)'],
    [waiting({ kind: 'silent', silentMs: 8_000 }), 'the connection went silent'],
    [waiting({ kind: 'malformed', message: 'no JSON' }), 'a message could not be read (no JSON)'],
  ])(
    '[WEB-1, WEB-2] a lost connection makes the last book stale, with its reason and the age of what is shown (%#)',
    (connection, reason) => {
      const lost = status({ connection, state: { ...exact, kind: 'suspect', reason: 'connection-lost' } });
      expect(integrityOf(lost, NOW)).toEqual({ kind: 'stale', reason, since: NOW - 60 });
      expect(integrityOf({ ...lost, position: undefined }, NOW).kind).toBe('syncing');
    },
  );

  it('[WEB-1] the age counts on over every attempt to connect again', () => {
    const connecting: ConnectionState = { kind: 'connecting', attempt: 9, since: NOW };
    expect(integrityOf(status({ connection: connecting }), NOW)).toEqual({
      kind: 'stale',
      reason: 'connecting',
      since: NOW - 60,
    });
  });

  it.each(['idle', 'buffering', 'snapshot', 'aligning', 'suspect', 'rebuilding'] as const)(
    '[WEB-1, WEB-7] %s is syncing, never exact',
    (kind) => {
      const state: CoinState = { kind, reason: 'start', detail: 'x', since: NOW - 1_000 };
      const integrity = integrityOf(status({ state }), NOW);
      expect(integrity).toMatchObject({ kind: 'syncing', since: NOW - 1_000 });
      expect(integrity.reason).not.toBe('');
    },
  );

  it('[WEB-1] a gap is told with its numbers', () => {
    const state: CoinState = { kind: 'rebuilding', reason: 'gap', detail: 'prev_seq 14, had 12', since: NOW };
    expect(integrityOf(status({ state }), NOW).reason).toBe('fetching a fresh snapshot: prev_seq 14, had 12');
  });

  it.each([
    [{ kind: 'credential', code: 'unauthorized', message: 'key revoked' }, 'the session is over: key revoked'],
    [{ kind: 'credits', message: 'resets on 1 June' }, 'no credits are left: resets on 1 June'],
    [{ kind: 'closed' }, 'signed out'],
  ] as const)('[WEB-1] what stopped for good says why (%#)', (reason, text) => {
    const connection: ConnectionState = { kind: 'stopped', reason, since: NOW };
    expect(integrityOf(status({ connection }), NOW)).toEqual({ kind: 'stopped', reason: text, since: NOW });
  });

  it('[WEB-1] a coin the service does not stream is stopped, not syncing for ever', () => {
    const state: CoinState = { kind: 'idle', reason: 'refused', detail: 'unknown coin', since: NOW };
    expect(integrityOf(status({ state }), NOW)).toMatchObject({ kind: 'stopped' });
  });

  it('[WEB-1] before the first word of the worker it is syncing', () => {
    expect(integrityOf(undefined, NOW)).toEqual({ kind: 'syncing', reason: 'starting', since: undefined });
  });
});
