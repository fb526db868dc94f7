import type { FeedHealth } from './api.ts';

/** Health of a feed before its first report. */
export const NO_HEALTH: FeedHealth = {
  ageMs: 0,
  upstreamConnected: false,
  upstreamProblem: 'not connected yet',
  upstreamAgeMs: null,
  upstreamBlocks: null,
  epoch: '',
  height: null,
  coins: [],
  executions: 'inferred',
  joins: { waiting: 0, outstanding: 0 },
  auditPeriodMs: 0,
  counters: {
    blocksPublished: 0,
    entriesPublished: 0,
    upstreamMessages: 0,
    upstreamBytes: 0,
    upstreamConnects: 0,
    repeatsDropped: 0,
    lossesByReason: {},
    auditsPassed: 0,
    auditsFailed: 0,
    auditsAbandoned: 0,
    snapshotsServed: 0,
    snapshotsSerialised: 0,
    snapshotsCompressed: 0,
    epochs: 0,
  },
  loopDelayMs: { p50: 0, p99: 0, max: 0 },
  workerRestarts: 0,
};
