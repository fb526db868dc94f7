import type { SpoolHealth } from '@l4desk/cluster/spool';
import type { L4Feed, Relay } from '@l4desk/feed';
import type { Meter, Store, UsageReader } from '@l4desk/ledger';
import type { DataSource, SessionWallets } from '@l4desk/protocol';
import type { Recordings } from '@l4desk/recording/recorder';
import { createMetrics } from './admin/metrics.ts';
import { readReadiness } from './admin/readiness.ts';
import type { Settings } from './config/settings.ts';
import type { InfoClient } from './exchange/info-client.ts';
import { Universe } from './exchange/universe.ts';
import { upstreamLag } from './exchange/upstream-lag.ts';
import { AttemptLimiter } from './http/auth/attempt-limiter.ts';
import { createAuthoriser } from './http/auth/authoriser.ts';
import { CredentialCheck, clientAddress } from './http/auth/credential-check.ts';
import { Sessions } from './http/auth/sessions.ts';
import { allowedOrigins, publicPort } from './http/origins.ts';
import { RESPONSE_STALL_MS, UnreadResponses } from './http/respond.ts';
import type { HttpLimits, HttpServer } from './http/server.ts';
import { createInfoService } from './info/info-service.ts';
import { infoKinds } from './info/kinds.ts';
import { UnservedKinds } from './info/upstream-failure.ts';
import type { Logger, LogHealth } from './log/log.ts';
import type { Dashboard } from './pages/dashboard.ts';
import { streamLimits } from './stream/limits.ts';
import { Stream } from './stream/stream.ts';

/** The parts that a service needs. The caller closes them, after closing the service. */
export interface ServiceDeps {
  readonly store: Store;
  /** Uses its own connection, because its queries take long. */
  readonly usage: UsageReader;
  readonly meter: Meter;
  readonly spool?: (() => Promise<SpoolHealth>) | undefined;
  readonly info: InfoClient;
  readonly feed: L4Feed;
  readonly relay?: Relay | undefined;
  /** Records coins and lists the recordings. Without it, nothing is recorded. */
  readonly recordings?: Recordings | undefined;
  readonly dashboard: Dashboard | undefined;
  readonly source: DataSource;
  readonly exampleWallets?: (() => Promise<SessionWallets>) | undefined;
  readonly log: Logger;
  readonly logHealth?: () => LogHealth;
  readonly universeRefreshMs?: number;
  /** Ms since the Unix epoch. */
  readonly now?: () => number;
  /** Monotonic time in ms. Durations are measured with it, because the machine's clock may be changed. */
  readonly elapsed?: () => number;
}

/** What tests replace. */
export interface Replaced {
  readonly unread?: UnreadResponses;
  /** How long a client may read nothing of a response before it is aborted. */
  readonly responseStallMs?: number;
  readonly httpLimits?: HttpLimits;
}

/** Everything that requests are served with. Routers take the fields that they need. */
export type AppContext = Readonly<ReturnType<typeof createContext>>;

export function createContext(settings: Settings, deps: ServiceDeps, http: HttpServer, replaced: Replaced = {}) {
  const { store, meter, spool, info, feed, relay, recordings, log } = deps;
  const { now = Date.now, elapsed = () => performance.now() } = deps;
  const origins = allowedOrigins(settings.HOST, http.port, settings.PUBLIC_URL);
  // Cookies ignore the port, so two services on one machine need different cookie names (AUTH-14).
  // Gateways behind one address share their sessions, whatever port each listens on.
  const cookieName = `l4desk_${settings.ROLE === 'gateway' ? publicPort(origins.primary) : http.port}`;

  // How long cached keys and sessions stay valid while PostgreSQL is unreachable. The embedded database is always reachable.
  const staleMsMax = settings.DATABASE_URL === undefined ? 0 : settings.DATABASE_SPOOL_MS;
  const unknown = new AttemptLimiter(settings.AUTH_FAILURES_PER_MINUTE_MAX, elapsed);
  const credentials = new CredentialCheck({ store, unknown, elapsed, staleMsMax });
  const sessions = new Sessions({ store, credentials, now, elapsed, staleMsMax });
  const addressOf = clientAddress(settings.TRUST_PROXY);
  const authoriser = createAuthoriser({ credentials, sessions, addressOf, origins, cookieName });

  const universe = new Universe({ info, log, refreshMs: deps.universeRefreshMs });
  const unserved = new UnservedKinds(info, elapsed);
  const readLag = upstreamLag(info, now, elapsed);
  const queries = createInfoService(meter, infoKinds({ info, feed, universe, unserved, settings }));
  const { unread = new UnreadResponses(log), responseStallMs = RESPONSE_STALL_MS } = replaced;
  const stream = new Stream(http.upgrades, {
    feed,
    info: queries,
    relay,
    universe,
    authoriser,
    meter,
    limits: streamLimits(settings),
    log,
  });
  const metrics = createMetrics({ ...deps, stream, unread });
  const readiness = () =>
    readReadiness({
      store,
      meter,
      spool,
      databaseName: settings.DATABASE_URL === undefined ? 'the database' : 'PostgreSQL',
      universe,
      upstreamLag: readLag,
      notServed: () => unserved.types,
      feed,
      recordings,
      pinnedCoins: settings.L4_PINNED_COINS,
      isClosing: http.isClosing,
    });
  return {
    ...deps,
    settings,
    http,
    now,
    elapsed,
    origins,
    cookieName,
    addressOf,
    sessions,
    authoriser,
    universe,
    queries,
    responseStallMs,
    unread,
    stream,
    metrics,
    readiness,
  };
}
