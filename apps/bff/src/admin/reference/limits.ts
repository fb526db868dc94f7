import {
  BATCH_WALLETS_MAX,
  FUNDING_HISTORY_ENTRIES_MAX,
  HISTORICAL_ORDERS_LIMIT_MAX,
  USAGE_DURATIONS_MONTHS,
  USAGE_WINDOW_DAYS_MAX,
} from '@l4desk/protocol';
import type { SettingName, Settings } from '../../config/settings.ts';

/** A limit as the reference states it. */
interface StatedLimit {
  readonly value: number | readonly number[];
  readonly about: string;
  /** The setting that moves it, where one does. */
  readonly setting?: SettingName;
}

/** The limits of queries and usage, and those of the stream, under the names that the protocol has for them. */
export interface StatedLimits {
  readonly http: Readonly<Record<string, StatedLimit>>;
  readonly stream: Readonly<Record<string, StatedLimit>>;
}

/** The limits as this service is configured. */
export function statedLimits(settings: Settings): StatedLimits {
  const set = (setting: SettingName & keyof NumericSettings, about: string): StatedLimit => {
    return { value: settings[setting], about, setting };
  };
  return {
    http: {
      REQUEST_BODY_BYTES_MAX: set('REQUEST_BODY_BYTES_MAX', 'maximum size of a request body, in bytes'),
      BATCH_WALLETS_MAX: {
        value: BATCH_WALLETS_MAX,
        about: 'wallets of one batch, counted before duplicates are removed; at least 1',
      },
      BATCH_TIMEOUT_MS: set(
        'BATCH_TIMEOUT_MS',
        'timeout of a batch in ms; wallets that are not done by then get an error slot',
      ),
      WALLET_TIMEOUT_MS: set('WALLET_TIMEOUT_MS', 'timeout of one wallet of a batch, in ms'),
      HISTORICAL_ORDERS_LIMIT_MAX: {
        value: HISTORICAL_ORDERS_LIMIT_MAX,
        about: 'entries of historicalOrders: default of limit, and its cap',
      },
      FUNDING_HISTORY_ENTRIES_MAX: {
        value: FUNDING_HISTORY_ENTRIES_MAX,
        about: 'entries of one fundingHistory response',
      },
      BOOK_READY_TIMEOUT_MS: set(
        'BOOK_READY_TIMEOUT_MS',
        'how long l4BookSnapshot waits for a book that is not ready, in ms',
      ),
      USAGE_DURATIONS_MONTHS: {
        value: USAGE_DURATIONS_MONTHS,
        about: 'values of duration at the usage endpoint, in months',
      },
      USAGE_WINDOW_DAYS_MAX: { value: USAGE_WINDOW_DAYS_MAX, about: 'maximum window of the usage endpoint, in days' },
    },
    stream: {
      STREAM_CONNECTIONS_PER_KEY_MAX: set(
        'STREAM_CONNECTIONS_PER_KEY_MAX',
        'open connections per key, including those of browsers signed in with it; above it, the upgrade is refused with 429',
      ),
      SUBSCRIPTION_COINS_MAX: set('SUBSCRIPTION_COINS_MAX', 'coins in one subscription array'),
      CONNECTION_COINS_MAX: set('CONNECTION_COINS_MAX', 'distinct coins on one connection'),
      CLIENT_MESSAGES_PER_SECOND_MAX: set(
        'CLIENT_MESSAGES_PER_SECOND_MAX',
        'client messages per second; above it, closed with 1008',
      ),
      CLIENT_FRAME_BYTES_MAX: set('CLIENT_FRAME_BYTES_MAX', 'bytes of one client frame; above it, closed with 1009'),
      RESUME_MS: set('RESUME_MS', 'how long entries are kept for clients that resume after a disconnect, in ms'),
      RESUME_BYTES_MAX: set('RESUME_BYTES_MAX', 'bytes of these entries; above it, the oldest ones are dropped sooner'),
      UNSENT_BYTES_MAX: set('UNSENT_BYTES_MAX', 'unsent bytes at which a slow consumer is closed with 1013'),
      UNSENT_BYTES_PER_ACCOUNT_MAX: set(
        'UNSENT_BYTES_PER_ACCOUNT_MAX',
        'unsent bytes of all connections of an account; above it, the one with the most is disconnected',
      ),
      UNSENT_BYTES_TOTAL_MAX: set(
        'UNSENT_BYTES_TOTAL_MAX',
        'unsent bytes of all connections; above it, the one with the most, in the account with the most, is disconnected',
      ),
    },
  };
}

type NumericSettings = { [K in keyof Settings as Settings[K] extends number ? K : never]: Settings[K] };
