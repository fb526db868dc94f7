import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterSettings, GatewayFeedSettings } from '@l4desk/cluster';
import { logOutages, openSpoolingLedger } from '@l4desk/cluster/spool';
import { ExchangeRelay, type L4Feed, type L4FeedSettings, startL4Feed } from '@l4desk/feed';
import type { NodeFeedSettings } from '@l4desk/feed-node';
import { DatabaseError, Ledger, openDatabaseThread, type Parts } from '@l4desk/ledger';
import type { DataSource, Readiness, SessionWallets } from '@l4desk/protocol';
import { startRecordings } from '@l4desk/recording/recorder';
import { backoffMs } from '@l4desk/runtime';
import { announceService, type Variables } from '@l4desk/runtime/node';
import { changedSettings } from './config/read-settings.ts';
import { isDemo, type Settings } from './config/settings.ts';
import { demoSignInLink, prepareDemo } from './demo.ts';
import { createInfoClient } from './exchange/info-client.ts';
import { exampleWallets, startVenue } from './exchange/venue/venue-process.ts';
import type { Logger, LogHealth } from './log/log.ts';
import { loadDashboard } from './pages/dashboard.ts';
import { startSequencerService } from './sequencer.ts';
import { startService } from './server.ts';

/** The folder of the built apps, side by side. The workers are built beside this program, in `bff/dist`. */
const APPS = join(import.meta.dirname, '..', '..');

const workerUrl = (name: string): URL => new URL(`./${name}.js`, import.meta.url);

export interface StartOptions {
  readonly settings: Settings;
  readonly environment: Variables;
  readonly log: Logger;
  readonly logHealth: () => LogHealth;
  /** Prints a line for the person who started the service, such as the sign-in link. */
  readonly print: (line: string) => void;
  readonly stop: AbortSignal;
  /** Called when an essential component has failed. */
  readonly onFatal: (error: Error) => void;
}

/** Everything that `start` has started. */
export interface Running {
  close(graceMs: number): Promise<void>;
}

/** How often readiness is checked during the start, and how often the log notes that it is still pending. */
const READY_POLL_MS = 50;
const READY_NOTE_MS = 10_000;

/** How long a book is kept after its last viewer leaves. */
const LINGER_MS = 60_000;

const SIGN_IN_LINK_TTL_MS = 3_600_000;

const RECORD_ROTATE_MS = 3_600_000;

const DATABASE_RETRY = { firstMs: 100, longestMs: 5_000 };

/** Starts everything that the settings ask for. If a step fails, closes what was started. */
export async function start(options: StartOptions): Promise<Running> {
  const { settings, log, print, stop } = options;
  const closers: ((graceMs: number) => Promise<void>)[] = [];
  const close = async (graceMs: number) => {
    for (const closer of closers.splice(0).toReversed()) await closer(graceMs);
  };
  const keep = (part: string, closer: (graceMs: number) => PromiseLike<void>) =>
    closers.push(async (graceMs) => {
      try {
        await closer(graceMs);
        log.debug({ part }, 'closed');
      } catch (error) {
        log.error({ part, err: error }, 'closing failed');
      }
    });

  try {
    log.info({ settings: changedSettings(settings), node: process.version, pid: process.pid }, 'starting');
    if (settings.ROLE === 'sequencer') {
      await startSequencer(options, keep);
      return { close };
    }
    const databases = await openDatabases(options, keep);
    const sources = await openSources(options, keep);
    const dashboard = await loadDashboard(join(APPS, 'web', 'dist'));
    if (dashboard === undefined) log.warn('the dashboard is not built');
    const { logHealth } = options;
    const service = await startService(settings, { ...databases, ...sources, dashboard, log, logHealth });
    keep('service', (graceMs) => service.close(graceMs));
    const { url, port } = service;
    log.info({ url }, 'listening');
    try {
      const withdraw = announceService(settings.DATA_DIR, { host: settings.HOST, port });
      keep('address', async () => withdraw());
    } catch (error) {
      log.warn({ err: error }, 'address not written to the data directory: the command line cannot find this service');
    }

    await whenReady(service.readiness, log, stop);
    if (!stop.aborted) {
      if (isDemo(settings))
        print(`Sign in: ${await demoSignInLink(databases.store, url, Date.now(), SIGN_IN_LINK_TTL_MS)}`);
      print(`L4 Desk ready at ${url}`);
    }
    return { close };
  } catch (error) {
    await close(0);
    throw error;
  }
}

function keptBooks(settings: Settings) {
  const { L4_PINNED_COINS, L4_REBUILD_MAX_MS } = settings;
  return { pinnedCoins: L4_PINNED_COINS, lingerMs: LINGER_MS, rebuildMaxMs: L4_REBUILD_MAX_MS };
}

