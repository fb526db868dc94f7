import {
  BATCH_WALLETS_MAX,
  FUNDING_HISTORY_ENTRIES_MAX,
  HISTORICAL_ORDERS_LIMIT_MAX,
  REQUEST_BODY_BYTES_MAX,
  RESUME_BYTES_MAX,
  RESUME_MS,
  UNSENT_BYTES_TOTAL_MAX,
  USAGE_DURATIONS_MONTHS,
  USAGE_WINDOW_DAYS_MAX,
} from '@l4desk/protocol';
import { SETTINGS, type SettingName, type Settings } from '../../config/settings.ts';

interface StatedLimit {
  readonly value: number | readonly number[];
  readonly about: string;
  readonly setting?: SettingName;
}

/** Limits of queries and usage, and of the stream, by their names in the protocol. */
export interface StatedLimits {
  readonly http: Readonly<Record<string, StatedLimit>>;
  readonly stream: Readonly<Record<string, StatedLimit>>;
}

/** Limits of each part that are settings, in the order in which they are listed. */
const HTTP_SETTINGS = ['BATCH_TIMEOUT_MS', 'WALLET_TIMEOUT_MS', 'BOOK_READY_TIMEOUT_MS'] as const;
const STREAM_SETTINGS = [
  'STREAM_CONNECTIONS_PER_KEY_MAX',
  'SUBSCRIPTION_COINS_MAX',
  'CONNECTION_COINS_MAX',
  'CLIENT_MESSAGES_PER_SECOND_MAX',
  'CLIENT_FRAME_BYTES_MAX',
  'UNSENT_BYTES_MAX',
] as const;

/** Returns the limits of this service as configured. */
export function statedLimits(settings: Settings): StatedLimits {
  const set = (names: readonly ((typeof HTTP_SETTINGS)[number] | (typeof STREAM_SETTINGS)[number])[]) =>
    Object.fromEntries(
      names.map((name) => [name, { value: settings[name], about: SETTINGS[name].about, setting: name }]),
    );
  return {
    http: {
      REQUEST_BODY_BYTES_MAX: { value: REQUEST_BODY_BYTES_MAX, about: 'maximum size of a request body, in bytes' },
      ...set(HTTP_SETTINGS),
      BATCH_WALLETS_MAX: {
        value: BATCH_WALLETS_MAX,
        about: 'wallets of one batch, counted before duplicates are removed; at least 1',
      },
      HISTORICAL_ORDERS_LIMIT_MAX: {
        value: HISTORICAL_ORDERS_LIMIT_MAX,
        about: 'entries of historicalOrders: default of limit, and its cap',
      },
      FUNDING_HISTORY_ENTRIES_MAX: {
        value: FUNDING_HISTORY_ENTRIES_MAX,
        about: 'entries of one fundingHistory response',
      },
      USAGE_DURATIONS_MONTHS: {
        value: USAGE_DURATIONS_MONTHS,
        about: 'values of duration at the usage endpoint, in months',
      },
      USAGE_WINDOW_DAYS_MAX: { value: USAGE_WINDOW_DAYS_MAX, about: 'maximum window of the usage endpoint, in days' },
    },
    stream: {
      ...set(STREAM_SETTINGS),
      UNSENT_BYTES_TOTAL_MAX: {
        value: UNSENT_BYTES_TOTAL_MAX,
        about: 'maximum unsent bytes of all stream clients; above it, the client with the most is disconnected',
      },
      RESUME_MS: { value: RESUME_MS, about: 'how long entries are kept for clients that resume, in ms' },
      RESUME_BYTES_MAX: { value: RESUME_BYTES_MAX, about: 'maximum memory for entries that clients resume, in bytes' },
    },
  };
}
