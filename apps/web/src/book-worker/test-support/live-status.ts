import type { LiveStatus } from '../messages.ts';

/** The worker's status of a live, moving book at `now`. */
export function liveStatus(now: number, change: Partial<LiveStatus> = {}): LiveStatus {
  return {
    generation: 1,
    coin: 'BTC',
    connection: { kind: 'open', since: now - 60_000 },
    shortage: undefined,
    state: { kind: 'live', reason: null, detail: '', since: now - 60_000 },
    position: { height: 985_148_232, seq: 88_102, epoch: '3f2a0000-0000-4000-8000-000000000000', blockTime: now },
    gaps: 0,
    lastGap: undefined,
    lastBlockAt: now - 60,
    lastMessageAt: now - 60,
    roundTripMs: 4,
    times: {
      knownAt: change.lastBlockAt ?? now - 60,
      blockAt: change.lastBlockAt ?? now - 60,
      usual: undefined,
      delay: undefined,
      upstream: undefined,
      offset: undefined,
    },
    source: undefined,
    verification: undefined,
    ticks: ['1'],
    best: { bid: undefined, ask: undefined },
    counts: undefined,
    recorded: undefined,
    frozen: undefined,
    holdAt: undefined,
    builtAt: undefined,
    provedHeight: undefined,
    ...change,
  };
}
