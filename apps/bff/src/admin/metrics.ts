import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { SpoolHealth } from '@l4desk/cluster/spool';
import type { ClusterHealth, FeedHealth, L4Feed } from '@l4desk/feed';
import type { Meter } from '@l4desk/ledger';
import { BOOK_STATES, CLOSE_CODES } from '@l4desk/protocol';
import type { Recordings, RecordingsHealth } from '@l4desk/recording/recorder';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { InfoClient } from '../exchange/info-client.ts';
import type { UnreadResponses } from '../http/respond.ts';
import type { LogHealth } from '../log/log.ts';
import type { Stream, StreamHealth } from '../stream/stream.ts';
import { upstreamState } from './readiness.ts';

const DELAY_RESOLUTION_MS = 10;

interface MetricsDeps {
  readonly feed: Pick<L4Feed, 'health'>;
  readonly stream: Pick<Stream, 'health'>;
  readonly meter: Pick<Meter, 'health'>;
  readonly spool?: (() => Promise<SpoolHealth>) | undefined;
  readonly info: Pick<InfoClient, 'health'>;
  readonly unread: Pick<UnreadResponses, 'bytes'>;
  readonly recordings?: Pick<Recordings, 'health'> | undefined;
  readonly logHealth?: (() => LogHealth) | undefined;
}

