import { RESUME_BYTES_MAX, RESUME_MS, UNSENT_BYTES_TOTAL_MAX } from '@l4desk/protocol';
import type { Settings } from '../config/settings.ts';

/** How often the credential of an open stream is rechecked: well below the 60 s within which it must close (AUTH-9). */
const RECHECK_MS = 10_000;

/** How often a client is pinged. One that misses two pings is disconnected (D21). */
const PING_MS = 15_000;

/** Limits of the stream (D21, D24, D30, D33). Those that are settings are described there. */
export type StreamLimits = Readonly<ReturnType<typeof streamLimits>>;

export function streamLimits(settings: Settings) {
  return {
    connectionsPerKeyMax: settings.STREAM_CONNECTIONS_PER_KEY_MAX,
    subscriptionCoinsMax: settings.SUBSCRIPTION_COINS_MAX,
    connectionCoinsMax: settings.CONNECTION_COINS_MAX,
    messagesPerSecondMax: settings.CLIENT_MESSAGES_PER_SECOND_MAX,
    frameBytesMax: settings.CLIENT_FRAME_BYTES_MAX,
    unsentBytesMax: settings.UNSENT_BYTES_MAX,
    unsentBytesTotalMax: UNSENT_BYTES_TOTAL_MAX,
    resumeMs: RESUME_MS,
    resumeBytesMax: RESUME_BYTES_MAX,
    pingMs: PING_MS,
    recheckMs: RECHECK_MS,
  };
}
