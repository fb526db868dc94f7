import { z } from '@l4desk/protocol';
import { CATALOGUE, EXTRA_COINS_MAX } from './market/catalogue.ts';

const port = z.coerce.number().int().min(0).max(65_535);

const factor = z.coerce.number().min(0).max(100);

interface SettingText {
  readonly about: string;
  readonly example: string;
}

/** One setting: its field name, the schema of its text in the environment, its default and its description. */
interface Setting<Field extends string, T> extends SettingText {
  readonly field: Field;
  readonly schema: z.ZodType<T>;
  readonly fallback: T;
}

function setting<const Field extends string, T>(
  field: Field,
  schema: z.ZodType<T>,
  fallback: NoInfer<T>,
  words: SettingText,
): Setting<Field, T> {
  return { field, schema, fallback, ...words };
}

/** A setting that is null by default. */
function optional<const Field extends string, T>(field: Field, schema: z.ZodType<T>, words: SettingText) {
  return setting<Field, T | null>(field, schema, null, words);
}

const flag = z.enum(['0', '1']).transform((text) => text === '1');

const pace = z.union([z.literal('step').transform(() => 0), z.coerce.number().min(0).max(1_000)]);

const coinNames = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(CATALOGUE.map((coin) => coin.name))).min(1))
  .readonly();

const text = z.string().min(1);

/** Every setting of the venue by its environment variable. */
export const SETTINGS = {
  VENUE_SEED: setting('seed', text, 'l4desk', {
    about: 'seed of the simulation; the same seed gives the same blocks',
    example: 'tuesday',
  }),
  VENUE_HOST: setting('host', text, '127.0.0.1', { about: 'address that /info and /ws listen on', example: '0.0.0.0' }),
  VENUE_PORT: setting('port', port, 4410, { about: 'port of /info and /ws; 0 picks a free one', example: '4410' }),
  VENUE_CONTROL_PORT: setting('controlPort', port, 4411, {
    about: 'port of the control API, always on 127.0.0.1; 0 picks a free one',
    example: '4411',
  }),
  VENUE_CONTROL_FALLBACK: setting('controlFallback', flag, false, {
    about: '1 takes a free port for the control API if VENUE_CONTROL_PORT is in use',
    example: '1',
  }),
  VENUE_CAPTURE: optional('capture', text, {
    about: "directory with a node's snapshot and by-block files to replay",
    example: './capture',
  }),
  VENUE_NODE_DIR: optional('nodeDir', text, {
    about: 'directory to write the files of a node into, for NODE_DATA_DIR; fileSnapshot is served then',
    example: './node-data',
  }),
  VENUE_NODE_FILES: setting('nodeFiles', z.enum(['by_block', 'streaming']), 'by_block', {
    about: 'by_block writes a line for each block, streaming one for each event',
    example: 'streaming',
  }),
  VENUE_RECORDING: optional('recording', text, {
    about: '.l4rec recording to replay, of one coin',
    example: './btc.l4rec',
  }),
  VENUE_LOOP: setting('loop', flag, false, {
    about: '1 starts again after the last block of a capture or recording',
    example: '1',
  }),
  VENUE_PACE: setting('pace', pace, 1, {
    about: 'multiple of real time from 0 to 1000, or step to produce blocks only on POST /step',
    example: '10',
  }),
  VENUE_RATE: setting('rate', factor, 1, {
    about: 'orders placed and canceled per block, as a factor of the default',
    example: '0.5',
  }),
  VENUE_STATUS_RATE: setting('statusRate', factor, 1, {
    about: 'refused orders per block, as a factor of the default; the exchange has about 6',
    example: '6',
  }),
  VENUE_SIZE: setting('size', z.coerce.number().min(0.001).max(10), 1, {
    about: 'resting orders, as a factor of the default (BTC: 50,000)',
    example: '0.1',
  }),
  VENUE_COINS: optional('coins', coinNames, {
    about: 'coins to list, in this order; default: all',
    example: 'BTC,ETH',
  }),
  VENUE_EXTRA_COINS: setting('extraCoins', z.coerce.number().int().min(0).max(EXTRA_COINS_MAX), 0, {
    about: 'additional small coins to list, named ALT001 and so on; the exchange itself lists about 200 coins',
    example: '64',
  }),
  VENUE_START_TIME: optional('startTime', z.coerce.number().int().min(0), {
    about: 'time of the first book, in ms since 1970, from which block times continue; if unset, they follow the clock',
    example: '1778002752957',
  }),
  VENUE_DIFF_SIDE: setting('diffSide', flag, false, {
    about: '1 adds the side to every diff; the order-level server omits it',
    example: '1',
  }),
  VENUE_SNAPSHOT_TRIM: setting('trimSnapshot', flag, false, {
    about: "1 drops trailing zeros of a snapshot's prices and sizes (81307), as the order-level server does",
    example: '1',
  }),
  VENUE_MAX_UNSENT_BYTES: setting('maxUnsentBytes', z.coerce.number().int().min(1_024).max(1_073_741_824), 67_108_864, {
    about: 'unsent bytes above which a stream client is disconnected',
    example: '67108864',
  }),
  VENUE_SNAPSHOT_MS: setting('snapshotMs', z.coerce.number().min(0).max(60_000), 0, {
    about:
      'duration of a snapshot in ms, during which the whole stream is blocked, with queues of 100 messages per connection, as on the order-level server; 0 responds at once',
    example: '90',
  }),
  VENUE_INFO_WEIGHT_PER_MINUTE: setting('infoWeightPerMinute', z.coerce.number().int().min(0).max(1_000_000_000), 0, {
    about:
      'weight of info calls per minute and address, above which calls get 429 (the exchange: 1200); 0 for no limit',
    example: '1200',
  }),
} as const;

type SettingName = keyof typeof SETTINGS;

/** The settings as read: a pace of 0 means stopped, null means not set. */
export type VenueSettings = {
  readonly [N in SettingName as (typeof SETTINGS)[N]['field']]: (typeof SETTINGS)[N]['fallback'];
};

/** Invalid settings; the message has one line for each. */
export class SettingsError extends Error {
  readonly code = 'bad_settings';

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

/** Reads the settings from the environment. Empty values count as not set. Throws SettingsError that names every invalid one. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): VenueSettings {
  const problems: string[] = [];
  const read = ([name, { field, schema, fallback, example }]: [string, Setting<string, unknown>]) => {
    const given = env[name];
    if (given === undefined || given === '') return [field, fallback];
    const result = schema.safeParse(given);
    if (result.success) return [field, result.data];
    const problem = result.error.issues[0]?.message ?? 'is invalid';
    problems.push(`${name}: ${problem} (is ${JSON.stringify(given)}, for example ${example})`);
    return [field, fallback];
  };
  const settings = Object.fromEntries(Object.entries(SETTINGS).map(read)) as VenueSettings;
  if (settings.capture !== null && settings.recording !== null) {
    problems.push('VENUE_RECORDING: cannot be combined with VENUE_CAPTURE');
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** Variables that look like settings, but are none: typos. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(env).filter((name) => name.startsWith('VENUE_') && !(name in SETTINGS));
}

/** One line per setting, for `--help`. */
export function describeSettings(): string {
  return Object.entries(SETTINGS)
    .map(([name, { fallback, about }]) => `  ${name.padEnd(30)}${about} (default: ${String(fallback ?? 'none')})`)
    .join('\n');
}
