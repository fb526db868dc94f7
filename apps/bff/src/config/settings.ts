import {
  BOOK_READY_TIMEOUT_MS,
  CLIENT_FRAME_BYTES_MAX,
  CLIENT_MESSAGES_PER_SECOND_MAX,
  CONNECTION_COINS_MAX,
  STREAM_CONNECTIONS_PER_KEY_MAX,
  SUBSCRIPTION_COINS_MAX,
  UNSENT_BYTES_MAX,
  type z,
} from '@l4desk/protocol';
import { SERVICE_DEFAULTS } from '@l4desk/runtime/node';
import {
  databaseUrl,
  endpointUrl,
  list,
  natsUrl,
  oneOf,
  origin,
  text,
  trustedProxies,
  whole,
} from './setting-values.ts';

/** A setting: its schema, its default, and its texts for `--help` and error messages. */
interface Setting<T> {
  readonly schema: z.ZodType<T, string>;
  readonly about: string;
  readonly example: string;
  /** The default, as text; `undefined` if there is none. */
  readonly fallback: string | undefined;
  /** Never shown, not even in part. */
  readonly secret?: true;
}

type SettingText = Omit<Setting<never>, 'schema' | 'fallback'>;

function setting<T>(
  schema: z.ZodType<T, string>,
  fallback: string,
  texts: Omit<SettingText, 'example'> & Partial<Pick<SettingText, 'example'>>,
): Setting<T> {
  return { schema, fallback, example: fallback, ...texts };
}

function optional<T>(schema: z.ZodType<T, string>, texts: SettingText): Setting<T | undefined> {
  return { schema, fallback: undefined, ...texts };
}

const DAY_MS = 86_400_000;