export function createMetrics({ feed, stream, meter, spool, info, unread, recordings, logHealth }: MetricsDeps) {
  const { registry, close } = processMetrics();
  const requests = new Counter({
    name: 'l4desk_http_requests_total',
    help: 'HTTP requests served; route "other" are those that ended before they had a route, as during a shutdown',
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
  feedMetrics(registry, () => feed.health());
  streamMetrics(registry, () => stream.health());
  recordingMetrics(registry, () => recordings?.health());
  let spooled: SpoolHealth | undefined;
  const { gauge, counter } = copiedFrom(() => info.health(), registry);
  gauge(
    'pending_response_bytes',
    'memory of responses that clients have not read yet; at most 256 MiB',
    () => unread.bytes,
  );
  counter(
    'ledger_events_total',
    'ledger events since the start: commits, charges, credits charged, refusals (limit reached), failures (database)',
    () => ({ ...meter.health?.() }),
    'event',
  );
  gauge(
    'database_lost_seconds',
    'how long PostgreSQL has been unavailable; 0 while it is available',
    () => spooled && (spooled.lostForMs ?? 0) / 1000,
  );
  gauge('ledger_spool_batches', 'batches of charges that are queued for PostgreSQL', () => spooled?.waiting);
  counter(
    'ledger_spool_total',
    'batches of charges spooled and replayed since the start',
    () => spooled && { spooled: spooled.spooled, replayed: spooled.replayed },
    'event',
  );
  const logEvents = 'log events since the start: failed writes and lines dropped';
  counter('log_events_total', logEvents, () => ({ ...logHealth?.() }), 'event');
  gauge(
    'upstream_calls',
    'calls to the upstream info endpoint, waiting or under way',
    ({ waiting, inFlight }) => ({ waiting, under_way: inFlight }),
    'state',
  );
  const responseBytes = 'memory of upstream responses that are being read; at most 256 MiB';
  gauge('upstream_response_bytes', responseBytes, (health) => health.responseBytes);
  const weightUsed = 'exchange request weight used in the last 60 s, if it is counted';
  gauge('upstream_weight_used', weightUsed, (health) => health.weightUsed);
  return {
    countRequest(route: string, status: number, ms: number) {
      requests.inc({ route, status });
      durations.observe({ route }, ms / 1000);
    },
    contentType: registry.contentType,
    async text() {
      spooled = await spool?.().catch(() => undefined);
      return registry.metrics();
    },
    close,
  };
}

/** The metrics of any process. */
export type Metrics = ReturnType<typeof createSequencerMetrics>;

/** Creates the metrics of a sequencer, which serves only gateways. The feed is read at each scrape. */
export function createSequencerMetrics(feed: () => FeedHealth) {
  const { registry, close } = processMetrics();
  feedMetrics(registry, feed);
  return { contentType: registry.contentType, text: () => registry.metrics(), close };
}

function processMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  copiedFrom(() => delay, registry).gauge(
    'event_loop_delay_seconds',
    'event loop delay of the main thread, since the last scrape',
    () => {
      // The monitor measures the time between two timer ticks, which equals the resolution if there is no delay.
      const ms = (percentile: number) => Math.max(0, delay.percentile(percentile) / 1e6 - DELAY_RESOLUTION_MS);
      const read = quantiles({ p50: ms(50), p99: ms(99), max: ms(100) });
      delay.reset();
      return read;
    },
    'quantile',
  );
  const close = () => {
    delay.disable();
    registry.clear();
  };
  return { registry, close };
}

function feedMetrics(registry: Registry, read: () => FeedHealth): void {
  const { gauge, counter } = copiedFrom(read, registry);
  gauge('feed_upstream_connected', 'whether the order-level upstream is connected', (health) =>
    Number(health.upstreamConnected),
  );
  gauge(
    'feed_upstream_stale',
    'whether the order-level upstream is not connected, its thread does not report, or it sends no block for longer than usual',
    (health) => Number(upstreamState(health) === 'stale'),
  );
  gauge(
    'feed_health_age_seconds',
    'time since the last report of the feed thread, which reports every second',
    ({ ageMs }) => ageMs / 1000,
  );
  gauge(
    'feed_block_age_seconds',
    'time since the last block of any joined coin; absent while too few blocks came to tell what is usual',
    ({ upstreamBlocks: blocks }) => (blocks === null ? undefined : blocks.ageMs / 1000),
  );
  gauge('feed_height', 'height of the last published block', ({ height }) => height ?? 0);
  gauge('feed_coins', 'joined coins by book state', ({ coins }) => byState(Object.keys(BOOK_STATES), coins), 'state');
  gauge(
    'feed_joins',
    'coins queued to be joined upstream, and requested coins that have no snapshot yet',
    ({ joins }) => joins,
    'state',
  );
  gauge(
    'feed_audit_period_seconds',
    'how often each book is compared with a fresh upstream snapshot: L4_AUDIT_MS, or longer if the upstream is too slow',
    ({ auditPeriodMs }) => auditPeriodMs / 1000,
  );
  gauge('feed_orders', 'resting orders in all books', ({ coins }) =>
    coins.reduce((sum, { orders }) => sum + orders, 0),
  );
  gauge(
    'feed_event_loop_delay_seconds',
    'event loop delay of the feed thread',
    ({ loopDelayMs }) => quantiles(loopDelayMs),
    'quantile',
  );
  const events = ({ counters: { lossesByReason: _losses, ...counts } }: FeedHealth) => counts;
  counter('feed_events_total', 'feed events since the start, explained in operating/monitoring.md', events, 'event');
  const losses = ({ counters }: FeedHealth) => counters.lossesByReason;
  counter('feed_books_lost_total', 'books that had to be rebuilt, by reason', losses, 'reason');
  clusterMetrics(registry, () => read().cluster);
}

/** Metrics of the process's role in its cluster. Outside a cluster only the counters exist, and they are zero. */
function clusterMetrics(registry: Registry, read: () => ClusterHealth | undefined): void {
  const { gauge, counter } = copiedFrom(read, registry);
  gauge('cluster_leads', 'whether this sequencer leads', (health) => health && Number(health.role === 'leader'));
  gauge(
    'cluster_nats_lost',
    'whether NATS is not connected',
    (health) => health && Number(health.natsProblem !== null),
  );
  gauge(
    'cluster_sequencer_lost',
    'whether this gateway receives nothing from a leading sequencer',
    (health) => health && Number(health.leaderProblem !== null),
  );
  gauge(
    'cluster_lag_seconds',
    'from the arrival of the last block at the sequencer to its being read by this gateway, by the clocks of both',
    (health) => health && health.lagMs / 1000,
  );
  gauge(
    'cluster_pending_bytes',
    'bytes of blocks that NATS has not acknowledged to this sequencer',
    (health) => health?.pendingBytes,
  );
  gauge(
    'cluster_gateways',
    'gateways that tell this leading sequencer which coins they want',
    (health) => health?.gateways,
  );
  const terms = 'terms of leading sequencers: led, or seen by this gateway';
  counter('cluster_terms_total', terms, (health) => health?.terms ?? 0);
  const gaps = 'times that this gateway missed messages and rebuilt its books';
  counter('cluster_gaps_total', gaps, (health) => health?.gaps ?? 0);
}

function recordingMetrics(registry: Registry, read: () => RecordingsHealth | undefined): void {
  const { gauge, counter } = copiedFrom(read, registry);
  gauge(
    'recording_coins',
    'coins of RECORD_COINS by state: waiting for a book, recording, failed to write',
    (health) => byState(['waiting', 'recording', 'failed'], health?.coins ?? []),
    'state',
  );
  gauge('recording_files', 'files of the recordings', (health) => health?.files ?? 0);
  gauge('recording_file_bytes', 'bytes of all recordings', (health) => health?.fileBytes ?? 0);
  counter(
    'recording_events_total',
    'recording events since the start: blocks, files begun and removed, gaps, failed writes, times the recorder fell behind',
    (health) => ({ ...health?.counters }),
    'event',
  );
}

function streamMetrics(registry: Registry, read: () => StreamHealth): void {
  const { gauge, counter } = copiedFrom(read, registry);
  gauge('stream_connections', 'open stream connections', ({ connections }) => connections);
  gauge('stream_subscriptions', 'subscriptions on open connections', ({ subscriptions }) => subscriptions);
  gauge('stream_unsent_bytes', 'bytes written to stream connections and not sent yet', (health) => health.unsentBytes);
  const events = ({ connectionsOpened, upgradesRefused, framesSent, bytesSent, framesBuilt }: StreamHealth) => {
    return { connectionsOpened, upgradesRefused, framesSent, bytesSent, framesBuilt };
  };
  counter(
    'stream_events_total',
    'stream events since the start: connections opened, upgrades refused, frames and bytes sent, frames built',
    events,
    'event',
  );
  const relayed = ({ relay }: StreamHealth) =>
    relay && { connected: Number(relay.connected), subscriptions: relay.subscriptions, users: relay.users };
  gauge('relay', 'relay of the exchange’s stream: connected, its subscriptions and users there', relayed, 'of');
  const relayEvents = ({ relay }: StreamHealth) => relay && { messages: relay.messages, connects: relay.connects };
  counter('relay_events_total', 'messages relayed and connections made since the start', relayEvents, 'event');
  gauge('stream_resume_bytes', 'bytes of entries kept for clients that resume', ({ resumeBytes }) => resumeBytes);
  counter(
    'stream_closed_total',
    'closed stream connections by close code: the service’s, or the peer’s if the peer closed',
    ({ closedByCode }) => ({ ...NO_CLOSES, ...closedByCode }),
    'code',
  );
}

/** The service's own close codes start at zero, so that an alert on an increase also sees the first one. */
const NO_CLOSES: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(CLOSE_CODES).map((code) => [code, 0]),
);

