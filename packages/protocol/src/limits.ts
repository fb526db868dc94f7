/** Maximum bytes of a request body (D3). */
export const REQUEST_BODY_BYTES_MAX = 65_536;

/** Maximum coins in one subscription array (§8). */
export const SUBSCRIPTION_COINS_MAX = 64;

/** Maximum distinct coins on one connection (D33). */
export const CONNECTION_COINS_MAX = 256;

/** Maximum client messages per second on one connection (D33). */
export const CLIENT_MESSAGES_PER_SECOND_MAX = 100;

/** Maximum bytes of one client frame (D33). */
export const CLIENT_FRAME_BYTES_MAX = 65_536;

/** Maximum stream connections per key. */
export const STREAM_CONNECTIONS_PER_KEY_MAX = 100;

/** Unsent bytes at which a connection is closed as a slow consumer (D30). */
export const UNSENT_BYTES_MAX = 8 * 1024 * 1024;

/** Unsent bytes of all connections of the stream together (D30). */
export const UNSENT_BYTES_TOTAL_MAX = 256 * 1024 * 1024;

/** How long the stream retains published entries for clients that reconnect, in ms, and the maximum bytes of them. */
export const RESUME_MS = 30_000;
export const RESUME_BYTES_MAX = 128 * 1024 * 1024;

/** How long `l4BookSnapshot` waits for a book to be ready, in ms (D14). */
export const BOOK_READY_TIMEOUT_MS = 5_000;

/** Maximum wallets in one batch, counted before duplicates are removed; the minimum is one (§8, D6). */
export const BATCH_WALLETS_MAX = 50;

/** How long a whole batch may take, in ms; a wallet that is not finished by then gets an error slot (D16). */
export const BATCH_TIMEOUT_MS = 10_000;

/** How long one wallet of a batch may take, in ms (D16). */
export const WALLET_TIMEOUT_MS = 8_000;

/** Maximum entries of `historicalOrders`, also the default without a `limit` (§8). */
export const HISTORICAL_ORDERS_LIMIT_MAX = 2_000;

/** Maximum entries of one `fundingHistory` response (§8). */
export const FUNDING_HISTORY_ENTRIES_MAX = 500;

/** Windows of the usage endpoint, in months back from today; 1 is the current month so far (§8). */
export const USAGE_DURATIONS_MONTHS = [1, 3, 6, 12] as const;

/** Maximum days of one usage window: ten years; a longer one is rejected. */
export const USAGE_WINDOW_DAYS_MAX = 3_653;
