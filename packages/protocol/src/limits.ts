/** Most bytes of a request body (D3). */
export const REQUEST_BODY_BYTES_MAX = 65_536;

/** Most coins in one subscription array (§8). */
export const SUBSCRIPTION_COINS_MAX = 64;

/** Most distinct coins on one connection (D33). */
export const CONNECTION_COINS_MAX = 256;

/** Most client messages a second on one connection (D33). */
export const CLIENT_MESSAGES_PER_SECOND_MAX = 100;

/** Most bytes of one client frame (D33). */
export const CLIENT_FRAME_BYTES_MAX = 65_536;

/** Unsent bytes at which a connection is closed as a slow consumer (D30). */
export const UNSENT_BYTES_MAX = 8 * 1024 * 1024;

/** How long `l4BookSnapshot` waits for a book to be ready, in ms (D14). */
export const BOOK_READY_TIMEOUT_MS = 5_000;
