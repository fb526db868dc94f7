import { z } from '@l4desk/protocol';
import { CATALOGUE, EXTRA_COINS_MAX } from './market/catalogue.ts';
import type { NodeFilesKind } from './node-files/node-lines.ts';

const port = z.coerce.number().int().min(0).max(65_535);

const factor = z.coerce.number().min(0).max(100);

/** One setting: how it is read from the environment's text, what it means, and what it looks like. */
interface Setting<T> {
  readonly schema: z.ZodType<T>;
  readonly fallback: T;
  readonly meaning: string;
  readonly example: string;
}

function setting<T>(schema: z.ZodType<T>, fallback: T, meaning: string, example: string): Setting<T> {
  return { schema, fallback, meaning, example };
}

const flag = z.enum(['0', '1']).transform((text) => text === '1');

const pace = z.union([z.literal('step').transform(() => 0), z.coerce.number().min(0).max(1_000)]);

const coinNames = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(CATALOGUE.map((coin) => coin.name))).min(1));

const text = z.string().min(1);

/** Every setting of the venue by its name in the environment. */
export const SETTINGS = {
  VENUE_SEED: setting(text, 'l4desk', 'seed of the simulation; the same seed gives the same blocks', 'tuesday'),
  VENUE_HOST: setting(text, '127.0.0.1', 'address that /info and /ws listen on', '0.0.0.0'),
  VENUE_PORT: setting(port, 4410, 'port of /info and /ws; 0 picks a free one', '4410'),
  VENUE_CONTROL_PORT: setting(port, 4411, 'port of the control API, always on 127.0.0.1; 0 picks a free one', '4411'),
  VENUE_CAPTURE: setting<string | null>(
    text,
    null,
    "directory with a node's snapshot and by-block files to replay",
    './capture',
  ),
  VENUE_NODE_DIR: setting<string | null>(
    text,
    null,
    'directory to write the files of a node into, for L4_SOURCE=node; fileSnapshot is served then',
    './node-data',
  ),
  VENUE_NODE_FILES: setting<NodeFilesKind>(
    z.enum(['by_block', 'streaming']),
    'by_block',
    'by_block writes a line for each block, streaming one for each event',
    'streaming',
  ),
  VENUE_RECORDING: setting<string | null>(text, null, '.l4rec recording to replay, of one coin', './btc.l4rec'),
  VENUE_LOOP: setting(flag, false, '1 begins again behind the last block of a capture or recording', '1'),
  VENUE_PACE: setting(
    pace,
    1,
    'multiple of real time from 0 to 1000, or step to produce blocks only on POST /step',
    '10',
  ),
  VENUE_RATE: setting(factor, 1, 'orders placed and canceled per block, as a factor of the default', '0.5'),
  VENUE_STATUS_RATE: setting(
    factor,
    1,
    'refused orders per block, as a factor of the default; the exchange has about 6',
    '6',
  ),
  VENUE_SIZE: setting(
    z.coerce.number().min(0.001).max(10),
    1,
    'resting orders, as a factor of the default (BTC: 50,000)',
    '0.1',
  ),
  VENUE_COINS: setting<readonly string[] | null>(
    coinNames,
    null,
    'coins to list, in this order; default: all',
    'BTC,ETH',
  ),
  VENUE_EXTRA_COINS: setting(
    z.coerce.number().int().min(0).max(EXTRA_COINS_MAX),
    0,
    'additional small coins to list, named ALT001 and so on; the exchange itself lists about 200 coins',
    '64',
  ),
  VENUE_START_TIME: setting<number | null>(
    z.coerce.number().int().min(0),
    null,
    'time of the first book, in ms since 1970, from which block times continue; if unset, they follow the clock',
    '1778002752957',
  ),
  VENUE_DIFF_SIDE: setting(flag, false, '1 adds the side to every diff; the order-level server omits it', '1'),
  VENUE_SNAPSHOT_TRIM: setting(
    flag,
    false,
    "1 drops trailing zeros of a snapshot's prices and sizes (81307), as the order-level server does",
    '1',
  ),
  VENUE_MAX_UNSENT_BYTES: setting(
    z.coerce.number().int().min(1_024).max(1_073_741_824),
    67_108_864,
    'unsent bytes above which a stream client is disconnected',
    '67108864',
  ),
  VENUE_SNAPSHOT_MS: setting(
    z.coerce.number().min(0).max(60_000),
    0,
    'duration of a snapshot in ms, during which the whole stream is blocked, with queues of 100 messages per connection, as on the order-level server; 0 responds at once',
    '90',
  ),
  VENUE_INFO_WEIGHT_PER_MINUTE: setting(
    z.coerce.number().int().min(0).max(1_000_000_000),
    0,
    'weight of info calls per minute and address, above which calls get 429 (the exchange: 1200); 0 for no limit',
    '1200',
  ),
} as const;