function quantiles({ p50, p99, max }: FeedHealth['loopDelayMs']): Readonly<Record<string, number>> {
  return { '0.5': p50 / 1000, '0.99': p99 / 1000, '1': max / 1000 };
}

function byState(states: readonly string[], items: readonly { readonly state: string }[]) {
  return Object.fromEntries(states.map((state) => [state, items.filter((item) => item.state === state).length]));
}

/** A single value, one value per label value, or no value. */
type Values = number | Readonly<Record<string, number>> | undefined;

/** Creates metrics whose values are kept elsewhere, and copied from there at each scrape. */
function copiedFrom<Health>(health: () => Health, registry: Registry) {
  type Read = (health: Health) => Values;
  const config = (name: string, help: string, label?: string) => {
    return { name: `l4desk_${name}`, help, labelNames: label === undefined ? [] : [label], registers: [registry] };
  };
  return {
    gauge: (name: string, help: string, read: Read, label?: string) =>
      new Gauge({
        ...config(name, help, label),
        collect() {
          // Without labels, a reset gauge would be 0 instead of absent.
          if (label === undefined) this.remove();
          else this.reset();
          for (const [labels, value] of samples(read(health()), label)) this.set(labels, value);
        },
      }),
    counter: (name: string, help: string, read: Read, label?: string) =>
      new Counter({
        ...config(name, help, label),
        collect() {
          this.reset();
          for (const [labels, value] of samples(read(health()), label)) this.inc(labels, value);
        },
      }),
  };
}

function samples(values: Values, label = ''): readonly (readonly [labels: Record<string, string>, value: number])[] {
  if (values === undefined) return [];
  if (typeof values === 'number') return [[{}, values]];
  return Object.entries(values).map(([name, value]) => [{ [label]: name }, value]);
}
