import { fits } from '@l4desk/protocol';
import { exchangeStatus } from '@l4desk/protocol/upstream';
import type { InfoClient } from './info-client.ts';

/** How long a reading counts. */
const FRESH_MS = 10_000;

/** The service responds to `/readyz` without the lag if the upstream takes longer. */
const TIMEOUT_MS = 1_500;

const EXCHANGE_STATUS = { type: 'exchangeStatus' } as const;

/**
 * Returns a reader of how far the state of the upstream is behind, in ms (D64); null if it never reported that. `now` is ms
 * since the Unix epoch, `elapsed` monotonic ms. A hosted service is not asked, because that costs credits.
 */
export function upstreamLag(info: InfoClient, now: () => number, elapsed: () => number): () => Promise<number | null> {
  /** As last reported: an upstream that is late is no less so while it is too slow to tell. */
  let lagMs: number | null = null;
  let reading: Promise<number | null> = Promise.resolve(null);
  let readAt = Number.NEGATIVE_INFINITY;
  if (info.dialect === 'service') return () => reading;
  info.reserve([EXCHANGE_STATUS], 60_000 / FRESH_MS);

  async function read(): Promise<number | null> {
    try {
      const status = (await info.ask(EXCHANGE_STATUS, { timeoutMs: TIMEOUT_MS })).json();
      if (fits(exchangeStatus, status)) lagMs = Math.max(0, now() - status.time);
    } catch {
      // `exchangeStatus` failed, so nothing new is known.
    }
    return lagMs;
  }

  return () => {
    if (elapsed() - readAt >= FRESH_MS) {
      readAt = elapsed();
      reading = read();
    }
    return reading;
  };
}