type SettingName = keyof typeof SETTINGS;

type SettingValue<N extends SettingName> = (typeof SETTINGS)[N]['fallback'];

export interface VenueSettings {
  readonly seed: string;
  readonly host: string;
  readonly port: number;
  readonly controlPort: number;
  /** Directory of a capture to replay instead of simulating. */
  readonly capture: string | null;
  /** Directory for the files of a node; null for none. */
  readonly nodeDir: string | null;
  readonly nodeFiles: NodeFilesKind;
  /** Recording to replay instead; not both. */
  readonly recording: string | null;
  /** Whether a capture or recording begins again behind its last block. */
  readonly loop: boolean;
  /** Multiple of real time; 0 stands still. */
  readonly pace: number;
  readonly rate: number;
  readonly statusRate: number;
  readonly size: number;
  /** Names of the coins to list; null lists all. */
  readonly coins: readonly string[] | null;
  /** Small coins listed besides. */
  readonly extraCoins: number;
  /** Time of the first book, ms; null follows the clock. */
  readonly startTime: number | null;
  readonly diffSide: boolean;
  readonly trimSnapshot: boolean;
  readonly maxUnsentBytes: number;
  /** How long a snapshot holds the whole stream, ms; 0 answers at once and queues nothing. */
  readonly snapshotMs: number;
  /** Weight of info calls a minute and address; 0 sets no limit. */
  readonly infoWeightPerMinute: number;
}

/** Settings that cannot be used; the message has a line for each. */
export class SettingsError extends Error {
  readonly code = 'bad_settings';

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

/** Reads the settings from the environment. An empty value counts as none. Throws SettingsError naming every bad one. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): VenueSettings {
  const problems: string[] = [];
  const read = <N extends SettingName>(name: N): SettingValue<N> => {
    const { schema, fallback, example } = SETTINGS[name];
    const given = env[name];
    if (given === undefined || given === '') return fallback;
    const result = schema.safeParse(given);
    if (result.success) return result.data;
    const problem = result.error.issues[0]?.message ?? 'is invalid';
    problems.push(`${name}: ${problem} (is ${JSON.stringify(given)}, for example ${example})`);
    return fallback;
  };
  const settings: VenueSettings = {
    seed: read('VENUE_SEED'),
    host: read('VENUE_HOST'),
    port: read('VENUE_PORT'),
    controlPort: read('VENUE_CONTROL_PORT'),
    capture: read('VENUE_CAPTURE'),
    nodeDir: read('VENUE_NODE_DIR'),
    nodeFiles: read('VENUE_NODE_FILES'),
    recording: read('VENUE_RECORDING'),
    loop: read('VENUE_LOOP'),
    pace: read('VENUE_PACE'),
    rate: read('VENUE_RATE'),
    statusRate: read('VENUE_STATUS_RATE'),
    size: read('VENUE_SIZE'),
    coins: read('VENUE_COINS'),
    extraCoins: read('VENUE_EXTRA_COINS'),
    startTime: read('VENUE_START_TIME'),
    diffSide: read('VENUE_DIFF_SIDE'),
    trimSnapshot: read('VENUE_SNAPSHOT_TRIM'),
    maxUnsentBytes: read('VENUE_MAX_UNSENT_BYTES'),
    snapshotMs: read('VENUE_SNAPSHOT_MS'),
    infoWeightPerMinute: read('VENUE_INFO_WEIGHT_PER_MINUTE'),
  };
  if (settings.capture !== null && settings.recording !== null) {
    problems.push('VENUE_RECORDING: cannot be combined with VENUE_CAPTURE');
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** One line a setting, for `--help`. */
export function describeSettings(): string {
  return Object.entries(SETTINGS)
    .map(([name, { fallback, meaning }]) => `  ${name.padEnd(30)}${meaning} (default: ${String(fallback ?? 'none')})`)
    .join('\n');
}