/** All settings of the service, in the order of `--help`. */
export const SETTINGS = {
  PORT: setting(whole(0, 65_535), SERVICE_DEFAULTS.PORT, { about: 'port to listen on; 0 picks a free one' }),
  HOST: setting(text(255), SERVICE_DEFAULTS.HOST, { about: 'address to listen on' }),
  PUBLIC_URL: optional(origin, {
    about: 'URL that browsers use, if it differs from http://HOST:PORT; for example that of a TLS proxy',
    example: 'https://desk.example.com',
  }),
  TRUST_PROXY: setting(trustedProxies, 'false', {
    about: 'proxies trusted to report the client’s address: false, the number of proxies in front, or their addresses',
    example: '1',
  }),
  CORS_ORIGINS: setting(list(origin), '', {
    about: 'origins of other sites whose pages may call the service with their own key, comma-separated',
    example: 'https://app.example.com',
  }),
  DATA_DIR: setting(text(4096), SERVICE_DEFAULTS.DATA_DIR, {
    about: 'database directory, created if missing',
    example: '/var/lib/l4desk',
  }),
  DATABASE_URL: optional(databaseUrl, {
    about: 'URL of a PostgreSQL database for accounts, keys, sessions and usage, instead of the embedded one',
    example: 'postgres://l4desk:password@127.0.0.1:5432/l4desk',
    secret: true,
  }),
  DATABASE_SPOOL_MS: setting(whole(0, 50_000), '45000', {
    about:
      'DATABASE_URL: how long calls are served while PostgreSQL is away; charges are kept in DATA_DIR and added later',
  }),
  NATS_URL: optional(natsUrl, {
    about:
      'ROLE=sequencer and gateway: URL of the NATS server for the blocks, with user and password or a token (`nats://token@host`) if required; `tls://` encrypts',
    example: 'nats://l4desk:password@127.0.0.1:4222',
    secret: true,
  }),
  NATS_REPLICAS: setting(whole(1, 5), '1', {
    about: 'NATS_URL: on how many servers of a NATS cluster each block is kept; the same for all processes',
    example: '3',
  }),
  ROLE: setting(oneOf(['all', 'sequencer', 'gateway']), 'all', {
    about:
      'role of this process: `all` is the whole service; in a cluster a `sequencer` follows the upstream, and a `gateway` serves clients',
    example: 'gateway',
  }),
  LOG_LEVEL: setting(oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), 'info', {
    about: 'lowest log level to write',
    example: 'debug',
  }),
  UPSTREAM: setting(oneOf(['sim', 'exchange', 'service']), 'sim', {
    about:
      'data source: `sim` starts a simulated exchange, `exchange` uses an exchange and an order-level server, `service` uses another instance of this service',
    example: 'exchange',
  }),
  UPSTREAM_INFO_URL: optional(endpointUrl('http:', 'https:'), {
    about: 'info endpoint of the exchange or the hosted service, including the path',
    example: 'http://127.0.0.1:3001/info',
  }),
  UPSTREAM_L4_URL: optional(endpointUrl('ws:', 'wss:'), {
    about:
      'UPSTREAM=exchange: order-level server of a node; UPSTREAM=service: stream of the hosted service; including the path',
    example: 'ws://127.0.0.1:8000/ws',
  }),
  UPSTREAM_WS_URL: optional(endpointUrl('ws:', 'wss:'), {
    about:
      'WebSocket of the exchange, including the path: its other channels (userFills, candle, …) are relayed from there; refused if unset',
    example: 'wss://api.example.com/ws',
  }),
  NODE_DATA_DIR: optional(text(4096), {
    about:
      'UPSTREAM=exchange: folder that holds node_raw_book_diffs_by_block or node_raw_book_diffs_streaming of a node on this machine, whose books are then read from its files instead of UPSTREAM_L4_URL',
    example: '/home/node/hl/data',
  }),
  NODE_INFO_URL: optional(endpointUrl('http:', 'https:'), {
    about:
      'NODE_DATA_DIR: info server of the node itself (--serve-info), which writes the snapshots; including the path',
    example: 'http://127.0.0.1:3001/info',
  }),
  NODE_SNAPSHOT_PATH: optional(text(4096), {
    about:
      'NODE_DATA_DIR: file to which the node writes each snapshot, hundreds of MB, removed when read; if unset, node-snapshot.json in DATA_DIR',
    example: '/var/tmp/l4desk-node-snapshot.json',
  }),
  UPSTREAM_API_KEY: optional(text(512), {
    about: 'UPSTREAM=service: an API key of the hosted service, for its queries and its stream',
    example: '(a key)',
    secret: true,
  }),
  UPSTREAM_TIMEOUT_MS: setting(whole(100, 60_000), '5000', { about: 'timeout of one call to the info endpoint' }),
  // Less does not load the list of coins of three dexes within its minute, and the service is never ready.
  UPSTREAM_WEIGHT_PER_MINUTE: setting(whole(100, 1_000_000), '1200', {
    about: 'UPSTREAM=exchange: request weight per minute that the exchange allows this address',
  }),
  L4_PINNED_COINS: setting(list(text(64)), '', {
    about: 'coins whose books are kept ready without viewers, comma-separated',
    example: 'BTC,ETH',
  }),
  RECORD_COINS: setting(list(text(64)), '', {
    about: 'coins that are recorded to DATA_DIR/recordings, comma-separated',
    example: 'BTC,ETH',
  }),
  RECORD_STATUSES: setting(oneOf(['book', 'all']), 'book', {
    about:
      'order statuses that are recorded: `book` those of orders in the diffs of a block, `all` every one of the coin',
  }),
  RECORD_KEEP_BYTES: setting(whole(67_108_864, 1_099_511_627_776), '10737418240', {
    about: 'maximum size of all recordings, in bytes; above it, the oldest are removed',
  }),
  L4_AUDIT_MS: setting(whole(0, DAY_MS), '60000', {
    about:
      'how often a book is compared with a fresh upstream snapshot; bounds how long an undetected loss can last; 0 is never',
  }),
  L4_REORDER_MS: setting(whole(0, 10_000), '200', {
    about: 'how long to wait for a block after a later one has arrived',
  }),
  L4_REBUILD_MAX_MS: setting(whole(500, 600_000), '30000', {
    about:
      'how long a coin may be without a book before it is reported as unavailable; also the longest pause between attempts to build it',
  }),
  BOOK_READY_TIMEOUT_MS: setting(whole(0, 60_000), String(BOOK_READY_TIMEOUT_MS), {
    about: 'how long l4BookSnapshot waits for a book that is not ready',
  }),
  STREAM_CONNECTIONS_PER_KEY_MAX: setting(whole(1, 1_000_000), String(STREAM_CONNECTIONS_PER_KEY_MAX), {
    about: 'maximum open stream connections per key, browsers included; above it, 429',
  }),
  SUBSCRIPTION_COINS_MAX: setting(whole(1, SUBSCRIPTION_COINS_MAX), String(SUBSCRIPTION_COINS_MAX), {
    about: 'maximum coins in one subscription array',
  }),
  CONNECTION_COINS_MAX: setting(whole(1, 100_000), String(CONNECTION_COINS_MAX), {
    about: 'maximum distinct coins on one stream connection',
  }),
  CLIENT_MESSAGES_PER_SECOND_MAX: setting(whole(1, 100_000), String(CLIENT_MESSAGES_PER_SECOND_MAX), {
    about: 'maximum messages per second from one stream client; further ones are read later',
  }),
  CLIENT_FRAME_BYTES_MAX: setting(whole(1024, 16_777_216), String(CLIENT_FRAME_BYTES_MAX), {
    about: 'maximum size of a frame from a stream client, in bytes; above it, closed with 1009',
  }),
  UNSENT_BYTES_MAX: setting(whole(65_536, 1_073_741_824), String(UNSENT_BYTES_MAX), {
    about: 'unsent bytes at which a stream client is closed as a slow consumer, with 1013',
  }),
  BATCH_TIMEOUT_MS: setting(whole(100, 600_000), '10000', {
    about: 'timeout of a batch; wallets that are not done by then get an error slot',
  }),
  WALLET_TIMEOUT_MS: setting(whole(100, 600_000), '8000', { about: 'timeout of one wallet of a batch' }),
  AUTH_FAILURES_PER_MINUTE_MAX: setting(whole(1, 1_000_000), '60', {
    about: 'unknown credentials per minute from one address before further ones get 429',
  }),
  METRICS_KEY: optional(
    text(512).refine((value) => value.length >= 16, 'must be at least 16 characters long'),
    {
      about: 'bearer key for /metrics; if unset, only this machine may read them',
      example: '(16 characters or more)',
      secret: true,
    },
  ),
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof SETTINGS;

/** The parsed and validated settings, by variable name. */
export type Settings = {
  readonly [K in SettingName]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Returns a setting with a common type, for code that iterates over all settings. */
export function settingOf(name: SettingName): Setting<unknown> {
  return SETTINGS[name];
}

/** Whether a host name or address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Whether demo mode is on: a simulated exchange on loopback. It needs no key; the printed link signs in. */
export function isDemo(settings: Settings): boolean {
  return settings.UPSTREAM === 'sim' && isLoopback(settings.HOST);
}
