import type { IncomingMessage } from 'node:http';
import type { L4Feed, Recordings, Relay } from '@l4desk/feed';
import type { Meter, Store, UsageReader } from '@l4desk/ledger';
import type { DataSource, Readiness, SessionWallets } from '@l4desk/protocol';
import { createMetrics } from './admin/metrics.ts';
import { readReadiness } from './admin/readiness.ts';
import { referenceRoutes } from './admin/reference/routes.ts';
import { opsRoutes } from './admin/routes.ts';
import { SpoolLog } from './admin/spool-log.ts';
import { createApp } from './app.ts';
import { isDemo, type Settings } from './config/settings.ts';
import type { InfoClient } from './exchange/info-client.ts';
import { Universe } from './exchange/universe.ts';
import { AttemptLimiter } from './http/auth/attempt-limiter.ts';
import { createAuthoriser } from './http/auth/authoriser.ts';
import { CredentialCheck } from './http/auth/credential-check.ts';
import { Sessions } from './http/auth/sessions.ts';
import { clientAddress } from './http/client-address.ts';
import { crossOrigin } from './http/cors.ts';
import { HttpServer, type HttpServerOptions } from './http/http-server.ts';
import { LineBudget } from './http/line-budget.ts';
import { type AllowedOrigins, allowedOrigins, publicPort } from './http/origins.ts';
import { PendingResponses } from './http/pending-responses.ts';
import { requestObserver } from './http/request-log.ts';
import { createInfoService } from './info/info-service.ts';
import { infoKinds } from './info/kinds.ts';
import { infoHandler } from './info/route.ts';
import type { Logger } from './log/log.ts';
import type { LogHealth } from './log/log-writer.ts';
import { type Dashboard, dashboardHandler } from './pages/dashboard.ts';
import { recordingRoutes } from './session/recordings.ts';
import { sessionRoutes } from './session/routes.ts';
import { attachStream, type Stream } from './stream/index.ts';
import { streamLimits } from './stream/limits.ts';
import { tracedInfo } from './tracing/traced-info.ts';
import type { Traces } from './tracing/traces.ts';
import { usageRoutes } from './usage/routes.ts';

/** The parts that a service needs. The caller closes them, after closing the service. */
export interface ServiceDeps {
  readonly store: Store;
  /** Uses its own connection, because its queries take long. */
  readonly usage: UsageReader;
  readonly meter: Meter;
  readonly info: InfoClient;
  readonly feed: L4Feed;
  /** Relays the exchange's own stream, if one is configured. */
  readonly relay?: Relay | undefined;
  /** Records coins and lists the recordings. Without it, nothing is recorded. */
  readonly recordings?: Recordings | undefined;
  readonly dashboard: Dashboard | undefined;
  /** Where the data comes from, as shown on pages. */
  readonly source: DataSource;
  /** Returns wallets of the simulated exchange for the demo's address book. */
  readonly exampleWallets?: (() => Promise<SessionWallets>) | undefined;
  readonly log: Logger;
  /** Reports what the log could not write. */
  readonly logHealth?: () => LogHealth;
  /** Traces `/info` calls and blocks. Without it, nothing is traced. */
  readonly traces?: Traces | undefined;
  /** Ms since the Unix epoch. */
  readonly now?: () => number;
  /** Monotonic time in ms. Durations are measured with it, because the machine's clock may be changed. */
  readonly elapsed?: () => number;
  /** Overrides the default HTTP timeouts. */
  readonly httpTimes?: HttpServerOptions['times'];
}

/** The service. It does not listen until `listen` is called. */
export interface Service {
  /** Listens on `HOST` and `PORT`. Resolves with the URL that browsers use and the actual port. */
  listen(): Promise<{ readonly url: string; readonly port: number }>;
  readonly readiness: () => Promise<Readiness>;
  /** Stops accepting, finishes calls, closes streams with 1001. Destroys what is still open after `graceMs` (OPS-5). */
  close(graceMs: number): Promise<void>;
}

