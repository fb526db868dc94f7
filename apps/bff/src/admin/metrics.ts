import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ClusterHealth, FeedHealth, RecordingsHealth } from '@l4desk/feed';
import type { MeterHealth, SpoolHealth } from '@l4desk/ledger';
import { BOOK_STATES, CLOSE_CODES, RESUME_REFUSALS } from '@l4desk/protocol';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { InfoClientHealth } from '../exchange/info-client.ts';
import type { StreamHealth } from '../stream/index.ts';

export interface Metrics {
  observe(this: void, path: string, status: number, ms: number): void;
  readonly contentType: string;
  /** Everything in Prometheus' text form. */
  text(): Promise<string>;
  close(): void;
}

/** Paths that get a series of their own; all others share one, so that strangers cannot make series. */
const ROUTES: ReadonlySet<string> = new Set([
  '/info',
  '/platform/usage/',
  '/session',
  '/session/coins',
  '/session/wallets',
  '/session/recordings',
  '/healthz',
  '/readyz',
  '/metrics',
]);

const DELAY_RESOLUTION_MS = 10;

/** The service's metrics; feed, stream, meter, log and info client are read at each scrape. */
export function createMetrics(
  feed: () => FeedHealth,
  stream: () => StreamHealth,
  meter: () => MeterHealth | undefined,
  spool: () => Promise<SpoolHealth | undefined>,
  log: () => Readonly<Record<string, number>>,
  info: () => InfoClientHealth,
  recordings: () => RecordingsHealth | undefined,
): Metrics {
  const { registry, close } = processMetrics();
  const requests = new Counter({
    name: 'l4desk_http_requests_total',
    help: 'HTTP requests served',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'l4desk_http_request_seconds',
    help: 'time from request to response',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  feedMetrics(registry, feed);
  clusterMetrics(registry, feed);
  streamMetrics(registry, stream);
  recordingMetrics(registry, recordings);
  counter(registry, 'ledger_events_total', 'ledger events since the start', ['event'], () =>
    Object.entries(meter() ?? {}).map(([event, count]: [string, number]) => [{ event }, count]),
  );
  let spooled: SpoolHealth | undefined;
  gauge(registry, 'database_lost_seconds', 'how long PostgreSQL has been away; 0 while it is there', [], () =>
    spooled === undefined ? [] : [[{}, (spooled.lostForMs ?? 0) / 1000]],
  );
  gauge(registry, 'ledger_spool_batches', 'batches of charges that wait for PostgreSQL in the spool', [], () =>
    spooled === undefined ? [] : [[{}, spooled.waiting]],
  );
  counter(registry, 'ledger_spool_total', 'batches of charges spooled and replayed since the start', ['event'], () =>
    spooled === undefined
      ? []
      : [
          [{ event: 'spooled' }, spooled.spooled],
          [{ event: 'replayed' }, spooled.replayed],
        ],
  );
  counter(
    registry,
    'log_events_total',
    'log events since the start: failed writes, lines dropped, lines omitted',
    ['event'],
    () => Object.entries(log()).map(([event, count]) => [{ event }, count]),
  );
  gauge(registry, 'upstream_calls', 'calls to the upstream info endpoint, queued or in flight', ['state'], () => {
    const { waiting, underWay } = info();
    return [
      [{ state: 'waiting' }, waiting],
      [{ state: 'under_way' }, underWay],
    ];
  });
  gauge(registry, 'upstream_weight_used', 'exchange request weight used in the last 60 s, if it is counted', [], () => {
    const { weightUsed } = info();
    return weightUsed === undefined ? [] : [[{}, weightUsed]];
  });
  return {
    observe(path, status, ms) {
      const route = ROUTES.has(path) ? path : 'other';
      requests.inc({ route, status });
      durations.observe({ route }, ms / 1000);
    },
    contentType: registry.contentType,
    async text() {
      spooled = await spool().catch(() => undefined);
      return registry.metrics();
    },
    close,
  };
}

/** The metrics of a sequencer, which serves nobody but gateways; the feed is read at each scrape. */
export function createSequencerMetrics(feed: () => FeedHealth): Omit<Metrics, 'observe'> {
  const { registry, close } = processMetrics();
  feedMetrics(registry, feed);
  clusterMetrics(registry, feed);
  return { contentType: registry.contentType, text: () => registry.metrics(), close };
}

/** What every process measures of itself. */
function processMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  gauge(
    registry,
    'event_loop_delay_seconds',
    'event loop delay of the main thread, since the last scrape',
    ['quantile'],
    () => {
      // A reading is the time between two ticks of its timer, which are the resolution apart when nothing is late.
      const seconds = (percentile: number) =>
        Math.max(0, delay.percentile(percentile) / 1e9 - DELAY_RESOLUTION_MS / 1000);
      const read = quantiles(seconds(50), seconds(99), seconds(100));
      delay.reset();
      return read;
    },
  );
  const close = () => {
    delay.disable();
    registry.clear();
  };
  return { registry, close };
}

function feedMetrics(registry: Registry, health: () => FeedHealth): void {
  const number = (name: string, help: string, value: (health: FeedHealth) => number) =>
    gauge(registry, `feed_${name}`, help, [], () => [[{}, value(health())]]);
  number('upstream_connected', 'whether the order-level upstream is connected', (now) =>
    now.upstreamConnected ? 1 : 0,
  );
  number(
    'health_age_seconds',
    'time since the last report of the feed thread, which reports every second',
    (now) => now.ageMs / 1000,
  );
  gauge(
    registry,
    'feed_block_age_seconds',
    'time since the last block of any joined coin; absent while too few blocks came to tell what is usual',
    [],
    () => {
      const { upstreamBlocks } = health();
      return upstreamBlocks === null ? [] : [[{}, upstreamBlocks.ageMs / 1000]];
    },
  );
  number('height', 'height of the last published block', (now) => now.height ?? 0);
  gauge(registry, 'feed_coins', 'joined coins by book state', ['state'], () => {
    const { coins } = health();
    return Object.keys(BOOK_STATES).map((state) => [{ state }, coins.filter((coin) => coin.state === state).length]);
  });
  gauge(
    registry,
    'feed_joins',
    'coins queued to be joined upstream, and requested coins that have no snapshot yet',
    ['state'],
    () => Object.entries(health().joins).map(([state, count]: [string, number]) => [{ state }, count]),
  );
  number(
    'audit_period_seconds',
    'how often each book is compared with a fresh upstream snapshot: L4_AUDIT_MS, or longer if the upstream is too slow',
    (now) => now.auditPeriodMs / 1000,
  );
  number('orders', 'resting orders in all books', (now) => now.coins.reduce((sum, coin) => sum + coin.orders, 0));
  number('worker_restarts', 'restarts of the feed thread', (now) => now.workerRestarts);
  gauge(registry, 'feed_event_loop_delay_seconds', 'event loop delay of the feed thread', ['quantile'], () => {
    const { p50, p99, max } = health().loopDelayMs;
    return quantiles(p50 / 1000, p99 / 1000, max / 1000);
  });
  counter(registry, 'feed_events_total', 'feed events since the start', ['event'], () =>
    Object.entries(health().counters).flatMap(([event, count]) =>
      typeof count === 'number' ? [[{ event }, count]] : [],
    ),
  );
  counter(registry, 'feed_books_lost_total', 'books that had to be rebuilt, by reason', ['reason'], () =>
    Object.entries(health().counters.lossesByReason).map(([reason, count]) => [{ reason }, count]),
  );
}

function recordingMetrics(registry: Registry, health: () => RecordingsHealth | undefined): void {
  gauge(registry, 'recording_coins', 'coins of RECORD_COINS by the state of their recording', ['state'], () => {
    const coins = health()?.coins ?? [];
    return ['waiting', 'recording', 'failed'].map((state) => [
      { state },
      coins.filter((coin) => coin.state === state).length,
    ]);
  });
  gauge(registry, 'recording_files', 'files of the recordings', [], () => [[{}, health()?.files ?? 0]]);
  gauge(registry, 'recording_file_bytes', 'bytes of all recordings', [], () => [[{}, health()?.fileBytes ?? 0]]);
  counter(registry, 'recording_events_total', 'recording events since the start', ['event'], () =>
    Object.entries(health()?.counters ?? {}).map(([event, count]: [string, number]) => [{ event }, count]),
  );
  counter(registry, 'recorder_restarts_total', 'restarts of the recorder’s thread', [], () => [
    [{}, health()?.restarts ?? 0],
  ]);
}

/** How the process stands in its cluster; all zero of one that is alone. */
function clusterMetrics(registry: Registry, health: () => FeedHealth): void {
  const number = (name: string, help: string, value: (cluster: ClusterHealth) => number) =>
    gauge(registry, `cluster_${name}`, help, [], () => {
      const { cluster } = health();
      return cluster === undefined ? [] : [[{}, value(cluster)]];
    });
  number('leads', 'whether this sequencer leads', ({ role }) => (role === 'leader' ? 1 : 0));
  number('nats_lost', 'whether NATS is not connected', ({ natsProblem }) => (natsProblem === null ? 0 : 1));
  number('sequencer_lost', 'whether this gateway hears no leading sequencer', ({ leaderProblem }) =>
    leaderProblem === null ? 0 : 1,
  );
  number(
    'lag_seconds',
    'from the arrival of the last block at the sequencer to its being read by this gateway, by the clocks of both',
    ({ lagMs }) => lagMs / 1000,
  );
  number(
    'pending_bytes',
    'bytes of blocks that NATS has not acknowledged to this sequencer',
    ({ pendingBytes }) => pendingBytes,
  );
  number('gateways', 'gateways that tell this leading sequencer which coins they want', ({ gateways }) => gateways);
  counter(registry, 'cluster_terms_total', 'terms of leading sequencers: led, or seen by this gateway', [], () => [
    [{}, health().cluster?.terms ?? 0],
  ]);
  counter(registry, 'cluster_gaps_total', 'times that this gateway missed messages and rebuilt its books', [], () => [
    [{}, health().cluster?.gaps ?? 0],
  ]);
}

function streamMetrics(registry: Registry, health: () => StreamHealth): void {
  gauge(registry, 'stream_connections', 'open stream connections', [], () => [[{}, health().connections]]);
  gauge(registry, 'stream_subscriptions', 'subscriptions on open connections', [], () => [
    [{}, health().subscriptions],
  ]);
  gauge(registry, 'stream_unsent_bytes', 'bytes written to stream connections and not sent yet', [], () => [
    [{}, health().unsentBytes],
  ]);
  counter(registry, 'stream_events_total', 'stream events since the start', ['event'], () => {
    const { connectionsOpened, upgradesRefused, framesSent, bytesSent, framesBuilt } = health();
    return Object.entries({ connectionsOpened, upgradesRefused, framesSent, bytesSent, framesBuilt }).map(
      ([event, count]) => [{ event }, count],
    );
  });
  gauge(
    registry,
    'relay',
    'relay of the exchange’s stream: connected, its subscriptions and users there',
    ['of'],
    () => {
      const { relay } = health();
      if (relay === undefined) return [];
      const { connected, subscriptions, users } = relay;
      return Object.entries({ connected: connected ? 1 : 0, subscriptions, users }).map(([of, count]) => [
        { of },
        count,
      ]);
    },
  );
  counter(registry, 'relay_events_total', 'messages relayed and connections made since the start', ['event'], () => {
    const { relay } = health();
    if (relay === undefined) return [];
    return Object.entries({ messages: relay.messages, connects: relay.connects }).map(([event, count]) => [
      { event },
      count,
    ]);
  });
  gauge(registry, 'stream_resume_bytes', 'bytes of entries kept for clients that resume', [], () => [
    [{}, health().resumeBytes],
  ]);
  counter(
    registry,
    'stream_resumes_total',
    'coins that clients asked to resume: resumed, or refused by the reason',
    ['outcome'],
    () => Object.entries({ ...NO_RESUMES, ...health().resumes }).map(([outcome, count]) => [{ outcome }, count]),
  );
  counter(
    registry,
    'stream_closed_total',
    'closed stream connections by close code: the service’s, or the peer’s if the peer closed',
    ['code'],
    () => Object.entries({ ...NO_CLOSES, ...health().closedByCode }).map(([code, count]) => [{ code }, count]),
  );
}

/** The service's own codes are there from the start: an alert on a rise sees the first one too. */
const NO_CLOSES: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(CLOSE_CODES).map((code) => [code, 0]),
);

/** Each outcome is there from the start, for the same reason. */
const NO_RESUMES: Readonly<Record<string, number>> = Object.fromEntries(
  ['resumed', ...Object.keys(RESUME_REFUSALS)].map((outcome) => [outcome, 0]),
);

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

function quantiles(p50: number, p99: number, max: number): readonly Sample[] {
  return [
    [{ quantile: '0.5' }, p50],
    [{ quantile: '0.99' }, p99],
    [{ quantile: '1' }, max],
  ];
}

/** A value that is kept elsewhere and copied at each scrape. */
function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  read: () => readonly Sample[],
): void {
  const metric = new Gauge({
    name: `l4desk_${name}`,
    help,
    labelNames,
    registers: [],
    collect() {
      for (const [labels, value] of read()) this.set(labels, value);
    },
  });
  registry.registerMetric(metric);
}

/** A counter that is kept elsewhere and copied at each scrape. */
function counter(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  read: () => readonly Sample[],
): void {
  const metric = new Counter({
    name: `l4desk_${name}`,
    help,
    labelNames,
    registers: [],
    collect() {
      this.reset();
      for (const [labels, value] of read()) this.inc(labels, value);
    },
  });
  registry.registerMetric(metric);
}
