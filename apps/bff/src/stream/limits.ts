import type { Settings } from '../config/settings.ts';

/** How often the credential of an open stream is rechecked: well below the 60 s within which it must close (AUTH-9). */
const RECHECK_MS = 10_000;

/** Limits of the stream (D21, D24, D30, D33). Each is described at its setting. */
export type StreamLimits = Readonly<ReturnType<typeof streamLimits>>;

export function streamLimits(settings: Settings) {
  return {
    connectionsPerKeyMax: settings.STREAM_CONNECTIONS_PER_KEY_MAX,
    subscriptionCoinsMax: settings.SUBSCRIPTION_COINS_MAX,
    connectionCoinsMax: settings.CONNECTION_COINS_MAX,
    messagesPerSecondMax: settings.CLIENT_MESSAGES_PER_SECOND_MAX,
    frameBytesMax: settings.CLIENT_FRAME_BYTES_MAX,
    unsentBytesMax: settings.UNSENT_BYTES_MAX,
    unsentBytesTotalMax: settings.UNSENT_BYTES_TOTAL_MAX,
    resumeMs: settings.RESUME_MS,
    resumeBytesMax: settings.RESUME_BYTES_MAX,
    pingMs: settings.STREAM_PING_MS,
    recheckMs: RECHECK_MS,
  };
}