/** How often expired sessions are deleted. */
const SWEEP_MS = 3_600_000;

/** How often the state of the spool is read for the log. */
const SPOOL_LOOK_MS = 1_000;

/** The origins of the service's own pages, and its cookie. They are known once it listens. */
interface Site {
  readonly origins: () => AllowedOrigins;
  readonly cookieName: () => string;
}

interface AccessDeps extends Site, Required<Pick<ServiceDeps, 'store' | 'now' | 'elapsed'>> {
  readonly addressOf: (request: IncomingMessage) => string;
}

/** Creates what decides who may use the service. */
function accessOf(settings: Settings, { store, now, elapsed, addressOf, origins, cookieName }: AccessDeps) {
  // How long cached keys and sessions stay valid while PostgreSQL is unreachable. The embedded database is always reachable.
  const staleMsMax = settings.DATABASE_URL === undefined ? 0 : settings.DATABASE_SPOOL_MS;
  const credentials = new CredentialCheck({
    store,
    unknown: new AttemptLimiter(settings.AUTH_FAILURES_PER_MINUTE_MAX, elapsed),
    elapsed,
    staleMsMax,
  });
  const sessions = new Sessions({
    store,
    credentials,
    signIns: new AttemptLimiter(settings.SIGN_INS_PER_MINUTE_MAX, elapsed),
    now,
    elapsed,
    staleMsMax,
    ttlMs: settings.SESSION_TTL_MS,
    perAccountMax: settings.SESSIONS_PER_ACCOUNT_MAX,
  });
  const authoriser = createAuthoriser({
    credentials,
    sessions,
    addressOf,
    origins,
    cookieName,
  });
  return { sessions, authoriser };
}

/** Logs when PostgreSQL goes away and comes back, until the interval is cleared. */
function logSpool(meter: Meter, spoolMs: number, log: Logger): NodeJS.Timeout {
  const spoolLog = new SpoolLog({ log, spoolMs });
  const look = async () => {
    const health = await meter.spool?.();
    if (health !== undefined) spoolLog.look(health);
  };
  // It rejects only once the thread of the ledger has ended, which ends the service.
  const interval = setInterval(() => void look().catch(() => {}), SPOOL_LOOK_MS);
  return interval.unref();
}