function startOwnFeed(settings: Settings, books: Books, log: Logger): L4Feed {
  const { L4_AUDIT_MS: auditMs, L4_REORDER_MS: reorderMs } = settings;
  return startL4Feed<L4FeedSettings | NodeFeedSettings>({ ...keptBooks(settings), ...books, auditMs, reorderMs }, log, {
    workerUrl: workerUrl('node' in books ? 'l4-node-worker' : 'l4-worker'),
  });
}

/** The cluster settings. The id is the host name plus random hex, because one machine may run several processes. */
function placeInCluster({ NATS_URL, NATS_REPLICAS }: Settings): ClusterSettings {
  if (NATS_URL === undefined) throw new Error('NATS_URL is required');
  const machine = hostname().replaceAll(/[^A-Za-z0-9]+/g, '-');
  return { url: NATS_URL, id: `${machine}-${randomBytes(6).toString('hex')}`, replicas: NATS_REPLICAS };
}

type Keep = (part: string, closer: (graceMs: number) => PromiseLike<void>) => void;

/** Starts a process that follows the upstream on behalf of gateways. It has no accounts and no clients. */
async function startSequencer({ settings, log, print, stop }: StartOptions, keep: Keep): Promise<void> {
  const openFeed = () => startOwnFeed(settings, booksOf(settings), log);
  const { ClusterSequencer } = await import('@l4desk/cluster');
  const sequencer = new ClusterSequencer(placeInCluster(settings), openFeed, log);
  keep('sequencer', () => sequencer[Symbol.asyncDispose]());
  const service = await startSequencerService(settings, () => sequencer.health());
  keep('service', () => service.close());
  const { url } = service;
  log.info({ url }, 'listening');
  await whenReady(service.readiness, log, stop);
  if (!stop.aborted) print(`L4 Desk sequencer ready at ${url}`);
}

async function openDatabases({ settings, log, stop, onFatal }: StartOptions, keep: Keep) {
  const { DATA_DIR: directory, DATABASE_URL, DATABASE_SPOOL_MS: spoolMs } = settings;
  const open = <P extends keyof Parts>(part: P) => {
    const place = DATABASE_URL ?? directory;
    return untilReachable(() => openDatabaseThread(part, workerUrl('db-worker'), place, onFatal), log, stop);
  };
  /** The ledger's table, with a spool on PostgreSQL. The embedded database is always reachable. */
  const openLedger = async () => {
    if (DATABASE_URL === undefined) return { table: await open('ledger') };
    const openTable = () =>
      openSpoolingLedger(workerUrl('spool-worker'), { place: DATABASE_URL, directory, spoolMs }, onFatal);
    const table = await untilReachable(openTable, log, stop);
    const stopLog = logOutages(table.spool, { log, spoolMs });
    keep('log of outages', async () => stopLog());
    return { table, spool: table.spool };
  };
  const store = await open('store');
  keep('database', () => store.close());
  const { table, spool } = await openLedger();
  keep('ledger', () => table.close());
  const usage = await open('usage');
  keep('usage', () => usage.close());
  // Runs before any charge: simulated usage must exist before real usage.
  if (isDemo(settings)) await prepareDemo(store, Date.now());
  const meter = new Ledger({ table, now: Date.now, log });
  keep('charges in flight', () => meter.settled());
  await store.deleteExpired(Date.now());
  if (isOpenToOthers(directory)) log.warn({ directory }, 'other users can access the data directory: chmod 700');
  return { store, usage, meter, spool };
}

/** Connects to the upstream, and opens what reads from it: queries, books, relayed channels and recordings. */
async function openSources(options: StartOptions, keep: Keep) {
  const { settings, log } = options;
  const { ROLE, UPSTREAM } = settings;
  const { infoUrl, channelsUrl, books, source, exampleWallets } = await connectUpstream(options, keep);
  const info = createInfoClient({
    url: infoUrl,
    timeoutMs: settings.UPSTREAM_TIMEOUT_MS,
    dialect: UPSTREAM === 'service' ? 'service' : 'exchange',
    apiKey: UPSTREAM === 'service' ? settings.UPSTREAM_API_KEY : undefined,
    weightPerMinute: UPSTREAM === 'exchange' ? settings.UPSTREAM_WEIGHT_PER_MINUTE : undefined,
    log,
  });
  keep('info client', () => info[Symbol.asyncDispose]());
  const feed =
    ROLE === 'gateway'
      ? startL4Feed<GatewayFeedSettings>({ ...keptBooks(settings), cluster: placeInCluster(settings) }, log, {
          workerUrl: workerUrl('l4-gateway-worker'),
          readsEarlier: true,
        })
      : startOwnFeed(settings, books(), log);
  keep('feed', () => feed[Symbol.asyncDispose]());
  const relay = channelsUrl === undefined ? undefined : new ExchangeRelay({ url: channelsUrl }, log);
  if (relay !== undefined) keep('relay', () => relay[Symbol.asyncDispose]());
  const recordings = startRecordings(
    {
      folder: resolve(settings.DATA_DIR, 'recordings'),
      coins: settings.RECORD_COINS,
      statuses: settings.RECORD_STATUSES,
      rotateMs: RECORD_ROTATE_MS,
      keepBytes: settings.RECORD_KEEP_BYTES,
      source: ROLE === 'gateway' ? 'cluster' : sourceName(books(), options),
    },
    feed,
    log,
  );
  keep('recordings', () => recordings[Symbol.asyncDispose]());
  return { info, feed, relay, recordings, source, exampleWallets };
}

