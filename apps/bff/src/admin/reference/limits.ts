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
  readonly value: unknown;
  readonly about: string;
  readonly setting?: SettingName;
}

/** Limits of queries and usage, and of the stream, by their names in the protocol. */
export type StatedLimits = Readonly<Record<'http' | 'stream', Readonly<Record<string, StatedLimit>>>>;

/** Returns the limits of this service as configured. */
export function statedLimits(settings: Settings): StatedLimits {
  const set = (...names: readonly SettingName[]) =>
    Object.fromEntries(
      names.map((name) => [name, { value: settings[name], about: SETTINGS[name].about, setting: name }]),
    );
  const fixed = (value: unknown, about: string): StatedLimit => ({ value, about });
  return {
    http: {
      REQUEST_BODY_BYTES_MAX: fixed(REQUEST_BODY_BYTES_MAX, 'maximum size of a request body, in bytes'),
      ...set('BATCH_TIMEOUT_MS', 'WALLET_TIMEOUT_MS', 'BOOK_READY_TIMEOUT_MS'),
      BATCH_WALLETS_MAX: fixed(
        BATCH_WALLETS_MAX,
        'wallets of one batch, counted before duplicates are removed; at least 1',
      ),
      HISTORICAL_ORDERS_LIMIT_MAX: fixed(
        HISTORICAL_ORDERS_LIMIT_MAX,
        'entries of historicalOrders: default of limit, and its cap',
      ),
      FUNDING_HISTORY_ENTRIES_MAX: fixed(FUNDING_HISTORY_ENTRIES_MAX, 'entries of one fundingHistory response'),
      USAGE_DURATIONS_MONTHS: fixed(USAGE_DURATIONS_MONTHS, 'values of duration at the usage endpoint, in months'),
      USAGE_WINDOW_DAYS_MAX: fixed(USAGE_WINDOW_DAYS_MAX, 'maximum window of the usage endpoint, in days'),
    },
    stream: {
      ...set(
        'STREAM_CONNECTIONS_PER_KEY_MAX',
        'SUBSCRIPTION_COINS_MAX',
        'CONNECTION_COINS_MAX',
        'CLIENT_MESSAGES_PER_SECOND_MAX',
        'CLIENT_FRAME_BYTES_MAX',
        'UNSENT_BYTES_MAX',
      ),
      UNSENT_BYTES_TOTAL_MAX: fixed(
        UNSENT_BYTES_TOTAL_MAX,
        'maximum unsent bytes of all stream clients; above it, the client with the most is disconnected',
      ),
      RESUME_MS: fixed(RESUME_MS, 'how long entries are kept for clients that resume, in ms'),
      RESUME_BYTES_MAX: fixed(RESUME_BYTES_MAX, 'maximum memory for entries that clients resume, in bytes'),
    },
  };
}