/** Builds the service from its settings and the parts it needs. */
export function createService(settings: Settings, deps: ServiceDeps): Service {
  const { store, log, traces, now = Date.now, elapsed = () => performance.now() } = deps;
  const meter = traces?.meter(deps.meter) ?? deps.meter;
  const info = traces?.info(deps.info) ?? deps.info;
  const feed = traces?.feed(deps.feed) ?? deps.feed;
  let origins: AllowedOrigins | undefined;
  let cookieName = '';

  const knownOrigins = () => {
    if (origins === undefined) throw new Error('the service is not listening yet');
    return origins;
  };
  const site: Site = { origins: knownOrigins, cookieName: () => cookieName };
  const addressOf = clientAddress(settings.TRUST_PROXY, () =>
    log.warn('a request was forwarded, but TRUST_PROXY is not set: all clients behind the proxy count as one address'),
  );
  const { sessions, authoriser } = accessOf(settings, { store, now, elapsed, addressOf, ...site });
  const universe = new Universe({ info, log, refreshMs: settings.UNIVERSE_REFRESH_MS });
  const readiness = () =>
    readReadiness({
      store,
      meter,
      databaseName: settings.DATABASE_URL === undefined ? 'the database' : 'PostgreSQL',
      universe,
      feed,
      recordings: deps.recordings,
      pinnedCoins: settings.L4_PINNED_COINS,
      isClosing: () => http.isClosing,
    });

  const lines = new LineBudget(log);
  const http = new HttpServer({
    times: deps.httpTimes,
    onOverflow(request) {
      if (lines.takes(undefined, 429))
        log.warn({ address: addressOf(request) }, 'connection closed: too many pipelined requests');
    },
  });
  const infoService = createInfoService(meter, infoKinds({ info, feed, universe, settings }));
  const stream: Stream = attachStream(http.upgrades, {
    feed,
    info: infoService,
    relay: deps.relay,
    universe,
    authoriser,
    meter,
    limits: streamLimits(settings),
    log,
    lines,
    allStatusesOf: settings.RECORD_STATUSES === 'all' ? settings.RECORD_COINS : [],
  });
  const pending = new PendingResponses({
    bytesMax: settings.PENDING_RESPONSES_BYTES_MAX,
    stallMs: settings.RESPONSE_STALL_MS,
    log,
  });
  const metrics = createMetrics({
    feed: () => feed.health(),
    stream: () => stream.health(),
    meter: () => meter.health?.(),
    spool: async () => meter.spool?.(),
    log: () => ({ ...deps.logHealth?.(), linesOmitted: lines.linesOmitted }),
    info: () => info.health(),
    pendingBytes: () => pending.bytes,
    recordings: () => deps.recordings?.health(),
  });
  const handleInfo = infoHandler({
    authoriser,
    info: infoService,
    pending,
    bodyBytesMax: settings.REQUEST_BODY_BYTES_MAX,
  });
  const session = sessionRoutes({
    sessions,
    universe,
    addressOf,
    ...site,
    bodyBytesMax: settings.REQUEST_BODY_BYTES_MAX,
    ttlMs: settings.SESSION_TTL_MS,
    source: deps.source,
    demo: isDemo(settings),
    exhausted: async (accountId) => meter.exhausted?.(accountId),
    simulatedWindow: (accountId) => store.simulatedWindow(accountId),
    credentialsOf: (accountId) => store.listCredentials(accountId),
    exampleWallets: isDemo(settings) ? deps.exampleWallets : undefined,
    onEnded: () => void stream.recheck(),
  });
  const ops = opsRoutes({ readiness, metrics, metricsKey: settings.METRICS_KEY });
  const app = createApp({
    session,
    recordings: recordingRoutes({
      recordings: deps.recordings,
      sessions,
      ...site,
      stallMs: settings.RESPONSE_STALL_MS,
    }),
    usage: usageRoutes({ reader: deps.usage, authoriser, pending, now }),
    ops,
    reference: referenceRoutes({ settings, ...site }),
    dashboard: dashboardHandler(deps.dashboard, knownOrigins),
    isHttps: () => knownOrigins().primary.startsWith('https:'),
  });

  http.route({
    observe: requestObserver({ log, lines, measure: metrics.observe, addressOf }),
    pending,
    cors: crossOrigin(settings.CORS_ORIGINS),
    info: traces === undefined ? handleInfo : tracedInfo(traces, handleInfo),
    app,
  });
  const sweep = setInterval(() => {
    store.deleteExpired(now()).catch((error: unknown) => log.warn({ err: error }, 'expired sessions not deleted'));
  }, SWEEP_MS);
  sweep.unref();
  const spoolLook = settings.DATABASE_URL === undefined ? undefined : logSpool(meter, settings.DATABASE_SPOOL_MS, log);

  return {
    async listen() {
      const port = await http.listen(settings.HOST, settings.PORT);
      origins = allowedOrigins(settings.HOST, port, settings.PUBLIC_URL);
      // Cookies ignore the port, so two services on one machine need different cookie names (AUTH-14).
      // Gateways behind one address share their sessions, whatever port each listens on.
      cookieName = `l4desk_${settings.ROLE === 'gateway' ? publicPort(origins.primary) : port}`;
      return { url: origins.primary, port };
    },
    readiness,
    async close(graceMs) {
      clearInterval(sweep);
      clearInterval(spoolLook);
      const closed = http.close(graceMs);
      await stream.close();
      await closed;
      await universe[Symbol.asyncDispose]();
      metrics.close();
      lines.close();
    },
  };
}