/** Opens a part of the database. Retries an unreachable database until the start is aborted. */
async function untilReachable<T>(open: () => Promise<T>, log: Logger, stop: AbortSignal): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.retryable) || stop.aborted) throw error;
      log.warn({ err: error }, 'database not reachable, trying again');
      await sleep(backoffMs(failures, DATABASE_RETRY, Math.random), undefined, { signal: stop });
    }
  }
}

/** Whether other users can access an existing directory; one that we create is private. Group 0 has only root as a member. */
function isOpenToOthers(directory: string): boolean {
  const { mode, gid } = statSync(directory, { throwIfNoEntry: false }) ?? { mode: 0, gid: 0 };
  return process.platform !== 'win32' && (mode & (gid === 0 ? 0o007 : 0o077)) !== 0;
}

/** Where books come from: a server, or the files of a node. */
type Books = Pick<L4FeedSettings, 'upstream'> | Pick<NodeFeedSettings, 'node'>;

interface Upstream {
  readonly infoUrl: string;
  readonly channelsUrl: string | undefined;
  /** Called only in a process that follows the books itself. */
  readonly books: () => Books;
  readonly source: DataSource;
  readonly exampleWallets?: () => Promise<SessionWallets>;
}

/** Starts the simulated exchange if it is the upstream. */
async function connectUpstream({ settings, environment, log }: StartOptions, keep: Keep): Promise<Upstream> {
  const { UPSTREAM, UPSTREAM_INFO_URL: infoUrl, UPSTREAM_WS_URL: channelsUrl } = settings;
  if (UPSTREAM !== 'sim' && infoUrl !== undefined)
    return { infoUrl, channelsUrl, books: () => booksOf(settings), source: { kind: 'live' } };
  const venue = await startVenue({ program: join(APPS, 'venue', 'dist', 'main.js'), environment, log });
  keep('upstream', () => venue[Symbol.asyncDispose]());
  return {
    ...venue,
    books: () => ({ upstream: { dialect: 'l4Book', url: venue.l4Url } }),
    exampleWallets: () => exampleWallets(venue.controlUrl),
  };
}

/** Where books come from with `UPSTREAM=exchange` or `service`. */
function booksOf(settings: Settings): Books {
  const { UPSTREAM, UPSTREAM_INFO_URL: infoUrl, UPSTREAM_L4_URL: url, UPSTREAM_API_KEY: apiKey } = settings;
  const { DATA_DIR, NODE_DATA_DIR, NODE_INFO_URL, NODE_SNAPSHOT_PATH } = settings;
  if (UPSTREAM === 'exchange' && NODE_DATA_DIR !== undefined && NODE_INFO_URL !== undefined) {
    // The node has its own working directory, so the path must be absolute.
    const snapshotPath = resolve(NODE_SNAPSHOT_PATH ?? join(DATA_DIR, 'node-snapshot.json'));
    return { node: { dataDir: resolve(NODE_DATA_DIR), infoUrl: NODE_INFO_URL, snapshotPath } };
  }
  if (UPSTREAM === 'exchange' && url !== undefined) return { upstream: { dialect: 'l4Book', url } };
  if (UPSTREAM === 'service' && infoUrl !== undefined && url !== undefined && apiKey !== undefined)
    return { upstream: { dialect: 'l4BookUpdates', url, infoUrl, apiKey } };
  throw new Error('UPSTREAM_L4_URL is required');
}

/** The source name stored in recordings. A URL is stored without its query, which may hold a key. */
function sourceName(books: Books, { settings, environment }: StartOptions): string {
  const { VENUE_SEED } = environment;
  if (settings.UPSTREAM === 'sim') return `simulated exchange${VENUE_SEED === undefined ? '' : `, seed ${VENUE_SEED}`}`;
  if ('node' in books) return 'node files';
  const { origin, pathname } = new URL(books.upstream.url);
  return `${origin}${pathname}`;
}

/** Waits until the service is ready, without a time limit, and logs every 10 s what is missing. */
async function whenReady(
  readiness: () => Promise<Pick<Readiness, 'status' | 'warnings'>>,
  log: Logger,
  stop: AbortSignal,
): Promise<void> {
  let notedAt = performance.now();
  while (!stop.aborted) {
    const state = await readiness();
    if (state.status === 'ready') {
      for (const warning of state.warnings) log.warn(warning);
      return;
    }
    if (performance.now() - notedAt > READY_NOTE_MS) {
      notedAt = performance.now();
      log.warn({ readiness: state }, 'not ready yet');
    }
    await sleep(READY_POLL_MS, undefined, { signal: stop }).catch(() => {});
  }
}
